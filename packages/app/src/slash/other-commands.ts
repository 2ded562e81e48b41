import { failure, FailureError, failureOf, messageOf, phrase } from "@gong/spec"
import type { OpenedSession } from "../compose/open-session.ts"
import type { RemoteCommand } from "../compose/extensions/extension-parts.ts"
import type { Question } from "@gong/extensions/protocol"
import type { Library } from "@gong/resources/skills/load-library"
import type { ListedCommand, OtherCommand, Person, SlashResult } from "./command.ts"
import { listCommands } from "./registry.ts"

/** All commands of this session, each name once, in order of precedence. */
export function commandsOf({ resources: { library, extensions }, mcp }: OpenedSession): readonly ListedCommand[] {
  return listCommands([...remoteCommands([...extensions.commands, ...mcp.commands()]), ...libraryCommands(library)])
}

function remoteCommands(commands: readonly RemoteCommand[]): readonly OtherCommand[] {
  return commands.map(({ run: _, ...command }) => ({ ...command, source: "extension" as const }))
}

function libraryCommands({ templates, skills }: Library): readonly OtherCommand[] {
  return [
    ...templates.map(({ name, description, argumentHint }) => ({
      name,
      about: description,
      ...(argumentHint === "" ? {} : { value: argumentHint }),
      source: "prompt" as const,
    })),
    ...skills.map(({ name, description }) => ({ name: `skill:${name}`, about: description, source: "skill" as const })),
  ]
}

/** Runs the command of an extension. Throws FailureError. */
export async function runExtension(command: RemoteCommand, rest: string, person: Person): Promise<SlashResult> {
  const { commandResult } = await import("../compose/extensions/extension-commands.ts")
  try {
    const { lines, prompt } = commandResult(await command.run(rest, { ask: askUser(person) }))
    return prompt === null ? { kind: "output", lines, data: { lines } } : { kind: "message", text: prompt }
  } catch (error) {
    throw new FailureError(failure("bad-request", phrase`/${command.name}: ${messageOf(failureOf(error))}`))
  }
}

/** Passes questions of a command to the user; a malformed question gets no answer. */
function askUser(person: Person) {
  return async (question: Question, [text, rows]: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== "string") return null
    if (question === "confirm") return person.confirm(text)
    if (question === "line") return person.line(text)
    return Array.isArray(rows) && rows.length > 0 ? person.choose(text, rows.map(String)) : null
  }
}
