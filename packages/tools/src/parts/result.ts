import type { ToolContext, ToolResult, UserContent } from "@gong/spec"
import { type ImageOptions, readImage } from "../files/read-image.ts"
import { Refusal } from "../result.ts"
import { cutNotice, shownPart } from "./shown.ts"
import { withNotifications } from "../tool.ts"
import { formatSize } from "../truncate.ts"

/** A part of the result of a program that is not a tool of Gong. `data` is base64. */
export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly data: string }
  | { readonly kind: "bytes"; readonly mimeType: string; readonly data: string; readonly name: string }

/**
 * The parts in the form that a model accepts: text up to the limits of all results with the rest in an artifact, images
 * scaled down, other bytes as artifacts. `head` precedes the text.
 */
export async function partsResult(
  head: string,
  parts: readonly ResultPart[],
  options: ImageOptions,
  { artifacts, signal }: Pick<ToolContext, "artifacts" | "signal">,
): Promise<Pick<ToolResult, "content" | "details">> {
  const texts: string[] = []
  const images: UserContent[] = []
  for (const part of parts) {
    if (part.kind === "text") texts.push(part.text)
    else if (part.kind === "image") images.push(...(await imageOf(part, options, signal)))
    else texts.push(await bytesLine(part, artifacts))
  }
  const whole = texts.join("\n")
  const shown = shownPart(whole, {})
  const artifact = shown.truncated ? await artifacts?.put(new TextEncoder().encode(whole)) : undefined
  const notices = [
    ...(shown.truncated ? [cutNotice(shown, artifact)] : []),
    ...(parts.length === 0 ? ["The result is empty"] : []),
  ]
  const text = withNotifications([head, shown.content].filter(Boolean).join("\n\n"), notices)
  const details = { truncated: shown.truncated, ...(artifact !== undefined && { artifact }) }
  return { content: [{ type: "text", text }, ...images], details }
}

/** A broken image is described in place of it. */
async function imageOf(
  { mimeType, data }: Extract<ResultPart, { kind: "image" }>,
  options: ImageOptions,
  signal: AbortSignal,
): Promise<readonly UserContent[]> {
  const bytes = Buffer.from(data, "base64")
  const source = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) }
  try {
    return await readImage(source, mimeType, "an image", options, signal)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ type: "text", text: error.message }]
  }
}

async function bytesLine(
  { mimeType, data, name }: Extract<ResultPart, { kind: "bytes" }>,
  artifacts: ToolContext["artifacts"],
): Promise<string> {
  const bytes = Buffer.from(data, "base64")
  const artifact = await artifacts?.put(bytes)
  return `[${name}, ${mimeType}, ${formatSize(bytes.length)}${artifact === undefined ? ", not kept" : `: artifact:${artifact}`}]`
}
