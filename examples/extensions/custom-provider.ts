// Brings the models of a server that speaks a protocol of its own, here: a POST to /say with all that the model is to know, and
// one JSON object per line as the reply: {"think": ...}, {"say": ...}, {"call": {"id", "name", "with"}}, {"done": {"in", "out"}}.
// Where the server is and what it serves come from the settings; its key from HOUSE_KEY, or from `gong login house`:
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
    // A key that was kept for this address goes nowhere else.
    baseUrl: url,
    keys: ["HOUSE_KEY"],
    models,
    async *stream(request, { key, signal }) {
      const headers = { "content-type": "application/json", "x-house-key": key ?? "" }
      const reply = await fetch(`${url}/say`, { method: "POST", headers, body: bodyOf(request), signal })
      // The status says what kind of failure it is, and whether it is tried again.
      if (!reply.ok || reply.body === null)
        return yield { type: "failure", status: reply.status, message: (await reply.text()).slice(0, 300) }
      for await (const line of linesOf(reply.body)) yield* piecesOf(JSON.parse(line) as Line)
    },
  })
}

function bodyOf({ model, system, tools, messages, maxOutput }: ModelRequest): string {
  return JSON.stringify({ model, rules: system, tools, talk: messages, most: maxOutput })
}

/** A reply that ends without `stop` was cut on the way: it is asked for again. */
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
