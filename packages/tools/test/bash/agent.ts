import { createLocalHost } from "../../src/host/local.ts"
import { createBashTool } from "../../src/index.ts"
import { context } from "../place.ts"

// An agent to be killed: runs the commands that it is given, all at once, until then.
const tool = createBashTool("/", { host: createLocalHost({ cwd: "/" }) })
const commands = JSON.parse(process.argv[2] ?? "[]") as string[]
setInterval(() => {}, 1_000_000)
await Promise.all(commands.map((command) => tool.execute("c", { command }, context())))
