import type { HookForm } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** Times are milliseconds there. */
export function commandForm({ timeout, ...rest }: Args): HookForm {
  return { input: { ...rest, ...(typeof timeout === "number" && { timeout: timeout * 1000 }) } }
}

/** Whole seconds, never less than the hook said. */
export function fromCommandForm(input: Args): Args {
  const { timeout } = input
  return typeof timeout === "number" ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}
