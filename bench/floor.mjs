// The lower bound for this work: the same requests and tools without a session, limits or safety.
// FLOOR_URL=http://127.0.0.1:PORT/v1 FLOOR_SESSION=FILE [FLOOR_CACHE=1] node bench/floor.mjs [-c] PROMPT
// FLOOR_CACHE: the body is one growing buffer, so that a message is serialised once and not once a turn.
import { spawn } from "node:child_process"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
const http = process.getBuiltinModule("node:http") // an import would load undici too: 35 to 55 ms

const { FLOOR_URL: url, FLOOR_SESSION: session, FLOOR_CACHE: cached } = process.env
const [cont, ...words] = process.argv[2] === "-c" ? process.argv.slice(2) : [null, ...process.argv.slice(2)]
const tools = ["read path", "bash command", "edit path edits", "write path content"].map((line) => {
  const [name, ...parameters] = line.split(" ")
  const properties = Object.fromEntries(parameters.map((key) => [key, { type: key === "edits" ? "array" : "string" }]))
  return { type: "function", function: { name, parameters: { type: "object", properties, required: parameters } } }
})
const run = {
  read: ({ path }) => readFile(path, "utf8"),
  write: ({ path, content }) => writeFile(path, content).then(() => "ok"),
  async edit({ path, edits }) {
    const before = await readFile(path, "utf8")
    const after = edits.reduce((text, { oldText, newText }) => text.replace(oldText, () => newText), before)
    await writeFile(path, after)
    return "ok"
  },
  bash: ({ command }) =>
    new Promise((resolve) => {
      const child = spawn("/bin/bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data))
      child.on("close", (code) => resolve(`${output}[exit ${code}]`))
    }),
}

const head = `{"model":"mock","stream":true,"tools":${JSON.stringify(tools)},"messages":[`
const messages = cont && existsSync(session) ? readFileSync(session, "utf8").trimEnd().split("\n") : []
let body = Buffer.allocUnsafe(1 << 16)
let used = 0
const grow = (text) => {
  if (body.length - used < text.length * 3) body = Buffer.concat([body.subarray(0, used)], (used + text.length * 3) * 2)
  used += body.write(text, used)
}
const objects = cached ? [] : messages.map((line) => JSON.parse(line))
if (cached) grow(head + messages.join(","))
let count = messages.length
function add(message) {
  const line = JSON.stringify(message)
  if (cached) grow(count++ === 0 ? line : `,${line}`)
  else objects.push(message)
  appendFileSync(session, `${line}\n`)
}

const agent = new http.Agent({ keepAlive: true, noDelay: true })
function ask() {
  const bytes = cached
    ? [body.subarray(0, used), "]}"]
    : [JSON.stringify({ model: "mock", stream: true, tools, messages: objects })]
  const length = bytes.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const headers = { "content-type": "application/json", "content-length": length }
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/chat/completions`, { agent, method: "POST", headers }, (response) => {
      const text = []
      const calls = []
      let rest = ""
      response.setEncoding("utf8").on("data", (data) => {
        const lines = (rest + data).split("\n\n")
        rest = lines.pop()
        for (const line of lines)
          if (line !== "data: [DONE]") take(JSON.parse(line.slice(6)).choices[0]?.delta, text, calls)
      })
      response.on("end", () => resolve(messageOf(text, calls)))
    })
    request.on("error", reject)
    for (const part of bytes) request.write(part)
    request.end()
  })
}
function take(delta, text, calls) {
  if (delta?.content) text.push(delta.content)
  if (delta?.content) process.stdout.write(delta.content)
  for (const { index, id, function: part } of delta?.tool_calls ?? [])
    (calls[index] ??= { id, name: part.name, args: [] }).args.push(part.arguments)
}
function messageOf(text, calls) {
  const made = calls.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: args.join("") },
  }))
  return { role: "assistant", content: text.join(""), ...(made.length > 0 ? { tool_calls: made } : {}) }
}

if (count + objects.length === 0) add({ role: "system", content: "You are a coding agent." })
add({ role: "user", content: words.join(" ") })
for (;;) {
  const message = await ask()
  add(message)
  if (!message.tool_calls) break
  for (const { id, function: call } of message.tool_calls)
    add({ role: "tool", tool_call_id: id, content: await run[call.name](JSON.parse(call.arguments)) })
}
agent.destroy()
