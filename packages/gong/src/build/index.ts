import { nodeDisk } from "@gong/tape/file"
import { type IndexOptions, openIndex, type TapeIndex } from "@gong/tape/index"
import { sessionsFolder, type TapePlace } from "./tape.ts"

/** The index of all sessions of a home. Loads SQLite: never on the way to a first request. */
export function homeIndex(
  { home, clock, passedOver }: TapePlace,
  options: Pick<IndexOptions, "patience"> = {},
): TapeIndex {
  return openIndex(
    { disk: nodeDisk(), clock },
    {
      file: `${home}/index.db`,
      source: { sessions: sessionsFolder(home) },
      ...(passedOver && { passedOver }),
      ...options,
    },
  )
}
