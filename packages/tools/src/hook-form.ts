import type { HookForm } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** The hook format calls the path of a file `file_path`. */
export function withFilePath({ path, ...rest }: Args): HookForm {
  return { input: path === undefined ? rest : { file_path: path, ...rest } }
}
