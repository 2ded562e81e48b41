import { appendFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { agents } from "./agents.ts"
import { runTask, type TaskResult } from "./run-task.ts"
import { tableOf } from "./table.ts"
import { tasks } from "./tasks.ts"

/**
 * npm run evals -- --base-url URL -m MODEL [--agent gong,pi,opencode,codex] [--task ID,ID] [--window TOKENS] [--timeout SECONDS]
 * [--api-key-env NAME] [--out FILE]. One JSON line per task on stdout, or in FILE, and a table at the end. Other agents must be
 * on the PATH. The key goes to the server only, and never to an agent.
 */
const usage = `usage: npm run evals -- --base-url URL -m MODEL [--agent ${agents.map(({ name }) => name).join(",")}] [--task ID,ID]
  [--window TOKENS] [--timeout SECONDS] [--api-key-env NAME] [--out FILE]
tasks: ${tasks.map(({ id }) => id).join(" ")}
`

const { values } = parseArgs({
  options: {
    "base-url": { type: "string" },
    model: { type: "string", short: "m" },
    agent: { type: "string", default: "gong" },
    task: { type: "string" },
    window: { type: "string", default: "32768" },
    timeout: { type: "string", default: "600" },
    "api-key-env": { type: "string" },
    out: { type: "string" },
  },
})

const { "base-url": baseUrl, model } = values
const chosenAgents = values.agent.split(",").map((name) => agents.find((agent) => agent.name === name) ?? name)
const chosenTasks = (values.task?.split(",") ?? tasks.map(({ id }) => id)).map(
  (id) => tasks.find((task) => task.id === id) ?? id,
)
const unknown = [...chosenAgents, ...chosenTasks].filter((one) => typeof one === "string")
if (baseUrl === undefined || model === undefined || unknown.length > 0) {
  process.stderr.write(unknown.length > 0 ? `evals: unknown: ${unknown.join(", ")}\n${usage}` : usage)
  process.exit(2)
}

const key = values["api-key-env"] === undefined ? null : (process.env[values["api-key-env"]] ?? null)
const options = { baseUrl, model, key, window: Number(values.window), timeout: Number(values.timeout) }
const results: TaskResult[] = []
for (const agent of chosenAgents)
  for (const task of chosenTasks) {
    if (typeof agent === "string" || typeof task === "string") continue
    const result = await runTask(agent, task, options)
    results.push(result)
    const line = `${JSON.stringify(result)}\n`
    if (values.out === undefined) process.stdout.write(line)
    else appendFileSync(values.out, line)
  }
process.stdout.write(`\n${tableOf(results)}`)
