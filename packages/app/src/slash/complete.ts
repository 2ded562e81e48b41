import type { Completion, SlashContext } from "./command.ts"
import { aliasedCommand, ownCommand } from "./registry.ts"

/** Completions of one answer; more input shortens the list. */
const maxCompletions = 200

/**
 * Names of commands that contain `name`; with `typed`, arguments of the command `name` that contain `typed`. Those that begin
 * with it come first.
 */
export async function completionsOf(
  context: SlashContext,
  name: string,
  typed?: string,
): Promise<readonly Completion[]> {
  const all = typed === undefined ? namesIn(context) : await argumentsOf(context, name, typed)
  const part = (typed ?? name).toLowerCase()
  const found = all.filter(({ value }) => value.toLowerCase().includes(part))
  const begins = ({ value }: Completion) => value.toLowerCase().startsWith(part)
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, maxCompletions)
}

function namesIn({ t, commands }: SlashContext): readonly Completion[] {
  return commands().map((one) => ({ value: one.name, about: t(one.about) }))
}

async function argumentsOf(context: SlashContext, name: string, typed: string): Promise<readonly Completion[]> {
  const command = ownCommand(name) ?? aliasedCommand(name)
  return (await command?.complete?.(context, typed)) ?? []
}
