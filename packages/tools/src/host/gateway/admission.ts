import type { NetworkPorts, OpenedConnection, Target, FailedConnection } from "./ports.ts"
import * as texts from "./texts.ts"

/** Hosts that one command's note names; of more it tells how many. */
const NOTES_MAX = 3

/** Milliseconds until a connection must stand. */
const CONNECT_MAX_MS = 60_000

export type Admission = ReturnType<typeof createAdmission>

/**
 * What may be reached, for the commands that run now: what a person said to one of them holds for all of them, and is forgotten
 * when the last has ended.
 */
export function createAdmission(network: NetworkPorts) {
  const commands = new Set<Set<string>>()
  /** What a person was asked, by host and port: why not, or null for a yes. */
  let answers = new Map<string, Promise<string | null>>()
  let running = new AbortController()

  const note = (why: string): void => {
    for (const notes of commands) notes.add(why)
  }
  const judge = async (target: Target): Promise<string | null> => {
    if (/(^|\.)localhost$/.test(target.host)) return texts.ownServices()
    const found = await network.decide(target)
    if (found.verdict === "allow") return null
    if (found.verdict === "refuse") return found.why
    const key = `${target.host}:${target.port}`
    const asked = answers.get(key) ?? ask(network, target, running.signal)
    answers.set(key, asked)
    return asked
  }
  const admit = async (target: Target): Promise<string | null> => {
    const why = await judge(target)
    if (why !== null) note(why)
    return why
  }
  const connect = async (target: Target, how: "http" | "stream"): Promise<OpenedConnection | FailedConnection> => {
    const signal = AbortSignal.any([running.signal, AbortSignal.timeout(CONNECT_MAX_MS)])
    const reached = await network.connect(target, how, signal)
    if ("why" in reached) note(reached.why)
    return reached
  }

  return {
    note,
    admit,
    async reach(target: Target, how: "http" | "stream"): Promise<OpenedConnection | FailedConnection> {
      const why = await admit(target)
      return why === null ? connect(target, how) : { why }
    },
    /** The ports beside 80 and 443 at which a host may be reached without a question. */
    async extraPorts(host: string): Promise<readonly number[]> {
      const ports = await network.ports()
      const found = await Promise.all(ports.map((port) => network.decide({ host, port })))
      return ports.filter((_, at) => found[at]?.verdict === "allow")
    },
    /** Nobody will let it be reached: its name is nobody's, which programs understand at once. */
    async isAlwaysRefused(host: string): Promise<boolean> {
      const found = await network.decide({ host, port: 443 })
      if (found.verdict !== "refuse") return false
      note(found.why)
      return true
    },
    /** A command begins; what is returned is called at its end, and gives what is to be said of it. */
    enter(): () => string | null {
      const notes = new Set<string>()
      commands.add(notes)
      return () => {
        commands.delete(notes)
        if (commands.size === 0) {
          running.abort()
          running = new AbortController()
          answers = new Map()
        }
        return noteOf([...notes])
      }
    },
  }
}

async function ask(network: NetworkPorts, target: Target, signal: AbortSignal): Promise<string | null> {
  const found = await network.ask(target, signal)
  return found.verdict === "refuse" ? found.why : null
}

function noteOf(notes: readonly string[]): string | null {
  if (notes.length === 0) return null
  const shown = notes.slice(0, NOTES_MAX).map(texts.refusedNote)
  return [...shown, ...(notes.length > NOTES_MAX ? [texts.moreNotes(notes.length - NOTES_MAX)] : [])].join("\n")
}
