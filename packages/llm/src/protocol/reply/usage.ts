import { noUsage, type Usage } from "@gong/spec"

/** Counts of tokens as a server gives them; 0 where it gives none. */
export interface Counts {
  /** Usually with what was read from the cache and written to it. */
  readonly prompt: number
  /** Usually with reasoning. */
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
  /** Of prompt and reply together; null where it is not given. */
  readonly total: number | null
  /** This provider leaves reasoning out of its output; a total that fits outranks it. */
  readonly reasoningApart: boolean
}

type Prompt = Pick<Usage, "input" | "cacheRead" | "cacheWrite">

/** The usage that these counts stand for: servers differ in what includes what, and the total tells the readings apart. */
export function usageOf(counts: Counts): Usage {
  const outputs = outputsOf(counts)
  const readings = promptsOf(counts).flatMap((prompt) => outputs.map((output) => ({ ...prompt, output })))
  const fits = readings.find((usage) => sumOf(usage) === counts.total) ?? readings[0] ?? noUsage
  // Gemini's compatible endpoint counts its reasoning in the total alone; it is paid for as output.
  const unnamed = Math.max(0, (counts.total ?? 0) - sumOf(fits))
  const output = fits.output + unnamed
  const { input, cacheRead, cacheWrite } = fits
  return { input, output, cacheRead, cacheWrite, reasoning: Math.min(output, Math.max(counts.reasoning, unnamed)) }
}

function sumOf({ input, cacheRead, cacheWrite, output }: Omit<Usage, "reasoning">): number {
  return input + cacheRead + cacheWrite + output
}

/** The likeliest first. */
function promptsOf({ prompt, cacheRead, cacheWrite }: Counts): readonly Prompt[] {
  const written = Math.min(prompt, cacheWrite)
  const readings = [
    { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite },
    // What is written counts as cached too.
    { input: prompt - cacheRead, cacheRead: cacheRead - cacheWrite, cacheWrite },
    // As Anthropic counts, behind a gateway that keeps its counts.
    { input: prompt, cacheRead, cacheWrite },
    { input: prompt - cacheRead, cacheRead, cacheWrite },
    // Grok on Azure counts a cached preamble of its own, which is no part of the prompt.
    { input: 0, cacheRead: prompt - written, cacheWrite: written },
  ]
  return readings.filter((reading) => reading.input >= 0 && reading.cacheRead >= 0)
}

function outputsOf({ output, reasoning, reasoningApart }: Counts): readonly [number, number] {
  return reasoningApart || reasoning > output ? [output + reasoning, output] : [output, output + reasoning]
}
