import { failure, FailureError, failureOf, messageOf, phrase } from "@gong/spec"
import type { App } from "../build.ts"
import type { RemoteCommand, SessionExtensions } from "../build/extensions.ts"
import type { Options } from "../config/flags.ts"
import type { Question } from "../extensions/protocol.ts"
import type { Library } from "../skills/load-library.ts"
import type { Asking, At, OtherCommand, SlashEnd } from "../slash/command.ts"
import { listCommands } from "../slash/registry.ts"
import { runSlash } from "../slash/run.ts"
import type { World } from "../world.ts"
import type { Desk } from "./slash/desk.ts"
import { operations } from "./slash/operations.ts"

/** Runs what was typed in the conversation at this desk, if it is a command; gives the message that it is otherwise. */
export async function slash(
  world: World,
  options: Options,
  desk: Desk,
  text: string,
  asking: Asking,
): Promise<SlashEnd> {
  // What was written a moment ago can be called.
  await desk.app.resources.library.look()
  const at: At = {
    t: world.t,
    get session() {
      return desk.app.session
    },
    get info() {
      return desk.app.info
    },
    asking,
    app: operations(world, options, desk),
    commands: () => listCommands(othersOf(desk.app)),
    extension: (name, rest) => runExtension(desk.app, name, rest, asking),
  }
  return runSlash(at, text)
}

/** What is not Gong's own and can be typed as `/name`, each name once, those of extensions first. */
export function othersOf({ resources: { library, extensions } }: App): readonly OtherCommand[] {
  const listed = listCommands([...ofExtensions(extensions), ...commandsIn(library)])
  return listed.flatMap(({ source, ...one }) => (source === "builtin" ? [] : [{ ...one, source }]))
}

function ofExtensions({ commands }: SessionExtensions): readonly OtherCommand[] {
  return commands.map(({ run: _, ...command }) => ({ ...command, source: "extension" as const }))
}

function runExtension(app: App, name: string, rest: string, asking: Asking): Promise<SlashEnd> | null {
  const command = app.resources.extensions.commands.find((one) => one.name === name)
  return command === undefined ? null : answered(command, rest, asking)
}

async function answered(command: RemoteCommand, rest: string, asking: Asking): Promise<SlashEnd> {
  const { commandEnd } = await import("../build/extension-commands.ts")
  try {
    const { lines, prompt } = commandEnd(await command.run(rest, { ask: askedOf(asking) }))
    return prompt === null ? { kind: "said", lines, data: { lines } } : { kind: "message", text: prompt }
  } catch (error) {
    throw new FailureError(failure("bad-request", phrase`/${command.name}: ${messageOf(failureOf(error))}`))
  }
}

/** What a command asks, the person at this surface answers; what it asks wrongly is answered with nothing. */
function askedOf(asking: Asking) {
  return async (question: Question, [text, rows]: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== "string") return null
    if (question === "confirm") return asking.confirm(text)
    if (question === "line") return asking.line(text)
    return Array.isArray(rows) && rows.length > 0 ? asking.choose(text, rows.map(String)) : null
  }
}

/** What the user's and the folder's files put behind a slash. */
function commandsIn({ templates, skills }: Library): readonly OtherCommand[] {
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
