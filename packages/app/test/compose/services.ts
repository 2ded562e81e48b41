import type { TestContext } from "node:test"
import { machineOf } from "@gong/testing/machine"
import { english } from "@gong/texts/translator"
import { processPorts } from "../../src/process-services.ts"
import type { Services } from "../../src/services.ts"

/** Services on a machine of the test's own; warnings are discarded. */
export function servicesOf(t: TestContext): Services {
  const machine = machineOf(t)
  return {
    ...machine,
    ...processPorts(machine, "at-once"),
    t: english,
    async setLocale() {},
    warn() {},
  }
}
