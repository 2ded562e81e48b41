import type { TapeInfo } from "@gong/spec"
import { createTape, type Tape } from "../tape.ts"
import { createStore } from "./create.ts"
import { parentOf } from "./disk/disk.ts"
import { infoOf } from "./info.ts"
import { openStore } from "./open.ts"
import type { StorePorts } from "./store.ts"

/** Opens the tape in this folder, or creates it. Its id is the name of the folder. Throws FailureError (`storage`). */
export function initTape(ports: StorePorts, path: string, place: Pick<TapeInfo, "cwd" | "workspace">): Tape {
  const sessions = parentOf(path)
  const isThere = infoOf(ports.disk, path) !== null
  const store = isThere
    ? openStore(ports, { path })
    : createStore(ports, { sessions, id: path.slice(sessions.length + 1), ...place })
  return createTape(store, ports)
}
