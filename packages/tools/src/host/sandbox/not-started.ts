import * as texts from "./texts.ts"

/** The sandbox did not come to be, and the command was not run. `said`: the reason, of which the last line counts. */
export function notStarted(said: string): Error {
  return Object.assign(new Error(texts.notStarted(said)), { code: "ESANDBOX" })
}
