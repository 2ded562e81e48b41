import { phrase, type StoredSession, workspaceName } from "@gong/spec"
import { context, type Tape } from "@gong/tape"
import type { TapeChoice } from "@gong/config/session-spec"
import { didYouMean, ok, type Outcome, usage } from "@gong/config/usage"
import type { Workspace } from "@gong/config/workspace"
import { shortId } from "@gong/session/short-id"
import type { TapeStorage } from "./storage.ts"
import { openToRead } from "./tape.ts"

/** The stored session to continue or to copy; null: a new one is created. */
export async function chosenSession(storage: TapeStorage, choice: TapeChoice): Promise<Outcome<StoredSession | null>> {
  switch (choice.kind) {
    case "new":
    case "memory":
      return ok(null)
    case "newest":
      return newestSession(storage)
    case "id": {
      const { sessions, unreadable } = await storage.sessions.list()
      storage.reportUnreadable(unreadable)
      return ok(sessions.find(({ id }) => id === choice.id) ?? null)
    }
    case "stored":
    case "fork":
      return typeof choice.session === "string" ? findSession(storage, choice.session) : ok(choice.session)
  }
}

/** The stored session with this id, part of an id, name or path. */
export async function findSession(storage: TapeStorage, query: string): Promise<Outcome<StoredSession>> {
  const found = await storage.sessions.find(query)
  storage.reportUnreadable(found.unreadable)
  if (found.ok) return ok(found.session)
  if (found.matches.length > 1) {
    const some = found.matches.slice(0, 5).map(({ id }) => id)
    return usage(phrase`"${query}" matches ${found.matches.length} sessions: ${some.join(", ")}. Give more of the id.`)
  }
  const { sessions } = await storage.sessions.list({ limit: 100 })
  const near = didYouMean(
    query,
    sessions.map(({ id }) => shortId(id)),
  )
  return usage(phrase`there is no session "${query}".${near} gong sessions lists them.`)
}

/** The newest session of this workspace. */
export async function newestSession(storage: TapeStorage): Promise<Outcome<StoredSession>> {
  const { folder } = storage.workspace
  const { sessions, unreadable } = await storage.sessions.list({ workspace: nameOf(storage.workspace), limit: 1 })
  storage.reportUnreadable(unreadable)
  const [newest] = sessions
  return newest ? ok(newest) : usage(phrase`no session in ${folder} yet. gong sessions --all lists the others.`)
}

/** The model of the newest session of this workspace, as `provider/id`. */
export async function lastUsedModel(storage: TapeStorage): Promise<string | null> {
  const { sessions } = await storage.sessions.list({ workspace: nameOf(storage.workspace), limit: 1 })
  const [newest] = sessions
  if (!newest) return null
  const tape = await openToRead(storage, newest)
  try {
    return modelOf(tape)
  } finally {
    tape.close()
  }
}

export function modelOf(tape: Tape): string | null {
  const { model } = tape.follow(context).value
  return model ? `${model.provider}/${model.id}` : null
}

/** The name of a workspace in lists of sessions. */
function nameOf({ host, folder }: Workspace): string {
  return workspaceName({ host, workspace: folder })
}
