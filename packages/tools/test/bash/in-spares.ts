import type { BashTool } from "../../src/index.ts"
import type { Spied } from "../host/spare-place.ts"
import { context } from "../place.ts"

/** The tool with each of its commands in a sandbox that waited for it. */
export function inSpares(tool: BashTool, spied: Spied): BashTool {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    ...tool,
    async execute(callId, args, more) {
      const before = turn
      const { promise, resolve } = Promise.withResolvers<unknown>()
      turn = promise
      await before
      const first = await tool.execute("first", { command: "true" }, context())
      if (!first.isError) await spied.waits()
      const run = tool.execute(callId, args, more)
      // The next one may run its first command when this one has taken what waits, or will not.
      resolve(Promise.race([run, spied.given()]).catch(() => undefined))
      return run
    },
  }
}
