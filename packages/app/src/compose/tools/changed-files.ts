import { failure, FailureError, type Hosts } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import type { ChangedFiles } from "@gong/session/changes/changes"
import { hostOfTape } from "../hosts.ts"

/** The files of a session on its host. All code is loaded on demand. */
export function changedFiles(hosts: Hosts, tape: ReadonlyTape): ChangedFiles {
  return {
    async host() {
      const opening = await hostOfTape(hosts, tape)
      if (!opening.ok) throw new FailureError(failure("denied", opening.reason))
      return opening.host
    },
    async remake(call, path, before) {
      const { remake } = await import("@gong/tools/remake")
      return remake(call, path, before)
    },
  }
}
