import { FailureError, phrase, nearest } from "@gong/spec"
import { slashLine } from "../slash-line.ts"
import { type Answer, done, refuse } from "../controller/answer.ts"
import { type SlashContext, said, type SlashEnd } from "./command.ts"
import { runExtension } from "./others.ts"
import { slashCommands } from "./registry.ts"

/**
 * Runs what a person typed if it is a command, Gong's own or an extension's; otherwise it is a message. A name that a
 * template or a skill takes is a message as well, to be expanded. One that nobody takes goes to the model as it was typed,
 * but where it is a slip away from a name that name is said instead.
 */
export async function runTyped(context: SlashContext, text: string): Promise<SlashEnd> {
  const line = slashLine(text)
  if (line === null) return { kind: "message", text }
  const { t, controller, commands } = context
  // A command that was written a moment ago can be called.
  await controller.current.resources.library.scan()
  try {
    const work = workOf(context, line.name, line.rest)
    if (work !== null) return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return said([`gong: ${t(error.failure)}`], { failure: error.failure.kind })
  }
  const names = commands().map(({ name }) => name)
  if (names.includes(line.name)) return { kind: "message", text: `/${line.name}${text.slice(1 + line.name.length)}` }
  const near = nearest(line.name, names)
  if (near === null) return { kind: "message", text }
  const lines = [t`There is no /${line.name}. Did you mean /${near}? With a blank in front it is sent as a message.`]
  return said(lines, { unknown: line.name, near })
}

/** Runs a command by its name for a client without a screen; null where nothing has this name. Throws FailureError. */
export async function runNamed(context: SlashContext, name: string, rest: string): Promise<Answer<SlashEnd> | null> {
  if (slashCommands.some((one) => one.name === name && one.screen === true))
    return refuse("bad_arguments", phrase`/${name} is for the screen of a conversation.`)
  const work = workOf(context, name, rest)
  if (work !== null) return done(await work())
  const known = context.commands().some((one) => one.name === name)
  return known ? done({ kind: "message", text: `/${name} ${rest}`.trimEnd() }) : null
}

/** What does this command: Gong's own before those of extensions; null where neither has one. */
function workOf(context: SlashContext, name: string, rest: string): (() => Promise<SlashEnd>) | null {
  const own = slashCommands.find((one) => one.name === name.toLowerCase())
  if (own) return async () => own.run(context, rest)
  const { commands } = context.controller.current.resources.extensions
  const other = commands.find((one) => one.name === name)
  return other ? () => runExtension(other, rest, context.person) : null
}
