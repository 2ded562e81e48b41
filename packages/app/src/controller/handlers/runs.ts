import { publicFailure, phrase, textNotification } from "@gong/spec"
import { readClientInput } from "../../compose/input/client-input.ts"
import { unseenImages } from "../unseen-images.ts"
import { type Answer, answerOf, done, refusalFor, refuse } from "../answer.ts"
import { begin } from "./begin.ts"
import { busy } from "./busy.ts"
import type { ArgsOf } from "../commands.ts"
import type { ControllerState } from "../api.ts"
import type { BashData, CompactData } from "../data.ts"
import type { HandlersOf } from "./handler.ts"
import type { PromptInput } from "../prompt-input.ts"

/** Commands that start a run, send messages to it, or stop it. */
export const runs: HandlersOf<
  "prompt" | "steer" | "follow_up" | "abort" | "bash" | "compact" | "clear_queue" | "remove_queued"
> = {
  async prompt(state, args, answer) {
    // A prompt during a compaction is accepted, and answered after it (conflict C-51).
    const refused = state.working === "compaction" && state.run === null ? null : busy(state)
    if (refused) return answer(refused)
    const input = await inputOf(state, args)
    return input.ok ? begin(state, input.data, answer) : answer(input)
  },
  async steer(state, { when, ...args }, answer) {
    const input = await inputOf(state, args)
    if (!input.ok) return answer(input)
    const { session } = state.current
    const id = await session.steer(input.data.text, { ...input.data, ...(when === undefined ? {} : { when }) })
    return answer(done({ id }))
  },
  async follow_up(state, args, answer) {
    const input = await inputOf(state, args)
    if (!input.ok) return answer(input)
    return answer(done({ id: await state.current.session.followUp(input.data.text, input.data) }))
  },
  abort({ current, run, working, slash }, _, answer) {
    slash?.abort()
    current.session.abort()
    answer(done({ stopped: run !== null || working !== null || slash !== null }))
  },
  compact(state, { focus }, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    state.working = "compaction"
    return state.inBackground(async () => {
      answer(await compaction(state, focus))
      state.working = null
    })
  },
  bash(state, args, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    state.working = "bash"
    return state.inBackground(async () => {
      answer(await command(state, args))
      state.working = null
    })
  },
  async clear_queue({ current }, _, answer) {
    answer(done({ removed: await current.session.dequeue(null) }))
  },
  async remove_queued({ current }, { target }, answer) {
    if (target === undefined) return answer(refuse("bad_arguments", phrase`Say which message: its id, or target.`))
    const removed = await current.session.dequeue(target)
    if (removed.length > 0) return answer(done({ removed }))
    return answer(refuse("not_found", phrase`No message ${target} waits.`, phrase`get_state lists those that do`))
  },
}

/** The message with its mentioned files and resized images. */
export async function inputOf(
  { services, spec, current: { session, info, host } }: ControllerState,
  args: Pick<ArgsOf<"prompt">, "text" | "images" | "mentions">,
): Promise<Answer<PromptInput>> {
  const read = await readClientInput({ services, spec, host, cwd: info.cwd }, args)
  if (!read.ok) return answerOf(read)
  for (const line of unseenImages(services.t, session.selection.provider.model, read.value))
    session.notify({ code: "model-choice", level: "warn", text: line.replace(/^gong: /, "") })
  for (const note of read.value.notes ?? []) session.notify(textNotification("context-file", "warn", note))
  return done(read.value)
}

async function compaction({ current }: ControllerState, focus: string | undefined): Promise<Answer<CompactData>> {
  try {
    const { failure, ...end } = await current.session.compact(focus)
    return done({ ...end, ...(failure ? { failure: publicFailure(failure) } : {}) })
  } catch (error) {
    return refusalFor(error)
  }
}

async function command(
  { current, services: { clock } }: ControllerState,
  args: ArgsOf<"bash">,
): Promise<Answer<BashData>> {
  const startedAt = clock.now()
  try {
    const { callId, status, output, details, entry } = await current.session.command(args)
    const code = details?.["exit_code"]
    const exitCode = typeof code === "number" ? code : null
    const durationMs = clock.now() - startedAt
    return done({ toolCallId: callId, status, exitCode, output, details, durationMs, entry })
  } catch (error) {
    return refusalFor(error)
  }
}
