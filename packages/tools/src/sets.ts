import type { Tool } from "@gong/spec"
import { codingTools, readOnlyTools } from "./active.ts"
import { createBashTool, type BashOptions } from "./bash/tool.ts"
import { createEditTool } from "./edit/tool.ts"
import { createFindTool, type FindOptions } from "./find/tool.ts"
import { createGrepTool, type GrepOptions } from "./grep/tool.ts"
import { createLsTool, type LsOptions } from "./ls/tool.ts"
import { openHost, type ToolOptions } from "./options.ts"
import { createReadTool, type ReadOptions } from "./read/tool.ts"
import { createWriteTool } from "./write/tool.ts"

/** Options for all tools, and for one of them alone by its name. */
export interface SetOptions extends ToolOptions {
  readonly read?: ReadOptions
  readonly bash?: BashOptions
  readonly grep?: GrepOptions
  readonly find?: FindOptions
  readonly ls?: LsOptions
}

/** A factory for each built-in tool, in catalogue order. */
export const allTools = {
  read: createReadTool,
  write: createWriteTool,
  edit: createEditTool,
  bash: createBashTool,
  grep: createGrepTool,
  find: createFindTool,
  ls: createLsTool,
} as const

export type ToolName = keyof typeof allTools

/** All seven by name, in catalogue order. They share one host. */
export function createAllTools(cwd: string, options: SetOptions = {}): Readonly<Record<ToolName, Tool>> {
  const { read, bash, grep, find, ls, ...given } = options
  const common = { ...given, host: openHost(cwd, given) }
  return {
    read: createReadTool(cwd, { ...common, ...read }),
    write: createWriteTool(cwd, common),
    edit: createEditTool(cwd, common),
    bash: createBashTool(cwd, { ...common, ...bash }),
    grep: createGrepTool(cwd, { ...common, ...grep }),
    find: createFindTool(cwd, { ...common, ...find }),
    ls: createLsTool(cwd, { ...common, ...ls }),
  }
}

export function createCodingTools(cwd: string, options: SetOptions = {}): readonly Tool[] {
  const all = createAllTools(cwd, options)
  return codingTools.map((name) => all[name])
}

export function createReadOnlyTools(cwd: string, options: SetOptions = {}): readonly Tool[] {
  const all = createAllTools(cwd, options)
  return readOnlyTools.map((name) => all[name])
}
