import { phrase } from "@gong/spec"
import { existsSync, renameSync } from "node:fs"
import { basename } from "node:path"
import { nodeDisk, listTapes } from "@gong/tape/file"
import { openToWrite, sessionNamed, sessionsFolder } from "../../build/tape.ts"
import { makeFolder } from "../../config/home.ts"
import { codeOf, ok, type Outcome, usage } from "../../config/usage.ts"
import { findSession, shortId } from "../../session/find.ts"
import type { Answer, Asked } from "./answer.ts"

const maxNamed = 10

const trashFolder = (home: string): string => `${home}/trash`

/** `gong sessions rm ID`: out of every list, and back with `restore`. Nothing empties the trash. */
export async function removeSession({ place, world }: Asked, wanted: string): Promise<Outcome<Answer>> {
  const session = await sessionNamed(place, wanted)
  if (!session.ok) return session
  const { id, path } = session.value
  // Opened for writing: a session that another process has is not taken away from it.
  const opened = openToWrite(place, session.value)
  if (!opened.ok) return opened
  opened.value.tape.close()
  const to = `${trashFolder(place.home)}/${basename(path)}`
  if (existsSync(to)) return usage(phrase`${to} is in the way; move it away first.`)
  const moved = move(path, to, trashFolder(place.home))
  if (!moved.ok) return moved
  const short = shortId(id)
  const text = world.t`Session ${short} is in the trash (${to}). gong sessions restore ${short} brings it back.`
  return ok({ text: `${world.style.line(text)}\n`, json: { id, path: to } })
}

/** `gong sessions restore ID`. */
export function restoreSession({ place, world }: Asked, wanted: string): Outcome<Answer> {
  const trash = listTapes(nodeDisk(), trashFolder(place.home))
  const found = findSession(trash, wanted)
  if (!found.ok) {
    const some = trash.slice(0, maxNamed).map(({ id }) => shortId(id))
    const there = trash.length === 0 ? world.t`The trash is empty.` : world.t`It holds ${some.join(", ")}.`
    return usage(phrase`there is no session "${wanted}" in the trash. ${there}`)
  }
  const { id, path } = found.session
  const to = `${sessionsFolder(place.home)}/${basename(path)}`
  if (existsSync(to)) return usage(phrase`${to} is there already.`)
  const moved = move(path, to, sessionsFolder(place.home))
  if (!moved.ok) return moved
  return ok({ text: `${world.style.line(world.t`Session ${shortId(id)} is back.`)}\n`, json: { id, path: to } })
}

function move(from: string, to: string, folder: string): Outcome<null> {
  try {
    makeFolder(folder)
    renameSync(from, to)
    return ok(null)
  } catch (error) {
    return usage(phrase`cannot move ${from} to ${to} (${codeOf(error)}).`)
  }
}
