// A client of `gong rpc` in TypeScript: node client.ts "what does this repository do?"
// Prints the answer while it streams, asks for permission, and exits with the status of the run.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline/promises"

interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

const gong = spawn("gong", ["rpc"], { stdio: ["pipe", "pipe", "inherit"] })
const person = createInterface({ input: process.stdin })
const answers = person[Symbol.asyncIterator]()
const waiting = new Map<number, (response: Line) => void>()
let count = 0

/** Sends a command and returns its response. */
function ask(command: Line): Promise<Line> {
  const id = ++count
  gong.stdin.write(`${JSON.stringify({ ...command, id })}\n`)
  return new Promise((resolve) => waiting.set(id, resolve))
}

async function mayRun({ id, title, reason }: Line): Promise<void> {
  process.stdout.write(`\nRun "${title}" (${reason})? [y/n] `)
  const answer = await answers.next()
  const choice = answer.done !== true && answer.value.startsWith("y") ? "once" : "no"
  await ask({ type: "permission_reply", target: id, choice })
}

async function main(prompt: string): Promise<number> {
  const begun = ask({ type: "hello", protocol: 1 }).then(() => ask({ type: "prompt", text: prompt }))
  begun.then(({ error }) => error && gong.kill(), console.error)
  for await (const text of createInterface({ input: gong.stdout })) {
    const line = JSON.parse(text) as Line
    if (line.type === "response") waiting.get(line["id"] as number)?.(line)
    if (line.type === "message_update" && line["kind"] === "text") process.stdout.write(line["delta"] as string)
    if (line.type === "permission_request") mayRun(line).catch(console.error)
    // All other lines and unknown fields are ignored.
    if (line.type === "result") return line["exit"] as number
  }
  return 1
}

process.exitCode = await main(process.argv[2] ?? "What does this repository do?")
process.stdout.write("\n")
gong.stdin.end()
person.close()
