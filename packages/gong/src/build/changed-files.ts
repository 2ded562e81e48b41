import type { ReadonlyTape } from "@gong/tape"
import { createLocalHost } from "@gong/tools/host/local"
import type { ChangedFiles } from "../session/changes.ts"
import type { World } from "../world.ts"
import { remake } from "./remake.ts"

/** The files of a session on this machine. */
export function changedFiles(world: World, { store }: ReadonlyTape): ChangedFiles {
  return { host: () => createLocalHost({ cwd: store.info.cwd, env: world.env }), remake }
}
