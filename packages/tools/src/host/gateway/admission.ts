import type { NetworkPorts, OpenedConnection, Target, FailedConnection } from "./ports.ts"
import * as texts from "./texts.ts"

/** Hosts named in the note of one command; of more only the number is given. */
const NOTES_MAX = 3

/** Milliseconds for establishing a connection. */
const CONNECT_MAX_MS = 60_000

export type Admission = ReturnType<typeof createAdmission>

/**
 * Decides which targets the running commands may reach. An answer of the user applies to all running commands and is
 * forgotten when the last one exits.
 */
export function createAdmission(network: NetworkPorts) {
  const commands = new Set<Set<string>>()
  /** Answers of the user by host and port: the reason for a refusal, or null for permission. */
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
    /**
     * Every connection would be refused. Its name is then reported as unknown, an error that programs understand at
     * once.
     */
    async isAlwaysRefused(host: string): Promise<boolean> {
      const found = await network.decide({ host, port: 443 })
      if (found.verdict !== "refuse") return false
      note(found.why)
      return true
    },
    /** Registers a command. The returned function is called at its exit and returns the note about refused hosts. */
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
