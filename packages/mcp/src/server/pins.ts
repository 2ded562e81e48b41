import { type Clock, failureOf, isRecord, phrase, type Phrase } from "@gong/spec"
import type { Connection, Era } from "../connection/connect.ts"
import { checkTools, type ServerTool } from "../definitions/check-tools.ts"
import { changesOf, type ToolChange, usable, withdraw } from "../definitions/changes.ts"
import { checkPrompts, type ServerPrompt } from "../definitions/check-prompts.ts"
import { times } from "../definitions/limits.ts"
import type { RecordStore, ServerRecord } from "./record.ts"

/**
 * Its prompts, or why they are unknown: tools work without them. Rejects where the server has not refused them: it died, requires
 * a login, or the signal has aborted.
 */
async function promptsOf(
  clock: Clock,
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerPrompt[] | string> {
  const late = new AbortController()
  const cancel = clock.timer(times.prompts, () => late.abort())
  try {
    return checkPrompts(await connection.prompts(AbortSignal.any([signal, late.signal])))
  } catch (error) {
    if (signal.aborted) throw error
    if (late.signal.aborted) return `no answer within ${times.prompts / 1_000} s`
    const { cause, message } = failureOf(error)
    // Only an error of JSON-RPC has a number; anything else is about the connection.
    if (!isRecord(cause) || typeof cause["code"] !== "number") throw error
    return message
  } finally {
    cancel()
  }
}

interface PinDeps {
  readonly clock: Clock
  readonly name: string
  readonly record: RecordStore
}

/**
 * The definitions of a server and their pin. The whole set is pinned at the first start; later differences are off until the
 * user has accepted them, also within one connection.
 */
export function createPins({ name, clock, record }: PinDeps) {
  let stored: ServerRecord | null | undefined
  /** As of the last list of this process; null: not listed yet. */
  let current: readonly ServerTool[] | null = null
  let problems: readonly string[] = []
  const pinned = (): ServerRecord | null => (stored === undefined ? (stored = record.load()) : stored)
  const store = (next: ServerRecord): void => {
    const before = pinned()
    stored = next
    if (JSON.stringify(before) !== JSON.stringify(next)) record.save(next)
  }
  const changes = (): readonly ToolChange[] => {
    const pin = pinned()
    return pin === null || current === null ? [] : changesOf(pin, current)
  }
  const tools = (): readonly ServerTool[] | null => {
    const pin = pinned()
    if (pin === null) return null
    return usable(pin, current ?? pin.tools)
  }
  return {
    era: (): Era | null => pinned()?.era ?? null,
    tools,
    tool: (wanted: string): ServerTool | null => tools()?.find((one) => one.name === wanted) ?? null,
    prompts: (): readonly ServerPrompt[] => pinned()?.prompts ?? [],
    hasResources: (): boolean => pinned()?.resources ?? false,
    changes,
    problems: () => problems,
    /** Reads the lists of a connection. */
    async read(connection: Connection, signal: AbortSignal): Promise<void> {
      const { offers, era } = connection
      const checked = offers.tools ? checkTools(name, await connection.tools(signal)) : { tools: [], problems: [] }
      const pin = pinned()
      const listed = offers.prompts ? await promptsOf(clock, connection, signal) : []
      const prompts = typeof listed === "string" ? (pin?.prompts ?? []) : listed
      current = checked.tools
      problems = typeof listed === "string" ? [...checked.problems, `its prompts: ${listed}`] : checked.problems
      const kept = pin === null ? { tools: current, withdrawn: [] } : withdraw(pin, current)
      store({ ...kept, era, prompts, resources: offers.resources })
    },
    /** The user has seen the differences. */
    accept(): void {
      const pin = pinned()
      if (pin === null || current === null) return
      const now = new Set(current.map((tool) => tool.name))
      const gone = pin.tools.filter((tool) => !now.has(tool.name))
      // A withdrawn tool stays pinned, so that it is noticed when it comes back.
      store({ ...pin, tools: [...current, ...gone], withdrawn: gone.map((tool) => tool.name).toSorted() })
    },
    /** One line for the user about differences; null for none. */
    changedLine(): Phrase | null {
      const found = changes().filter(({ kind }) => kind !== "removed")
      if (found.length === 0) return null
      return phrase`The MCP server ${name} has changed ${found.length} tools since you accepted them; they are off: /mcp accept ${name}`
    },
  }
}
