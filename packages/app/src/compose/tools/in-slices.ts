import type { Host } from "@gong/spec"
import { nextSlice } from "../../ports.ts"

/** A host for work that stats and reads thousands of files in calls that block: between slices of 10 ms other sessions work. */
export function inSlices(host: Host): Host {
  return {
    ...host,
    async stat(...given) {
      await nextSlice()
      return host.stat(...given)
    },
    async readRange(...given) {
      await nextSlice()
      return host.readRange(...given)
    },
  }
}
