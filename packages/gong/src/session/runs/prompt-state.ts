import { failureOf, maxWrappedDepth, parseJson, type Tool, type ToolSpec } from "@gong/spec"
import { type Fold, lastPlace, type ReadonlyTape, type Tape } from "@gong/tape"

/** What every request begins with. The same bytes each time, so that the provider's cache hits (engine D12). */
export interface BuiltPrompt {
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Milliseconds since the epoch: the date that stands in the text. */
  readonly builtAt: number
}

export interface PromptSource {
  /** The text for these tools as of a moment. */
  build(tools: readonly Tool[], builtAt: number): string
}

const day = 86_400_000

/**
 * The prompt of a session: built once, and again when its tools change. A resumed session keeps the text it had when
 * nothing but the time of day would differ.
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

/** The prompt that this branch of the tape was last sent with; null when there is none to be read. */
export async function loadPrompt(tape: ReadonlyTape): Promise<BuiltPrompt | null> {
  const artifact = tape.follow(lastPrompt).value
  const bytes = artifact === null ? null : await tape.store.artifacts.get(artifact)
  return bytes && parsed(bytes)
}

/** A prompt is not synced: after a power cut its file may hold less than was written. It is built again then. */
function parsed(bytes: Uint8Array): BuiltPrompt | null {
  return (parseJson(new TextDecoder().decode(bytes), maxWrappedDepth) ?? null) as BuiltPrompt | null
}

const lastPrompt: Fold<string | null> = {
  initial: () => null,
  step: (artifact, entry) => (entry.type === "prompt" ? entry.artifact : artifact),
  needs: (branch) => {
    const place = lastPlace(branch, (head) => head.type === "prompt")
    return place < 0 ? [] : [place]
  },
}

/** False when the disk does not take it: a run that only reads goes on all the same. */
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
