import { AsyncLocalStorage } from "node:async_hooks"
import { tmpdir } from "node:os"
import { test as nodeTest, type TestContext } from "node:test"
import { createLocalHost } from "../../src/host/local.ts"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { createBashTool as createPlainTool, type BashOptions, type BashTool } from "../../src/index.ts"
import { defaults, noSandbox } from "../host/sandbox-place.ts"
import { spyOnSpares } from "../host/spare-place.ts"
import { inSpares } from "./in-spares.ts"

interface Proven {
  readonly where: "sandbox" | "spare"
  readonly ends: (() => Promise<void>)[]
}

const place = new AsyncLocalStorage<Proven>()

/** One row, proven without the sandbox, in one made for the command, and in one that waited for it. */
export function test(title: string, work: (t: TestContext) => Promise<void>): void {
  nodeTest(title, work)
  nodeTest(`${title} (in the sandbox)`, { skip: noSandbox }, (t) => inside("sandbox", t, work))
  nodeTest(`${title} (in a spare sandbox)`, { skip: noSandbox }, (t) => inside("spare", t, work))
}

/** What waits for one more command makes folders in its own, and so ends before that is removed. */
async function inside(where: Proven["where"], t: TestContext, work: (t: TestContext) => Promise<void>): Promise<void> {
  const proven: Proven = { where, ends: [] }
  try {
    await place.run(proven, () => work(t))
  } finally {
    for (const end of proven.ends) await end()
  }
}

export const plainTest = nodeTest

export function inSandbox(): boolean {
  return place.getStore() !== undefined
}

/** The tool at this machine, in the sandbox where the row is proven there. */
export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  const proven = place.getStore()
  if (proven === undefined || options.host !== undefined) return createPlainTool(cwd, options)
  const spied = spyOnSpares(createLocalHost({ cwd, home: `${cwd}/none` }))
  const host = sandboxed(spied.host, defaults([cwd, tmpdir()], cwd))
  proven.ends.push(() => host.endJobs())
  const tool = createPlainTool(cwd, { ...options, host })
  return proven.where === "spare" ? inSpares(tool, spied) : tool
}
