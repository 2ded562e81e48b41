import { FailureError, phrase, nearest } from "@gong/spec"
import { slashLine } from "../slash-line.ts"
import { type Answer, done, refuse } from "../controller/answer.ts"
import { output, type SlashContext, type SlashResult } from "./command.ts"
import { runExtension } from "./other-commands.ts"
import { slashCommands } from "./registry.ts"

/**
 * Runs a typed line if it is a command of Gong or an extension; otherwise it is a message. Names of templates and skills are
 * messages that are expanded later. An unknown name is sent to the model unchanged, but for a misspelled name the correct one
 * is suggested.
 */
export async function runTyped(context: SlashContext, text: string): Promise<SlashResult> {
  const line = slashLine(text)
  if (line === null) return { kind: "message", text }
  const { t, controller, commands } = context
  // Finds templates and skills that were just written.
  await controller.current.resources.library.scan()
  try {
    const work = runnerOf(context, line.name, line.rest)
    if (work !== null) return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return output([`gong: ${t(error.failure)}`], { failure: error.failure.kind })
  }
  const names = commands().map(({ name }) => name)
  if (names.includes(line.name)) return { kind: "message", text: `/${line.name}${text.slice(1 + line.name.length)}` }
  const near = nearest(line.name, names)
  if (near === null) return { kind: "message", text }
  const lines = [t`There is no /${line.name}. Did you mean /${near}? Start with a blank to send it as a message.`]
  return output(lines, { unknown: line.name, near })
}

/** Runs a command by its name for a client without a screen; null for an unknown name. Throws FailureError. */
export async function runNamed(context: SlashContext, name: string, rest: string): Promise<Answer<SlashResult> | null> {
  if (slashCommands.some((one) => one.name === name && one.screen === true))
    return refuse("bad_arguments", phrase`/${name} works only in a conversation at a terminal.`)
  const work = runnerOf(context, name, rest)
  if (work !== null) return done(await work())
  const known = context.commands().some((one) => one.name === name)
  return known ? done({ kind: "message", text: `/${name} ${rest}`.trimEnd() }) : null
}

/** Gong's own commands have precedence over those of extensions; null for an unknown name. */
function runnerOf(context: SlashContext, name: string, rest: string): (() => Promise<SlashResult>) | null {
  const own = slashCommands.find((one) => one.name === name.toLowerCase())
  if (own) return async () => own.run(context, rest)
  const { commands } = context.controller.current.resources.extensions
  const other = commands.find((one) => one.name === name)
  return other ? () => runExtension(other, rest, context.user) : null
}
