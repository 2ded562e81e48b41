import { phrase } from "@gong/spec"
import type { SlashResult } from "../../slash/result.ts"
import { type Answer, done, refusalFor, refuse } from "../answer.ts"
import { begin } from "./begin.ts"
import { busy } from "./busy.ts"
import { type CommandName, commands } from "../commands.ts"
import type { ControllerState } from "../api.ts"
import type { CommandData } from "../data.ts"
import type { HandlersOf } from "./handler.ts"

/** Slash commands for a client without a prompt of its own. */
export const slash: HandlersOf<"get_commands" | "command" | "complete"> = {
  async get_commands(state, _, answer) {
    const { othersIn } = await import("../slash-commands.ts")
    const names = Object.keys(commands) as CommandName[]
    answer(done({ commands: names.map((name) => ({ name, ...commands[name] })), slash: await othersIn(state) }))
  },
  command(state, { name, arguments: rest = "" }, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    if (state.slash !== null)
      return answer(refuse("busy", phrase`A slash command is running.`, phrase`answer its ui_request, or abort it`))
    const stop = new AbortController()
    state.slash = stop
    return state.inBackground(async () => {
      try {
        const result = await run(state, name.replace(/^\//, ""), rest.trim(), stop.signal)
        if (result.ok && result.data.kind === "message") await send(state, result.data.text, answer)
        else answer(result.ok ? done(dataOf(result.data)) : result)
      } finally {
        state.slash = null
      }
    })
  },
  async complete(state, { name, arguments: typed }, answer) {
    const { completionsIn } = await import("../slash-commands.ts")
    answer(done({ completions: await completionsIn(state, name.replace(/^\//, ""), typed) }))
  },
}

async function run(
  state: ControllerState,
  name: string,
  rest: string,
  signal: AbortSignal,
): Promise<Answer<SlashResult>> {
  try {
    const { runNamedIn } = await import("../slash-commands.ts")
    const result = await runNamedIn(state, { name, rest, signal })
    return result ?? refuse("not_found", phrase`There is no /${name}.`, phrase`complete lists all commands`)
  } catch (error) {
    return refusalFor(error)
  }
}

function dataOf(result: SlashResult): CommandData {
  const { lines, data } = result.kind === "output" ? result : { lines: [], data: {} }
  return { lines, data, run: null }
}

/** Starts a run with the message of a template, a skill or a command of an extension. */
function send(state: ControllerState, text: string, answer: (answer: Answer<CommandData>) => void): Promise<void> {
  return begin(state, { text, images: [], seen: [] }, (started) => {
    answer(started.ok ? done({ lines: [], data: {}, run: started.data.run }) : started)
  })
}
