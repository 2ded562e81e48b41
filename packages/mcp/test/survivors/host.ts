// Opens 100 sessions with the servers of GONG_HOME, calls a tool of a server in each, and prints the number of answers. Then it
// closes the sessions, or with `wait` it waits to be killed.
import { openSession } from "@gong/app/compose/open-session"
import { processServices } from "@gong/app/process-services"
import { scriptedProvider } from "@gong/llm/scripted"
import { systemClock } from "@gong/app/ports"

const [, , cwd = "", end] = process.argv
const services = processServices({ version: "0", warn: (line) => process.stderr.write(`${line}\n`) })
const calls = [{ name: "math__add", arguments: { a: 1, b: 2 } }]

async function one() {
  const provider = scriptedProvider([{ calls }, { text: "done" }], { clock: systemClock })
  const opened = await openSession(
    { cwd, permission: "full", sandbox: "workspace", tape: { kind: "memory" } },
    services,
    { provider },
  )
  if (!opened.ok) throw new Error(opened.error.lines.join(" "))
  return opened.value
}

const first = await one()
await first.mcp.start("math", new AbortController().signal)
const sessions = await Promise.all(Array.from({ length: 99 }, one))
let answers = 0
for (const { session } of sessions)
  session.subscribe((step) => {
    if ("entries" in step && JSON.stringify(step.entries).includes("called add")) answers += 1
  })
await Promise.all(sessions.map(async ({ session }) => session.prompt("add")))
process.stdout.write(`${answers}\n`)
if (end === "wait") setInterval(() => undefined, 1_000)
else {
  await Promise.all([first, ...sessions].map(async (session) => session.shutdown()))
  process.stdout.write("closed\n")
}
