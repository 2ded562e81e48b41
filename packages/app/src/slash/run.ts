import { FailureError, nearestNames, phrase } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"
import { lineWithoutSlash, type ShellLine, shellLine, slashLine } from "../slash-line.ts"
import { type Answer, done, refuse } from "../controller/answer.ts"
import { errorOutput, output, type SlashContext, type SlashResult } from "./command.ts"
import { runExtension } from "./other-commands.ts"
import { aliasedCommand, ownCommand } from "./registry.ts"

/**
 * Runs a typed line if it is a command of Gong, of an extension or of the shell; otherwise it is a message. Names of templates
 * and skills are messages that are expanded later. A name alone that nothing has, and a misspelled one, are reported; other
 * unknown names begin a message.
 */
export async function runTyped(context: SlashContext, text: string): Promise<SlashResult> {
  const shell = shellLine(text)
  if (shell !== null) return runShell(context, shell)
  const line = lineWithoutSlash(text) ?? slashLine(text)
  if (line === null) return { kind: "message", text }
  const { t, controller, commands } = context
  // Finds templates and skills that were just written.
  await controller.current.resources.library.scan()
  const names = commands().map(({ name }) => name)
  try {
    const work = runnerOf(context, line.name, line.rest)
    if (work !== null) return await work()
    if (names.includes(line.name)) return { kind: "message", text: `/${line.name}${text.slice(1 + line.name.length)}` }
    const alias = aliasedCommand(line.name)
    if (alias !== undefined) return await alias.run(context, line.rest)
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return output([`gong: ${t(error.failure)}`], { failure: error.failure.kind })
  }
  const near = nearestNames(line.name, names, suggestions)
  return near.length === 0 && line.rest !== "" ? { kind: "message", text } : unknownName(t, line.name, near)
}

/** Names suggested for a misspelled one. */
const suggestions = 3

function unknownName(t: Translate, name: string, near: readonly string[]): SlashResult {
  const list = near.map((one) => `/${one}`).join(", ")
  const hint = near.length === 0 ? t`/help lists all commands.` : t`Did you mean ${list}?`
  return output([t`There is no /${name}. ${hint} A blank in front sends it as a message.`], { unknown: name, near })
}

async function runShell(
  { t, controller }: SlashContext,
  { command, private: isPrivate }: ShellLine,
): Promise<SlashResult> {
  if (command === "") return output([t`Type a command after it: !npm test. With !! the model does not see it.`])
  const ran = await controller.call("bash", { command, ...(isPrivate && { private: true as const }) })
  return ran.ok ? output(ran.data.output.replace(/\n$/, "").split("\n"), ran.data) : errorOutput(t, ran)
}

/** Runs a command by its name for a client without a screen; null for an unknown name. Throws FailureError. */
export async function runNamed(context: SlashContext, name: string, rest: string): Promise<Answer<SlashResult> | null> {
  if (ownCommand(name)?.screen === true)
    return refuse("bad_arguments", phrase`/${name} works only in a conversation at a terminal.`)
  const work = runnerOf(context, name, rest)
  if (work !== null) return done(await work())
  const known = context.commands().some((one) => one.name === name)
  if (known) return done({ kind: "message", text: `/${name} ${rest}`.trimEnd() })
  const alias = aliasedCommand(name)
  return alias === undefined ? null : runNamed(context, alias.name, rest)
}

/** Gong's own commands have precedence over those of extensions; null for an unknown name. */
function runnerOf(context: SlashContext, name: string, rest: string): (() => Promise<SlashResult>) | null {
  const own = ownCommand(name)
  if (own) return async () => own.run(context, rest)
  const { resources, mcp } = context.controller.current
  const other = [...resources.extensions.commands, ...mcp.commands()].find((one) => one.name === name)
  return other ? () => runExtension(other, rest, context.user) : null
}
