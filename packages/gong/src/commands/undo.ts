import type { Tape } from "@gong/tape"
import { createLocalHost } from "@gong/tools/host/local"
import { tapePlace } from "../build/place.ts"
import { replay } from "../build/replay.ts"
import { openToWrite, sessionNamed, storedSessions, type TapePlace } from "../build/tape.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, ok, type Outcome, usage } from "../config/usage.ts"
import { newestOf, shortId, type StoredSession } from "../session/find.ts"
import { undo as undoChanges, type Undone } from "../session/undo.ts"
import type { World } from "../world.ts"

/** `gong undo [--session ID]`: puts back the files that a session changed. */
export function undo(world: World, options: Options): Promise<Outcome<string>> {
  return attempt(async () => {
    const place = must(await tapePlace(world, options))
    const session = must(options.session === undefined ? newest(place) : sessionNamed(place, options.session))
    const { tape } = must(openToWrite(place, session))
    try {
      return await undoOn(world, tape)
    } finally {
      tape.close()
    }
  })
}

/** Puts back what the session of this tape changed, and says what was done. */
export async function undoOn(world: World, tape: Tape): Promise<string> {
  const host = createLocalHost({ cwd: tape.store.info.cwd, env: world.env })
  return report(tape.id, await undoChanges({ tape, host, replay }))
}

function newest(place: TapePlace): Outcome<StoredSession> {
  const session = newestOf(storedSessions(place.home), place.workspace.folder)
  return session
    ? ok(session)
    : usage(`no session in ${place.workspace.folder} yet. gong sessions --all lists the others.`)
}

function report(id: string, { restored, merged, kept, lost, cut }: Undone): string {
  const nothing = restored.length + merged.length + kept.length + lost.length === 0
  const lines = [
    ...(nothing ? [`Session ${shortId(id)} changed no files that are not undone.`] : []),
    ...restored.map((path) => `restored  ${path}`),
    ...merged.map((path) => `restored  ${path}, with what others changed in it since`),
    ...kept.map(({ path, reason }) => `kept      ${path}: ${reason}`),
    ...lost.map((path) => `not restorable: ${path} (changed by a command; no earlier copy)`),
    ...(cut === null ? [] : [`not looked at: what commands changed in files that are not named here (${cut})`]),
  ]
  return `${lines.join("\n")}\n`
}
