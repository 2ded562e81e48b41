import { failureOf, maxWrappedDepth, parseJson, type Tool, type ToolSpec } from "@gong/spec"
import { type Fold, lastIndexWhere, type ReadonlyTape, type Tape } from "@gong/tape"

/** The beginning of every request. Always the same bytes, so that the provider's cache hits (engine D12). */
export interface BuiltPrompt {
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Milliseconds since the epoch; the text contains the date. */
  readonly builtAt: number
}

export interface PromptSource {
  /** The system prompt for these tools; `builtAt` in milliseconds since the epoch. */
  build(tools: readonly Tool[], builtAt: number): string
}

/** The prompt of a session, from run to run. */
export interface PromptState {
  /** As it was built last, before hooks changed it; null before the first run. */
  readonly built: BuiltPrompt | null
  build(tools: readonly Tool[], now: number): Promise<BuiltPrompt>
  /** Writes the prompt that is sent to the tape, unless the tape has it already. */
  store(sent: BuiltPrompt): Promise<void>
}

/** `last`: the prompt that the tape has. */
export function promptState(tape: Tape, source: PromptSource, last: BuiltPrompt | null): PromptState {
  let built = last
  let stored = last
  return {
    get built() {
      return built
    },
    async build(tools, now) {
      built = await promptFor(source, tools, now, built)
      return built
    },
    async store(sent) {
      if (!samePrompt(sent, stored) && (await storePrompt(tape, sent))) stored = sent
    },
  }
}

const day = 86_400_000

/**
 * The prompt of a session: built once, and again when its tools change. A resumed session keeps its text when only the time of
 * day would differ.
 */
export async function promptFor(
  source: PromptSource,
  tools: readonly Tool[],
  now: number,
  last: BuiltPrompt | null,
): Promise<BuiltPrompt> {
  const specs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  if (last && Math.floor(last.builtAt / day) === Math.floor(now / day)) {
    const again: BuiltPrompt = { system: source.build(tools, last.builtAt), tools: specs, builtAt: last.builtAt }
    if (samePrompt(again, last)) return last
  }
  return { system: source.build(tools, now), tools: specs, builtAt: now }
}

export function samePrompt(a: BuiltPrompt, b: BuiltPrompt | null): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The last prompt on this branch of the tape; null when there is none or its file cannot be read. */
export async function loadPrompt(tape: ReadonlyTape): Promise<BuiltPrompt | null> {
  const artifact = tape.follow(lastPrompt).value
  const bytes = artifact === null ? null : await tape.store.artifacts.get(artifact)
  return bytes && parsed(bytes)
}

/** A prompt is not synced: after a power cut its file may be incomplete. Then the prompt is built again. */
function parsed(bytes: Uint8Array): BuiltPrompt | null {
  return (parseJson(new TextDecoder().decode(bytes), maxWrappedDepth) ?? null) as BuiltPrompt | null
}

const lastPrompt: Fold<string | null> = {
  initial: () => null,
  step: (artifact, entry) => (entry.type === "prompt" ? entry.artifact : artifact),
  needs: (branch) => {
    const place = lastIndexWhere(branch, (head) => head.type === "prompt")
    return place < 0 ? [] : [place]
  },
}

/** False when the disk fails: a run that only reads continues anyway. */
export async function storePrompt(tape: Tape, prompt: BuiltPrompt): Promise<boolean> {
  try {
    const artifact = await tape.store.artifacts.put(new TextEncoder().encode(JSON.stringify(prompt)))
    tape.append([{ type: "prompt", artifact }], { sync: false })
    return true
  } catch (error) {
    if (failureOf(error).kind === "storage") return false
    throw error
  }
}
