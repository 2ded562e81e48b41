import { noUsage, type Usage } from "@gong/spec"

/** Token counts from a server; 0 for missing ones. */
export interface Counts {
  /** Usually includes cache reads and writes. */
  readonly prompt: number
  /** Usually includes reasoning. */
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
  /** Prompt and reply together; null if missing. */
  readonly total: number | null
  /** Whether this provider excludes reasoning from its output; a matching total overrides it. */
  readonly reasoningExcluded: boolean
}

type Prompt = Pick<Usage, "input" | "cacheRead" | "cacheWrite">

/** The usage behind these counts. Servers differ in which counts include which; the total tells the interpretations apart. */
export function usageOf(counts: Counts): Usage {
  const outputs = outputsOf(counts)
  const readings = promptsOf(counts).flatMap((prompt) => outputs.map((output) => ({ ...prompt, output })))
  const fits = readings.find((usage) => sumOf(usage) === counts.total) ?? readings[0] ?? noUsage
  // Gemini's compatible endpoint counts reasoning only in the total; it is billed as output.
  const unnamed = Math.max(0, (counts.total ?? 0) - sumOf(fits))
  const output = fits.output + unnamed
  const { input, cacheRead, cacheWrite } = fits
  return { input, output, cacheRead, cacheWrite, reasoning: Math.min(output, Math.max(counts.reasoning, unnamed)) }
}

function sumOf({ input, cacheRead, cacheWrite, output }: Omit<Usage, "reasoning">): number {
  return input + cacheRead + cacheWrite + output
}

/** Possible interpretations, most likely first. */
function promptsOf({ prompt, cacheRead, cacheWrite }: Counts): readonly Prompt[] {
  const written = Math.min(prompt, cacheWrite)
  const readings = [
    { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite },
    // Cache writes count as cached too.
    { input: prompt - cacheRead, cacheRead: cacheRead - cacheWrite, cacheWrite },
    // Anthropic's counts, passed through by a gateway.
    { input: prompt, cacheRead, cacheWrite },
    { input: prompt - cacheRead, cacheRead, cacheWrite },
    // Grok on Azure counts a cached preamble of its own, which is not part of the prompt.
    { input: 0, cacheRead: prompt - written, cacheWrite: written },
  ]
  return readings.filter((reading) => reading.input >= 0 && reading.cacheRead >= 0)
}

function outputsOf({ output, reasoning, reasoningExcluded }: Counts): readonly [number, number] {
  return reasoningExcluded || reasoning > output ? [output + reasoning, output] : [output, output + reasoning]
}
