/** A thousand replies that stream at the same time into one process: `node bench/streams.ts [COUNT]`. The server is in the same process. */
import { openaiCompletions } from "../packages/llm/src/openai-completions/provider.ts"
import { createTransport } from "../packages/llm/src/transport/transport.ts"
import type { Clock, Model } from "../packages/spec/src/index.ts"
import { startConcurrentStreams } from "../testing/src/concurrent-streams.ts"

const count = Number(process.argv[2] ?? 1000)
const deltas = 200
const clock: Clock = { now: Date.now, sleep: async () => {}, timer: () => () => {} }
const chunk = (delta: object, end: string | null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`
const text = chunk({ content: "ten bytes." }, null).repeat(deltas) + chunk({}, "stop") + "data: [DONE]\n\n"

const server = await startConcurrentStreams(count, () => text, 1024)
const transport = createTransport()
const model: Model = {
  provider: "bench",
  id: "m",
  api: "openai-completions",
  baseUrl: `${server.url}/v1`,
  contextWindow: 1_000_000,
  maxOutput: 8000,
  reasoning: false,
  images: true,
}
const { signal } = new AbortController()
const began = performance.now()
const before = process.cpuUsage()
const failures = (await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))).filter(Boolean)
const { user, system } = process.cpuUsage(before)
const ms = performance.now() - began
const each = (user + system) / (count * deltas)
const size = process.memoryUsage.rss() / 1e6
console.log(`${count} streams, ${server.open} open at once, ${deltas} deltas each: ${failures.length} failed`)
console.log(`${ms.toFixed(0)} ms, ${each.toFixed(1)} us CPU per delta with the server's share, ${size.toFixed(0)} MB`)
if (failures[0]) console.log(failures[0])
transport.close()
server.close()

async function ask(index: number): Promise<string | null> {
  const provider = openaiCompletions(model, { transport, clock, credential: null })
  const draftId = `d${index}`
  const stream = provider.stream({ system: "", tools: [], messages: [], thinking: "off", draftId, signal })
  for (;;) {
    const step = await stream.next()
    if (!step.done) continue
    if (!step.value.ok) return step.value.failure.message
    const [first] = step.value.message.content
    return first?.type === "text" && first.text.length === 10 * deltas ? null : "the reply is not whole"
  }
}
