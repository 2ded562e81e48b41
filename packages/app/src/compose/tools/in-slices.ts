import type { Host } from "@gong/spec"
import { nextSlice } from "../../ports.ts"

/** A host for work with thousands of blocking calls: after slices of 10 ms other sessions may run. */
export function inSlices(host: Host): Host {
  return {
    ...host,
    async stat(...args) {
      await nextSlice()
      return host.stat(...args)
    },
    async readRange(...args) {
      await nextSlice()
      return host.readRange(...args)
    },
  }
}
