import { FailureError } from "@gong/spec"
import { nearest } from "../nearest.ts"
import { type At, said, type SlashEnd } from "./command.ts"
import { slashLine } from "../slash-line.ts"
import { slashCommands } from "./registry.ts"
import type { Translate } from "../texts/translator.ts"

/**
 * Runs what a person typed if it is a command, Gong's own or an extension's; otherwise it is a message. A name that a
 * template or a skill takes is a message as well, to be expanded. One that nobody takes goes to the model as it was typed,
 * but where it is a slip away from a name that name is said instead.
 */
export async function runSlash(at: At, text: string): Promise<SlashEnd> {
  const line = slashLine(text)
  if (line === null) return { kind: "message", text }
  const own = slashCommands.find(({ name }) => name === line.name.toLowerCase())
  if (own) return guarded(at.t, async () => own.run(at, line.rest))
  const others = at.extension(line.name, line.rest)
  if (others !== null) return guarded(at.t, () => others)
  const names = at.commands().map(({ name }) => name)
  if (names.includes(line.name)) return { kind: "message", text: `/${line.name}${text.slice(1 + line.name.length)}` }
  const near = nearest(line.name, names)
  if (near === null) return { kind: "message", text }
  const lines = [at.t`There is no /${line.name}. Did you mean /${near}? With a blank in front it is sent as a message.`]
  return said(lines, { unknown: line.name, near })
}

async function guarded(t: Translate, work: () => Promise<SlashEnd>): Promise<SlashEnd> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return said([`gong: ${t(error.failure)}`], { failure: error.failure.kind })
  }
}
