// Provides the models of a server with a proprietary protocol, here: a POST to /say with the request, and one JSON object per
// line as the reply: {"think": ...}, {"say": ...}, {"call": {"id", "name", "with"}}, {"done": {"in", "out"}}.
// The server's address and models come from the settings; its key from HOUSE_KEY, or from `gong login house`:
//
//   "extensions": { "custom-provider": { "url": "https://models.house.example", "models": { "large": { "contextWindow": 64000 } } } }
//
// Then: gong -m house/large "..."
import type { ExtensionApi, ExtensionModel, ModelRequest, ReplyPiece } from "gong/extension"

interface Settings {
  readonly url?: string
  readonly models?: Readonly<Record<string, ExtensionModel>>
}

type Line =
  | { readonly think: string }
  | { readonly say: string }
  | { readonly call: { readonly id: string; readonly name: string; readonly with: Readonly<Record<string, unknown>> } }
  | { readonly done: { readonly in: number; readonly out: number } }

export default function (gong: ExtensionApi): void {
  const { url = "http://127.0.0.1:8484", models = { small: {} } } = gong.settings as Settings

  gong.provider({
    name: "house",
    label: "The house's own server",
    // A stored key is sent to this address only.
    baseUrl: url,
    keys: ["HOUSE_KEY"],
    models,
    async *stream(request, { key, signal }) {
      const headers = { "content-type": "application/json", "x-house-key": key ?? "" }
      const reply = await fetch(`${url}/say`, { method: "POST", headers, body: bodyOf(request), signal })
      // The status determines the kind of failure, and whether it is retried.
      if (!reply.ok || reply.body === null)
        return yield { type: "failure", status: reply.status, message: (await reply.text()).slice(0, 300) }
      for await (const line of linesOf(reply.body)) yield* piecesOf(JSON.parse(line) as Line)
    },
  })
}

function bodyOf({ model, system, tools, messages, maxOutput }: ModelRequest): string {
  return JSON.stringify({ model, rules: system, tools, talk: messages, most: maxOutput })
}

/** A reply that ends without `stop` was cut and is retried. */
function* piecesOf(line: Line): Generator<ReplyPiece> {
  if ("think" in line) yield { type: "thinking", text: line.think }
  else if ("say" in line) yield { type: "text", text: line.say }
  else if ("call" in line)
    yield { type: "tool_call", id: line.call.id, name: line.call.name, arguments: line.call.with }
  else {
    yield { type: "usage", input: line.done.in, output: line.done.out }
    yield { type: "stop", reason: "stop" }
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (line !== "") yield line
  }
}
