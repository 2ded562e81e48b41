import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Agent, gong } from "./agents.ts"
import { type Bench, type Figure, median } from "./lines.ts"
import { restore, type Run, runOnce } from "./run.ts"
import { sayHi } from "./work.ts"

/** The extensions of `examples/extensions`, and fifteen more. */
const examples = ["permission-gate", "git-checkpoint", "redactor", "notifier", "after-edit-diagnostics"]
/** Loads until stored registrations are used (`extensions/src/host/memory.ts`), and one more. */
const warmUps = 3

/**
 * The cost of twenty extensions, from the spawn to the first request, when nothing has changed since the last start, and when they
 * are loaded for the first time. Twenty of which one acts before the first request, or five, wait for their thread
 * (docs/decisions/no-prewarmed-worker.md).
 */
export async function extensions(bench: Bench): Promise<Figure[]> {
  const agents = {
    none: agentOf("gong"),
    warm: agentOf("warm"),
    early: agentOf("early"),
    five: agentOf("five"),
    first: agentOf("first"),
  }
  const runs: Record<keyof typeof agents, Run[]> = { none: [], warm: [], early: [], five: [], first: [] }
  for (const name of Object.keys(agents)) install(bench, name)
  for (let i = -warmUps; i < bench.n * 2; i++) {
    for (const [name, agent] of Object.entries(agents) as [keyof typeof agents, Agent][]) {
      const folder = folderOf(bench, name)
      if (name === "first") rmSync(join(folder, "home/.gong/cache"), { recursive: true, force: true })
      const run = await runOnce(bench.model, { agent, work: sayHi(), folder, node: bench.node, cpu: true })
      if (i >= 0) runs[name].push(run)
    }
  }
  const ofAll = (name: keyof typeof agents, field: "firstRequest" | "cpu") =>
    median(runs[name].map((run) => run[field]))
  const added = (line: string, name: keyof typeof agents, field: "firstRequest" | "cpu", limit: number): Figure => {
    const [base, own] = [ofAll("none", field), ofAll(name, field)]
    const budget = limit === Infinity ? "" : `<= +${limit} ms`
    return { line, budget, floor: ms(base), gong: `${ms(own)} (+${ms(own - base)})`, judged: own - base, limit }
  }
  return [
    added("20 extensions: spawn to first request", "warm", "firstRequest", 30),
    added("20 extensions: processor time, one answer", "warm", "cpu", Infinity),
    added("one of them acts before it: spawn to first request", "early", "firstRequest", 100),
    added("five of them act before it: spawn to first request", "five", "firstRequest", 100),
    added("20 extensions, loaded for the first time", "first", "firstRequest", 400),
    added("loaded for the first time: processor time", "first", "cpu", Infinity),
  ]
}

const ms = (value: number) => `${value.toFixed(0)} ms`

function agentOf(name: Agent["name"]): Agent {
  return { ...gong, name }
}

function folderOf({ folder }: Bench, name: string): string {
  return join(folder, `extensions ${name}`)
}

function install(bench: Bench, name: string): void {
  const folder = folderOf(bench, name)
  restore(folder, null)
  const home = join(folder, "home/.gong")
  mkdirSync(home, { recursive: true })
  // A home with settings, as is usual with extensions.
  writeFileSync(
    join(home, "settings.json"),
    JSON.stringify({ extensions: { "tracker-1": { origin: "https://t.example" } } }),
  )
  if (name === "none") return
  const place = join(home, "extensions")
  mkdirSync(place)
  for (const example of examples)
    copyFileSync(join(import.meta.dirname, `../../examples/extensions/${example}.ts`), join(place, `${example}.ts`))
  for (let i = 1; i <= 5; i++) {
    writeFileSync(join(place, `tracker-${i}.ts`), tracker(i))
    writeFileSync(join(place, `helper-${i}.ts`), helper(i))
    writeFileSync(join(place, `watcher-${i}.ts`), name === "five" || (i === 1 && name === "early") ? early : watcher(i))
  }
}

