import type { ListedSession, SessionHit } from "@gong/spec"
import { tapePlace } from "../../build/place.ts"
import type { TapePlace } from "../../build/tape.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, usage } from "../../config/usage.ts"
import type { RpcPorts } from "../../modes/rpc/ports.ts"
import type { SearchHit, StoredSession } from "../../modes/rpc/data.ts"
import type { World } from "../../world.ts"
import { answerOf } from "./answers.ts"
import { syncMode } from "./open-target.ts"

/** Milliseconds for reading what is new on the sessions before they are listed or searched. */
const readingTime = 250
const defaultListed = 100
const defaultHits = 20

/** The stored sessions, as the client of `gong rpc` finds them. Loads SQLite when it is first asked. */
export function rpcHome(world: World, options: Options): Pick<RpcPorts, "sessions" | "search"> {
  const asked = async <T>(work: (place: TapePlace) => Promise<T>) =>
    answerOf(await attempt(async () => work(must(await tapePlace(world, options, syncMode)))))
  return {
    sessions: ({ all = false, limit = defaultListed }) =>
      asked(async (place) => {
        const listed = await place.sessions.listed({ ...here(place, all), limit, milliseconds: readingTime })
        place.passedOver(listed.unreadable)
        const { sessions, total, unread } = listed
        return { sessions: sessions.map(rowOf), total, unread }
      }),
    search: ({ query, all = false, limit = defaultHits }) =>
      asked(async (place) => {
        const found = await place.sessions.search(query, { ...here(place, all), limit, milliseconds: readingTime })
        place.passedOver(found.unreadable)
        const { hits, total, unread } = found
        if (hits === null) return must(usage(`there is no letter and no digit in "${query}".`))
        return { hits: hits.map(hitOf), total, unread }
      }),
  }
}

function here({ workspace }: TapePlace, all: boolean): { readonly workspace?: string } {
  return all ? {} : { workspace: workspace.folder }
}

function rowOf(session: ListedSession): StoredSession {
  const { id, name, title, cwd, workspace, created, modified, model, replies, cost } = session
  const written = new Date(modified).toISOString()
  return { id, name, title, cwd, workspace, created, modified: written, model, turns: replies, cost }
}

function hitOf({ session, title, entry, snippet }: SessionHit): SearchHit {
  return { session, title, entry: entry.id, time: entry.timestamp, text: snippet.text, marks: snippet.marks }
}
