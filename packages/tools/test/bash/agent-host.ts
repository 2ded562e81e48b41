import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { createBashTool, type BashOptions, type BashTool } from "../../src/index.ts"
import { defaults } from "../host/sandbox-place.ts"
import { spyOnSpares } from "../host/spare-place.ts"
import { inSpares } from "./in-spares.ts"

/** How commands are confined: not, in a sandbox made for each, or in one that waited for it. */
export type How = "plain" | "sandbox" | "spare"

/** The tool at this machine, with its commands confined or not. */
export function agentTool(how: How, folder: string, options: BashOptions = {}): { host: Host; tool: BashTool } {
  const spied = spyOnSpares(createLocalHost({ cwd: folder, home: join(folder, "none") }))
  const confined = () => sandboxed(spied.host, defaults([folder, tmpdir()], join(folder, "blank")))
  const host = how === "plain" ? spied.host : confined()
  const tool = createBashTool(folder, { host, ...options })
  return { host, tool: how === "spare" ? inSpares(tool, spied) : tool }
}
