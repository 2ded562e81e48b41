import type { Tool } from "@gong/spec"
import { codingTools, readOnlyTools } from "./active.ts"
import { createBashTool } from "./bash/tool.ts"
import { type BuiltInOptions, createBuiltIns, toolNames } from "./built-in.ts"
import { createEditTool } from "./edit/tool.ts"
import { createFindTool } from "./find/tool.ts"
import { createGrepTool } from "./grep/tool.ts"
import { createLsTool } from "./ls/tool.ts"
import { createReadTool } from "./read/tool.ts"
import { createWriteTool } from "./write/tool.ts"

/** Factories of the tools that need only a host, for programs that use a single tool. */
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

/** The default tools by name, in catalogue order. They share one host. */
export function createAllTools(cwd: string, options: BuiltInOptions = {}): Readonly<Record<ToolName, Tool>> {
  const made = createBuiltIns(cwd, options).filter(({ name }) => toolNames.includes(name))
  return Object.fromEntries(made.map((tool) => [tool.name, tool])) as Record<ToolName, Tool>
}

export function createCodingTools(cwd: string, options: BuiltInOptions = {}): readonly Tool[] {
  const all = createAllTools(cwd, options)
  return codingTools.map((name) => all[name])
}

export function createReadOnlyTools(cwd: string, options: BuiltInOptions = {}): readonly Tool[] {
  return createBuiltIns(cwd, options).filter(({ name }) => readOnlyTools.includes(name))
}
