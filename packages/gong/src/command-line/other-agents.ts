import { phrase, type Phrase } from "@gong/spec"

// Options and commands of other agents, with what does the same in Gong.

const resume = phrase`-c continues the newest session of this workspace, --session ID another one; gong sessions lists them.`
const unattended = phrase`--permission auto runs what the sandbox confines, --yolo everything.`

const options: ReadonlyMap<string, Phrase> = new Map([
  ["--resume", resume],
  ["-r", resume],
  ["--output-format", phrase`--output text|json|events is the same here.`],
  ["--input-format", phrase`gong rpc reads JSON lines.`],
  ["--dangerously-skip-permissions", unattended],
  ["--dangerously-bypass-approvals-and-sandbox", unattended],
  ["--full-auto", unattended],
  ["--ask-for-approval", phrase`--permission plan|ask|auto|full is the same here.`],
  ["--permission-mode", phrase`--permission plan|ask|auto|full is the same here.`],
  ["--allowedTools", phrase`--allow RULE is the same here.`],
  ["--allowed-tools", phrase`--allow RULE is the same here.`],
  ["--disallowedTools", phrase`--deny RULE is the same here.`],
  ["--disallowed-tools", phrase`--deny RULE is the same here.`],
  ["-C", phrase`--cwd DIR is the same here.`],
  ["--cd", phrase`--cwd DIR is the same here.`],
  ["--list-models", phrase`gong models lists them.`],
  ["--list-sessions", phrase`gong sessions lists them.`],
  ["--mcp-config", phrase`servers are in mcp.json: gong mcp add NAME -- COMMAND`],
  ["--include-partial-messages", phrase`--partial is the same here.`],
  ["--prompt", phrase`gong -p "..." is the same here.`],
])

/** Advice for an option of another agent; null for an unknown one. */
export function otherOption(name: string): Phrase | null {
  const advice = options.get(name)
  return advice === undefined ? null : phrase`${name} is an option of another agent: ${advice}`
}

const commands: ReadonlyMap<string, Phrase> = new Map([
  ["exec", phrase`gong -p "..." runs one message.`],
  ["run", phrase`gong -p "..." runs one message.`],
  ["resume", resume],
  ["update", phrase`git pull and npm ci in the clone update Gong.`],
])

/**
 * Advice for a command of another agent: alone, or before one quoted message (`exec "fix it"`). Null for others: "run the
 * tests" is a message.
 */
export function otherCommand([first = "", ...rest]: readonly string[]): Phrase | null {
  const advice = commands.get(first)
  const isMessage = rest.length > 1 || (rest[0] !== undefined && first !== "resume" && !rest[0].includes(" "))
  return advice === undefined || isMessage
    ? null
    : phrase`"${first}" is a command of another agent: ${advice} For a message write: gong -- ${[first, ...rest].join(" ")}`
}
