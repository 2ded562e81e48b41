import { AsyncLocalStorage } from "node:async_hooks"
import { tmpdir } from "node:os"
import { test as nodeTest, type TestContext } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { createSandboxedHost } from "../../src/host/sandbox/index.ts"
import { createBashTool as createPlainTool, type BashOptions, type BashTool } from "../../src/index.ts"
import { defaults, noSandbox } from "../host/sandbox/sandbox-fixture.ts"

const ends = new AsyncLocalStorage<(() => Promise<void>)[]>()

/** Runs a test without and with the sandbox. */
export function test(title: string, work: (t: TestContext) => Promise<void>): void {
  nodeTest(title, work)
  nodeTest(`${title} (in the sandbox)`, { skip: noSandbox }, (t) => inside(t, work))
}

async function inside(t: TestContext, work: (t: TestContext) => Promise<void>): Promise<void> {
  const all: (() => Promise<void>)[] = []
  try {
    await ends.run(all, () => work(t))
  } finally {
    for (const end of all) await end()
  }
}

export const plainTest = nodeTest

export function inSandbox(): boolean {
  return ends.getStore() !== undefined
}

/** The tool on this machine, in the sandbox if the current test runs there. */
export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  const all = ends.getStore()
  if (all === undefined || options.host !== undefined) return createPlainTool(cwd, options)
  const host = createSandboxedHost(createLocalHost({ cwd, home: `${cwd}/none` }), defaults([cwd, tmpdir()]))
  all.push(() => host.endJobs())
  return createPlainTool(cwd, { ...options, host })
}
