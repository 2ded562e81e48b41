import { context } from "../workspace.ts"
import { agentTool, type How } from "./agent-host.ts"

// An agent to be killed by a test: runs the given commands concurrently and stays alive.
const [how = "plain", folder = "", commands = "[]"] = process.argv.slice(2)
const { tool } = agentTool(how as How, folder)
setInterval(() => {}, 1_000_000)
await Promise.all((JSON.parse(commands) as string[]).map((command) => tool.execute("c", { command }, context())))
process.stdout.write("all have ended\n")
