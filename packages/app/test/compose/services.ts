import type { TestContext } from "node:test"
import { machineOf } from "@gong/testing/machine"
import { english } from "@gong/texts/translator"
import type { Services } from "../../src/services.ts"

/** Services on a machine of the test's own; nobody reads its warnings. */
export function servicesOf(t: TestContext): Services {
  return { ...machineOf(t), t: english, async setLocale() {}, warn() {} }
}
