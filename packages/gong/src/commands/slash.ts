import type { Options } from "../config/flags.ts"
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
  await desk.app.library.look()
  const at: At = {
    get session() {
      return desk.app.session
    },
    get info() {
      return desk.app.info
    },
    asking,
    app: operations(world, options, desk),
    commands: () => listCommands(commandsIn(desk.app.library)),
  }
  return runSlash(at, text)
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
