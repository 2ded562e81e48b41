import type { HookForm } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** The path of a file has a name of its own in the format of hooks. */
export function withFilePath({ path, ...rest }: Args): HookForm {
  return { input: path === undefined ? rest : { file_path: path, ...rest } }
}
