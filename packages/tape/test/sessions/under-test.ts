import type { Clock, Ids, Sessions, Store } from "@gong/spec"
import { FailureError } from "@gong/spec"
import { createTape, nameTape, type Tape } from "../../src/index.ts"
import { user } from "../world.ts"

/** Sessions that the cases are tried on. */
export interface SessionsUnderTest {
  readonly sessions: Sessions
  readonly ports: { readonly clock: Clock; readonly ids: Ids }
  /** The process that writes. */
  readonly pid: number
  /** The same, seen by another process while this one is alive. */
  other(): Sessions
  /** The same after this process has died; where a power cut can be made, after one. */
  later(): Sessions
}

/** The contract of every `Sessions` implementation. */
export interface SessionsCase {
  readonly title: string
  run(given: SessionsUnderTest): Promise<void>
}

export interface Made {
  readonly id: string
  readonly host?: string
  readonly workspace?: string
  readonly name?: string
  readonly words?: readonly string[]
}

/** A session with some messages, still open. */
export async function begun({ sessions, ports }: SessionsUnderTest, made: Made): Promise<Tape> {
  const { id, host, workspace = "/w", name, words = ["hello"] } = made
  const place = { cwd: workspace, workspace, ...(host === undefined ? {} : { host }) }
  const tape = createTape(await sessions.create({ id, ...place }), ports)
  if (name !== undefined) nameTape(tape, name)
  await say(tape, ...words)
  return tape
}

/** The same, closed. */
export async function made(given: SessionsUnderTest, what: Made): Promise<void> {
  const tape = await begun(given, what)
  tape.close()
}

/** Messages that survive a crash. */
export async function say(tape: Tape, ...words: readonly string[]): Promise<void> {
  tape.append(
    words.map((text) => user(text)),
    { sync: true },
  )
  await tape.settled()
}

export function idsOf(sessions: readonly { readonly id: string }[]): readonly string[] {
  return sessions.map(({ id }) => id)
}

export function textsOf(store: Store): readonly string[] {
  const texts: string[] = []
  for (let at = 0; at < store.length; at++) {
    const entry = store.entry(at)
    if (entry.type !== "message" || entry.message.role !== "user") continue
    for (const block of entry.message.content) if (block.type === "text") texts.push(block.text)
  }
  return texts
}

export const isStorage = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === "storage"
