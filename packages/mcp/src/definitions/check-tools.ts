import { isRecord, type JsonSchema } from "@gong/spec"
import { hasInvisible, visibleText } from "./clean.ts"
import { limits } from "./limits.ts"
import { exposedName } from "./names.ts"
import { checkSchema } from "./schema.ts"

/** A tool of a server in the form that the model and the pin see: all that is sent, and nothing else. */
export interface ServerTool {
  /** As the server calls it. */
  readonly name: string
  /** `server__tool`. */
  readonly exposed: string
  readonly description: string
  readonly schema: JsonSchema
  /** It runs only as a task (revision 2025-11-25). */
  readonly needsTask?: true
}

export interface CheckedTools {
  readonly tools: readonly ServerTool[]
  /** One sentence fragment for each tool that is left out. */
  readonly problems: readonly string[]
}

/** Names of Object's own properties, which code could take for a tool. */
const reserved = new Set(["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf"])
const maxProblems = 20

/** Checks the tools of one server. Annotations are not read: a server's word frees no call. */
export function checkTools(server: string, listed: readonly unknown[]): CheckedTools {
  const problems: string[] = []
  const tools: ServerTool[] = []
  for (const one of listed.slice(0, limits.tools)) {
    const checked = checkTool(server, one)
    if (checked.ok) tools.push(checked.tool)
    else problems.push(checked.problem)
  }
  if (listed.length > limits.tools)
    problems.push(`${listed.length - limits.tools} tools over ${limits.tools} are left out`)
  const times = new Map<string, number>()
  for (const { exposed } of tools) times.set(exposed.toLowerCase(), (times.get(exposed.toLowerCase()) ?? 0) + 1)
  const isUnique = ({ exposed }: ServerTool): boolean => times.get(exposed.toLowerCase()) === 1
  // With a duplicate name it is undefined which definition the server runs.
  for (const [name, count] of times) if (count > 1) problems.push(`${name} is defined ${count} times`)
  const more = problems.length - maxProblems
  return {
    tools: tools.filter(isUnique),
    problems: more <= 0 ? problems : [...problems.slice(0, maxProblems), `${more} more tools are left out`],
  }
}

type CheckedTool = { readonly ok: true; readonly tool: ServerTool } | { readonly ok: false; readonly problem: string }

function checkTool(server: string, listed: unknown): CheckedTool {
  if (!isRecord(listed) || typeof listed["name"] !== "string") return { ok: false, problem: "a tool has no name" }
  const { name, description = "", inputSchema, execution } = listed
  const shown = JSON.stringify(name.slice(0, 60))
  if (name === "" || name.length > limits.ownName)
    return { ok: false, problem: `the name ${shown} is not 1 to ${limits.ownName} characters long` }
  if (!/^[\x21-\x7e]+$/.test(name) || hasInvisible(name) || reserved.has(name))
    return { ok: false, problem: `the name ${shown} is not allowed` }
  const checked = checkSchema(inputSchema)
  if (!checked.ok) return { ok: false, problem: `${shown}: ${checked.problem}` }
  const text = typeof description === "string" ? visibleText(description.slice(0, 2 * limits.description)) : ""
  const cut = text.length > limits.description ? `${text.slice(0, limits.description - 4)} ...` : text
  const needsTask = isRecord(execution) && execution["taskSupport"] === "required"
  const tool = { name, exposed: exposedName(server, name), description: cut.trim(), schema: checked.schema }
  return { ok: true, tool: needsTask ? { ...tool, needsTask } : tool }
}
