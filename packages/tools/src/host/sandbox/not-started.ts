import * as texts from "./texts.ts"

/** The sandbox could not start and the command was not run. `errors`: the error output, whose last line is the reason. */
export function notStarted(errors: string): Error {
  return Object.assign(new Error(texts.notStarted(errors)), { code: "ESANDBOX" })
}
