import { phrase } from "@gong/spec"
import type { SlashEnd } from "../../slash/parts.ts"
import { type Answer, done, refuse, refusedBy } from "../answer.ts"
import { begin } from "./begin.ts"
import { busy } from "./busy.ts"
import { type CommandName, commands } from "../commands.ts"
import type { ControllerState } from "../api.ts"
import type { CommandData } from "../data.ts"
import type { HandlersOf } from "./handler.ts"

/** Slash commands for a client that has no prompt of its own to type them at. */
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
      return answer(refuse("busy", phrase`A slash command works.`, phrase`answer its ui_request, or abort it`))
    const stop = new AbortController()
    state.slash = stop
    return state.inBackground(async () => {
      try {
        const end = await ended(state, name.replace(/^\//, ""), rest.trim(), stop.signal)
        if (end.ok && end.data.kind === "message") await sent(state, end.data.text, answer)
        else answer(end.ok ? done(dataOf(end.data)) : end)
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

async function ended(
  state: ControllerState,
  name: string,
  rest: string,
  signal: AbortSignal,
): Promise<Answer<SlashEnd>> {
  try {
    const { runNamedIn } = await import("../slash-commands.ts")
    const end = await runNamedIn(state, { name, rest, signal })
    return end === null
      ? refuse("not_found", phrase`There is no /${name}.`, phrase`complete lists those that are`)
      : end
  } catch (error) {
    return refusedBy(error)
  }
}

function dataOf(end: SlashEnd): CommandData {
  const { lines, data } = end.kind === "said" ? end : { lines: [], data: {} }
  return { lines, data, run: null }
}

/** What a template, a skill or a command of an extension makes is the message of a run. */
function sent(state: ControllerState, text: string, answer: (answer: Answer<CommandData>) => void): Promise<void> {
  return begin(state, { text, images: [], seen: [] }, (begun) => {
    answer(begun.ok ? done({ lines: [], data: {}, run: begun.data.run }) : begun)
  })
}