/** Two tools and a command over one small client. */
const tracker = (i: number) => `import type { ExtensionApi } from "gong/extension"

interface Ticket { readonly id: string; readonly title: string; readonly state: "open" | "closed" }

class Client {
  readonly #origin: string
  constructor(origin: string) { this.#origin = origin }
  async read(id: string, signal: AbortSignal): Promise<Ticket> {
    const reply = await fetch(new URL(\`/tickets/\${encodeURIComponent(id)}.json\`, this.#origin), { signal })
    if (!reply.ok) throw new Error(\`the tracker answered \${reply.status}\`)
    return (await reply.json()) as Ticket
  }
  async find(words: string, signal: AbortSignal): Promise<readonly Ticket[]> {
    const reply = await fetch(new URL(\`/search?q=\${encodeURIComponent(words)}\`, this.#origin), { signal })
    return reply.ok ? ((await reply.json()) as readonly Ticket[]) : []
  }
}

const lineOf = ({ id, title, state }: Ticket): string => \`\${id} \${state === "open" ? "o" : "x"} \${title}\`

export default function (gong: ExtensionApi): void {
  const { origin = "https://tracker.example" } = gong.settings as { origin?: string }
  const client = new Client(origin)
  gong.tool<{ id: string }>({
    name: "ticket_${i}",
    description: "Reads a ticket of tracker ${i} by its id.",
    parameters: { type: "object", properties: { id: { type: "string", description: "Like T-12." } }, required: ["id"] },
    readOnly: true,
    async execute({ id }, { signal }) {
      return lineOf(await client.read(id, signal))
    },
  })
  gong.tool<{ words: string; limit?: number }>({
    name: "find_tickets_${i}",
    description: "Finds tickets of tracker ${i} by words in their titles.",
    parameters: {
      type: "object",
      properties: { words: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 100 } },
      required: ["words"],
    },
    async execute({ words, limit = 20 }, { signal, progress }) {
      progress("searching ...\\n")
      const found = await client.find(words, signal)
      return { content: found.slice(0, limit).map(lineOf).join("\\n"), details: { count: found.length } }
    },
  })
  gong.command({
    name: "ticket-${i}",
    about: "works on a ticket",
    value: "ID",
    run: (id) => (id === "" ? "Which ticket?" : { prompt: \`Read ticket \${id} and fix it.\` }),
  })
}
`

/** A tool with a module of Node's, a command that asks, and a gate. */
const helper = (i: number) => `import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ExtensionApi, HookCall } from "gong/extension"

const risky: readonly RegExp[] = [/\\bdrop\\s+table\\b/i, /\\bkubectl\\s+delete\\b/, /\\bterraform\\s+destroy\\b/]

function reasonFor({ arguments: args }: HookCall): string | null {
  const command = String(args["command"] ?? "")
  const found = risky.find((one) => one.test(command))
  return found === undefined ? null : \`it matches \${found.source}\`
}

export default async function (gong: ExtensionApi): Promise<void> {
  gong.hook({
    tools: ["bash"],
    beforeToolCall(call) {
      const reason = reasonFor(call)
      return reason === null ? undefined : { answer: "ask", reason }
    },
  })
  gong.tool<{ name: string }>({
    name: "note_${i}",
    description: "Reads one of the notes of this project.",
    parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    execute: async ({ name }) => readFile(join(gong.workspace, "notes", \`\${name}.md\`), "utf8"),
  })
  gong.command({
    name: "deploy-${i}",
    about: "asks where to, and has it done",
    async run(rest, { choose, confirm }) {
      const where = ["staging", "production"]
      const chosen = rest === "" ? await choose("Where to?", where) : where.indexOf(rest)
      if (chosen === null || chosen < 0) return "Nowhere, then."
      if (!(await confirm(\`Deploy to \${where[chosen]}?\`))) return "Not deployed."
      return { prompt: \`Deploy this to \${where[chosen]} as docs/deploy.md says.\` }
    },
  })
}
`

/** Observes, and shortens long results. */
const watcher = (i: number) => `import type { ExtensionApi } from "gong/extension"

const spans = new Map<string, number>()

export default function (gong: ExtensionApi): void {
  gong.on("tool.start", ({ id }) => void spans.set(id, Date.now()))
  gong.on("tool.stop", ({ id, tool }) => {
    const took = Date.now() - (spans.get(id) ?? Date.now())
    spans.delete(id)
    if (took > 60_000) gong.say(\`\${tool} took \${Math.round(took / 1000)} s\`, "warn")
  })
  gong.hook({
    tools: ["grep"],
    onToolResult: (_, { content, ...rest }) => ({
      ...rest,
      content: content.map((block) => (block.type === "text" ? { ...block, text: block.text.slice(0, ${i}0_000) } : block)),
    }),
  })
}
`

/** Acts before the first request. */
const early = `import type { ExtensionApi } from "gong/extension"

export default function (gong: ExtensionApi): void {
  gong.hook({ onBeforeAgent: (prompt) => ({ prompt: prompt.trim() }) })
}
`
