import type { TestContext } from "node:test"
import type { ModelServerOptions } from "@gong/testing/model-server"
import { openWithModel, type Program } from "../program.ts"

/** The output of a conversation without the greeting. */
export async function talk(
  program: Program,
  typed: readonly string[],
  ...args: readonly string[]
): Promise<readonly string[]> {
  const { all } = await program.gong(args, { typed })
  const lines = program.plain(all).split("\n")
  return lines.slice(lines.findIndex((line) => line.startsWith("> ")))
}

export const open = (t: TestContext, options: ModelServerOptions = {}) =>
  openWithModel(t, { otherwise: { text: "Fine." }, ...options })
