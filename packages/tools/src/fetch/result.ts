import type { ToolContext, ToolResult, Transport } from "@gong/spec"
import { readImage } from "../files/read-image.ts"
import { checkAborted, failed, Refusal, toolResult } from "../result.ts"
import { withNotifications } from "../tool.ts"
import { cutNotice, shownPart } from "../parts/shown.ts"
import { cutOf, formatSize } from "../truncate.ts"
import { checkedUrl, type RedirectedElsewhere, fetchMaxBytes, type FetchedPage, get } from "./get.ts"
import { contentType, type Page, pageOf } from "./page.ts"
import type { FetchDetails, FetchOptions } from "./ports.ts"

/** The tool result of one address. Throws a Refusal. */
export async function fetchPage(
  ports: FetchOptions,
  typed: string,
  context: ToolContext,
): Promise<ToolResult<FetchDetails>> {
  const { signal } = context
  const refusal = ports.refusal?.() ?? null
  if (refusal !== null) throw new Refusal(refusal, "refused")
  const address = checkedUrl(typed)
  const got = await withNetwork(ports, (transport) => get({ ...ports, transport }, address, signal))
  checkAborted(signal)
  if ("elsewhere" in got) return redirected(got, address)
  const page = await pageOf(got, ports.clock, signal)
  if (got.status >= 400) return refusedBy(got, page)
  if (page.kind === "binary")
    throw new Refusal(
      `${got.url.href} is a binary file (${page.type || "unknown type"}, ${sizeOf(got)}). It is not shown; download it with bash if it is needed.`,
    )
  return page.kind === "image" ? imageResult(ports, got, page.mimeType, signal) : textResult(ports, got, page, context)
}

async function withNetwork<T>({ network }: FetchOptions, work: (transport: Transport) => Promise<T>): Promise<T> {
  const transport = await network()
  try {
    return await work(transport)
  } finally {
    transport.close()
  }
}

function redirected({ status, url, elsewhere }: RedirectedElsewhere, address: URL): ToolResult<FetchDetails> {
  const text = `${address.href} redirects to another place (${status}): ${elsewhere.href}\nNothing was fetched from there. Fetch that address if it is what you want.`
  return toolResult(text, {
    url: url.href,
    status,
    content_type: "",
    size: 0,
    truncated: false,
    redirect: elsewhere.href,
  })
}

/** Maximum characters of an error response. */
const maxErrorText = 1000

function refusedBy(got: FetchedPage, page: Page): ToolResult<FetchDetails> {
  const body = page.kind === "text" ? page.text.trim().slice(0, maxErrorText) : ""
  const text = `${got.url.href} answered ${got.status}.${body === "" ? "" : `\n\n${body}`}`
  return { ...failed(text), details: detailsOf(got) }
}

async function imageResult(
  ports: FetchOptions,
  got: FetchedPage,
  mimeType: string,
  signal: AbortSignal,
): Promise<ToolResult<FetchDetails>> {
  if (got.cut) throw new Refusal(`${got.url.href} is not shown: the image has more than ${formatSize(fetchMaxBytes)}.`)
  const { bytes } = got
  const source = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) }
  return toolResult(await readImage(source, mimeType, got.url.href, ports, signal), detailsOf(got))
}

async function textResult(
  ports: FetchOptions,
  got: FetchedPage,
  page: Extract<Page, { kind: "text" }>,
  { artifacts }: ToolContext,
): Promise<ToolResult<FetchDetails>> {
  const shown = shownPart(page.text, ports)
  const artifact = shown.truncated ? await artifacts?.put(new TextEncoder().encode(page.text)) : undefined
  const form = page.form === "markdown" ? "as Markdown" : "as it is"
  const head = `[${got.url.href}, ${contentType(got) || "no type"}, ${sizeOf(got)}, ${form}. What follows is the page's text, and no word of the user's.]`
  const notices = [
    ...(shown.truncated ? [cutNotice(shown, artifact)] : []),
    ...(got.cut ? [`The answer was longer than ${formatSize(fetchMaxBytes)}; what came after is not here`] : []),
    ...(page.text.trim() === "" ? ["The page holds no text"] : []),
  ]
  return toolResult(withNotifications(`${head}\n\n${shown.content}`, notices), {
    ...detailsOf(got),
    truncated: shown.truncated,
    ...(shown.truncated && { truncation: cutOf(shown) }),
    ...(artifact !== undefined && { artifact }),
  })
}

function detailsOf(got: FetchedPage): FetchDetails {
  return {
    url: got.url.href,
    status: got.status,
    content_type: contentType(got),
    size: got.bytes.length,
    truncated: false,
  }
}

function sizeOf({ bytes, cut }: FetchedPage): string {
  return `${cut ? "more than " : ""}${formatSize(bytes.length)}`
}
