/**
 * A frontend of Gong in under 100 lines: it prompts, streams the answer, asks for permission and resumes.
 *
 *   node examples/frontend/chat.ts            a new session in this folder
 *   node examples/frontend/chat.ts SESSION    continues a stored one: its id, the beginning of it, or its name
 *
 * It uses the model and the settings of `gong`. Ctrl+C stops the run, Ctrl+D leaves.
 */
import { createInterface } from "node:readline"
import { createController, openSession, processServices, type SessionSpec } from "@gong/app"

const services = processServices({ version: "example", warn: (line) => console.error(line) })
const [stored] = process.argv.slice(2)
const spec: SessionSpec = {
  interactive: true,
  ...(stored === undefined ? {} : { tape: { kind: "stored", session: stored } }),
}

const opened = await openSession(spec, services)
if (!opened.ok) {
  for (const line of opened.error.lines) console.error(line)
  process.exit(opened.error.exit)
}
const controller = createController({ services, spec, exitOf: () => 0 }, opened.value)
const { session } = controller.current
console.log(`session ${session.id}: ${controller.current.info.model}, ${session.permission}`)

// The session is followed by its events: here from the last entry on, so that a resumed session repeats nothing.
const seen = stored === undefined ? null : session.history.leaf
const stream = session.events({ after: seen, partial: true, wake: () => show() })

function show(): void {
  for (let events = stream.next(); events !== null; events = stream.next()) {
    for (const event of events) {
      if (event.type === "message_update" && event.kind === "text") process.stdout.write(event.delta)
      if (event.type === "tool_execution_start") console.log(`\n[${event.title}]`)
      if (event.type === "permission_request") approve(event.id, event.title).catch(console.error)
    }
  }
}

/** The next line of the person; null after Ctrl+D. */
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
async function ask(question: string): Promise<string | null> {
  process.stdout.write(question)
  const { done, value } = await lines.next()
  return done === true ? null : value
}

async function approve(target: string, title: string): Promise<void> {
  const choice = (await ask(`\nAllow ${title}? [y/n] `)) === "y" ? "once" : "no"
  const answered = await controller.call("permission_reply", { target, choice })
  if (!answered.ok) console.error(answered.error.message)
}

process.on("SIGINT", () => void controller.call("abort", {}))

const person = {
  choose: async (question: string, rows: readonly string[]) => {
    const line = await ask(`${question}\n${rows.map((row, at) => `${at + 1} ${row}`).join("\n")}\n> `)
    return rows[Number(line) - 1] === undefined ? null : Number(line) - 1
  },
  confirm: async (question: string) => (await ask(`${question} [y/n] `)) === "y",
  line: ask,
  copy: async () => ({ ok: true, value: "" }) as const,
  keys: [],
}

for (let text = await ask("> "); text !== null; text = await ask("\n> ")) {
  const end = await controller.typed(text, person)
  if (end.kind === "quit") break
  if (end.kind === "output") for (const line of end.lines) console.log(line)
  if (end.kind === "message" && end.text.trim() !== "") {
    const { status, failure } = await controller.prompt({ text: end.text, images: [], seen: [] })
    if (failure) console.error(`${status}: ${failure.message}`)
  }
}
process.exitCode = (await controller.shutdown()) ? 0 : 1
