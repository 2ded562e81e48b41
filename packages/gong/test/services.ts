import type { TestContext } from "node:test"
import { processPorts } from "@gong/app/process-services"
import type { Services } from "@gong/app/services"
import { machineOf } from "@gong/testing/machine"
import { english } from "@gong/texts/translator"

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
