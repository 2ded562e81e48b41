import { join } from "node:path"
import type { TestContext } from "node:test"
import type { RecordedRequest, ScriptedTurn } from "@gong/testing/model-server"
import { startRpc } from "../program/rpc-client.ts"
import { leave, openTerminal, say, skip as noTerminal } from "../program/terminal.ts"
import type { Place } from "./place.ts"
import { homes, localModel, noAddress, someModel } from "./surfaces/homes.ts"
import { templateLines } from "./surfaces/texts.ts"

/** One way to start Gong. */
export interface Mode {
  readonly name: string
  run(place: Place, t: TestContext): Promise<unknown>
}

/** A model that does everything in one run: it reads, writes and runs commands, permitted ones and others. */
export function busyModel(place: () => Place): ScriptedTurn {
  return (request) => (isFirst(request) ? { calls: callsIn(place()) } : { text: "Right." })
}

function callsIn(place: Place) {
  const commands = [
    "git status",
    "git diff",
    "git log -1",
    "touch made",
    "echo one > kept.f",
    ...homes.filter(({ name }) => name.startsWith("permission")).map(({ name }) => place.trip(name)),
  ]
  return [
    { name: "ls", args: { path: "." } },
    { name: "read", args: { path: "seen.t" } },
    { name: "grep", args: { pattern: "something" } },
    { name: "find", args: { pattern: "**/*.txt" } },
    { name: "write", args: { path: "out.txt", content: "x" } },
    ...commands.map((command) => ({ name: "bash", args: { command } })),
  ]
}

function isFirst({ body }: RecordedRequest): boolean {
  const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
  const last = messages.at(-1)
  return last?.role === "user" && JSON.stringify(last.content).includes("look")
}

/** An unanswered question is refused. */
const mayTouch = ["--allow", "bash(touch *)", "--allow", "bash(echo *)", "--set", "ask.timeout=0.05"]
const words = (text: string, args: readonly string[]): Mode => ({ name: text, run: async (place) => place.gong(args) })
/** PATHs with the programs of the project in front. */
const path = (place: Place) => ({
  PATH: `./node_modules/.bin:.:${join(place.repo, "node_modules/.bin")}:${place.env["PATH"]}`,
})

/** Before the others, which use its files. */
export const first: readonly Mode[] = [
  { name: "print", run: async (place) => place.gong(["-p", ...mayTouch, "look around"], { env: path(place) }) },
  words("go on", ["-c", "-p", "look again"]),
]

/** Messages, in any order, several at once. */
export const others: readonly Mode[] = [
  words("print json", ["--output", "json", ...mayTouch, "look"]),
  {
    name: "events",
    run: async (place) => place.gong(["--output", "events", "--partial", ...mayTouch, "look"], { env: path(place) }),
  },
  words("not kept", ["--no-session", "-pq", "look"]),
  words("bare, trusted", ["--bare", "--trust", "yes", "-pq", "look"]),
  words("not trusted in words", ["--trust", "no", "-pq", "look"]),
  ...templateLines.map((line) => words(line, ["-pq", "--no-session", line])),
  words("/skill:run", ["-pq", "--no-session", "/help me"]),
  {
    name: "no address",
    run: async (place) => place.gong(someModel, { env: noAddress }),
  },
  { name: "a local model", run: async (place) => place.gong(localModel, { env: noAddress }) },
  {
    name: "rpc",
    async run(place, t) {
      const client = startRpc(t, place, mayTouch, path(place))
      await client.request("prompt", { text: "look" })
      await client.event("result")
      client.close()
      await client.ended
    },
  },
]

/** Commands, in any order, several at once. */
export const commands: readonly Mode[] = [
  words("demo", ["demo", "--fast"]),
  { name: "doctor", run: async (place) => place.gong(["doctor"], { env: path(place) }) },
  words("sessions", ["sessions", "list"]),
  words("sessions search", ["sessions", "search", "look"]),
  words("sessions stats", ["sessions", "stats"]),
  words("config list", ["config", "list"]),
  words("config prompt", ["config", "prompt"]),
  words("models", ["models", "--keys"]),
  words("skills", ["skills", "list"]),
  words("skills validate", ["skills", "validate"]),
  words("trust", ["trust"]),
  words("trust --json", ["trust", "--json"]),
  words("permissions", ["permissions", "--json"]),
  words("auth", ["auth", "status"]),
  { name: "version", run: async (place) => place.gong(["--version", "--json"], { env: path(place) }) },
  words("import", ["import", "--from", "claude", "--dry-run"]),
  words("undo", ["undo"]),
  words("help", ["help"]),
]

/** After the others: here the user refuses, and is not asked again. */
export const last: readonly Mode[] = [
  {
    name: "a terminal",
    async run(place, t) {
      if (noTerminal !== false) return
      const terminal = openTerminal(t, place, mayTouch)
      await say(terminal, "v", "run without it: ", "(new)", "run without it: ")
      await say(terminal, "n", "sandbox: off")
      await say(terminal, "look", "Right.")
      for (const line of ["/init", "/commit"]) await say(terminal, line, "Right.")
      // A template of the repository is not loaded.
      await say(terminal, "/hostile", "There is no /hostile.")
      await say(terminal, "/trust show", "is not trusted")
      await say(terminal, "/reload", "custom/mock")
      await leave(terminal)
    },
  },
]
