import type { HookForm } from "@gong/spec"

type Args = Readonly<Record<string, unknown>>

/** The hook format counts timeouts in milliseconds. */
export function commandForm({ timeout, ...rest }: Args): HookForm {
  return { input: { ...rest, ...(typeof timeout === "number" && { timeout: timeout * 1000 }) } }
}

/** Rounds up to whole seconds, so the timeout is never shorter than the hook's. */
export function fromCommandForm(input: Args): Args {
  const { timeout } = input
  return typeof timeout === "number" ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}
