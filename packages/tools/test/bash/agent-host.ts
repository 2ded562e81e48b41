import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createSandboxedHost } from "../../src/host/sandbox/index.ts"
import { createBashTool, type BashOptions, type BashTool } from "../../src/index.ts"
import { defaults } from "../host/sandbox/sandbox-fixture.ts"

/** Whether commands are confined. */
export type How = "plain" | "sandbox"

/** The tool on this machine, with or without a sandbox. */
export function agentTool(how: How, folder: string, options: BashOptions = {}): { host: Host; tool: BashTool } {
  const local = createLocalHost({ cwd: folder, home: join(folder, "none") })
  const host = how === "plain" ? local : createSandboxedHost(local, defaults([folder, tmpdir()]))
  return { host, tool: createBashTool(folder, { host, ...options }) }
}
