import type { ReadonlyTape } from "@gong/tape"
import type { ChangedFiles } from "../session/changes/changes.ts"
import type { World } from "../world.ts"

/** The files of a session on this machine. Nothing of it is loaded before it is used. */
export function changedFiles(world: World, { store }: ReadonlyTape): ChangedFiles {
  return {
    async host() {
      const { createLocalHost } = await import("@gong/tools/host/local")
      return createLocalHost({ cwd: store.info.cwd, env: world.env })
    },
    async remake(call, path, before) {
      const { remake } = await import("./remake.ts")
      return remake(call, path, before)
    },
  }
}
