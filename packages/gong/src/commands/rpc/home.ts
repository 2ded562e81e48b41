import type { ListedSession } from "@gong/spec"
import type { Hit } from "@gong/tape/index"
import { tapePlace } from "../../build/place.ts"
import type { TapePlace } from "../../build/tape.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, must, type Outcome, usage } from "../../config/usage.ts"
import type { RpcPorts } from "../../modes/rpc/ports.ts"
import type { SearchHit, StoredSession } from "../../modes/rpc/data.ts"
import type { World } from "../../world.ts"
import { answerOf } from "./answers.ts"

/** Milliseconds for reading what is new on the sessions before they are listed or searched: a run that works waits as long. */
const readingTime = 250
const defaultListed = 100
const defaultHits = 20

/** The stored sessions, as the client of `gong rpc` finds them. Loads SQLite when it is first asked. */
export function rpcHome(world: World, options: Options): Pick<RpcPorts, "sessions" | "search"> {
  const asked = async <T>(work: (at: Asked) => Outcome<T>) => answerOf(await withIndex(world, options, work))
  return {
    sessions: ({ all = false, limit = defaultListed }) =>
      asked(({ place, index, unread }) => {
        const { sessions, total } = index.list({ ...here(place, all), limit })
        return { ok: true, value: { sessions: sessions.map(rowOf), total, unread } }
      }),
    search: ({ query, all = false, limit = defaultHits }) =>
      asked(({ place, index, unread }) => {
        const found = index.search(query, { ...here(place, all), limit })
        if (found === null) return usage(`there is no letter and no digit in "${query}".`)
        return { ok: true, value: { hits: found.hits.map(hitOf), total: found.total, unread } }
      }),
  }
}

interface Asked {
  readonly place: TapePlace
  readonly index: Awaited<ReturnType<typeof opened>>
  /** Sessions that reading did not get to. */
  readonly unread: number
}

function withIndex<T>(world: World, options: Options, work: (at: Asked) => Outcome<T>): Promise<Outcome<T>> {
  return attempt(async () => {
    const place = must(await tapePlace(world, options))
    const index = await opened(place)
    try {
      const { behind } = index.catchUp(readingTime)
      return must(work({ place, index, unread: behind.length }))
    } finally {
      index.close()
    }
  })
}

async function opened(place: TapePlace) {
  const { homeIndex } = await import("../../build/index.ts")
  return homeIndex(place)
}

function here({ workspace }: TapePlace, all: boolean): { readonly workspace?: string } {
  return all ? {} : { workspace: workspace.folder }
}

function rowOf(session: ListedSession): StoredSession {
  const { id, name, title, cwd, workspace, created, modified, model, replies, cost } = session
  const written = new Date(modified).toISOString()
  return { id, name, title, cwd, workspace, created, modified: written, model, turns: replies, cost }
}

function hitOf({ session, title, entry, snippet }: Hit): SearchHit {
  return { session, title, entry: entry.id, time: entry.timestamp, text: snippet.text, marks: snippet.marks }
}
