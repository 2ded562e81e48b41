import { AsyncLocalStorage } from "node:async_hooks"
import { tmpdir } from "node:os"
import { test as nodeTest, type TestContext } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { createBashTool as createPlainTool, type BashOptions, type BashTool } from "../../src/index.ts"
import { defaults, noSandbox } from "../host/sandbox-place.ts"

const place = new AsyncLocalStorage<"sandbox">()

/** One row, proven without the sandbox and in it. */
export function test(title: string, work: (t: TestContext) => Promise<void>): void {
  nodeTest(title, work)
  nodeTest(`${title} (in the sandbox)`, { skip: noSandbox }, (t) => place.run("sandbox", () => work(t)))
}

export const plainTest = nodeTest

export function inSandbox(): boolean {
  return place.getStore() === "sandbox"
}

/** The tool at this machine, in the sandbox where the row is proven there. */
export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  if (!inSandbox() || options.host !== undefined) return createPlainTool(cwd, options)
  const host = sandboxed(createLocalHost({ cwd }), defaults([cwd, tmpdir()], cwd))
  return createPlainTool(cwd, { ...options, host })
}
