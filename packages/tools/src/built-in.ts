import type { Declarations, Tool } from "@gong/spec"
import { askDeclaration, createAskTool } from "./ask/tool.ts"
import { bashDeclaration, createBashTool } from "./bash/tool.ts"
import type { BashOptions } from "./bash/schema.ts"
import { createEditTool, editDeclaration } from "./edit/tool.ts"
import type { FetchOptions } from "./fetch/ports.ts"
import { createFetchTool, fetchDeclaration } from "./fetch/tool.ts"
import { createFindTool, findDeclaration } from "./find/tool.ts"
import type { FindOptions } from "./find/schema.ts"
import { createGrepTool, grepDeclaration } from "./grep/tool.ts"
import type { GrepOptions } from "./grep/schema.ts"
import { createLsTool, lsDeclaration } from "./ls/tool.ts"
import type { LsOptions } from "./ls/schema.ts"
import { openHost, type ToolOptions } from "./options.ts"
import { createReadTool, readDeclaration } from "./read/tool.ts"
import type { ReadOptions } from "./read/schema.ts"
import { createTaskTool, taskDeclaration, type TaskOptions } from "./task/tool.ts"
import { createTodoTool, todoDeclaration } from "./todo/tool.ts"
import type { OwnDeclaration } from "./tool.ts"
import { createWriteTool, writeDeclaration } from "./write/tool.ts"

/** Options for all tools, and per-tool options by name. */
export interface BuiltInOptions extends ToolOptions {
  readonly read?: ReadOptions
  readonly bash?: BashOptions
  readonly grep?: GrepOptions
  readonly find?: FindOptions
  readonly ls?: LsOptions
  readonly fetch?: FetchOptions
  readonly task?: TaskOptions
}

export interface BuiltIn {
  readonly declaration: OwnDeclaration
  /** Offered to the model only if a user names it. */
  readonly extra?: true
  /** Null if a required option is missing. */
  create(cwd: string, options: BuiltInOptions): Tool | null
}

/** Gong's own tools in catalogue order. A new tool is one folder and one line here. */
export const builtIns: readonly BuiltIn[] = [
  { declaration: readDeclaration, create: (cwd, { read, ...all }) => createReadTool(cwd, { ...all, ...read }) },
  { declaration: writeDeclaration, create: createWriteTool },
  { declaration: editDeclaration, create: createEditTool },
  { declaration: bashDeclaration, create: (cwd, { bash, ...all }) => createBashTool(cwd, { ...all, ...bash }) },
  { declaration: grepDeclaration, create: (cwd, { grep, ...all }) => createGrepTool(cwd, { ...all, ...grep }) },
  { declaration: findDeclaration, create: (cwd, { find, ...all }) => createFindTool(cwd, { ...all, ...find }) },
  { declaration: lsDeclaration, create: (cwd, { ls, ...all }) => createLsTool(cwd, { ...all, ...ls }) },
  { declaration: fetchDeclaration, extra: true, create: (_, { fetch }) => (fetch ? createFetchTool(fetch) : null) },
  { declaration: todoDeclaration, extra: true, create: createTodoTool },
  { declaration: askDeclaration, extra: true, create: createAskTool },
  { declaration: taskDeclaration, extra: true, create: (_, { task }) => (task ? createTaskTool(task) : null) },
]

/** The tools offered by default, and the tools offered only by name. */
export const toolNames: readonly string[] = namesOf(({ extra }) => extra !== true)
export const extraToolNames: readonly string[] = namesOf(({ extra }) => extra === true)

function namesOf(wanted: (tool: BuiltIn) => boolean): readonly string[] {
  return builtIns.filter(wanted).map(({ declaration }) => declaration.name)
}

/** The declarations of Gong's own tools, which are the only ones that policy trusts. */
export const builtInDeclarations: Declarations = (tool) =>
  builtIns.find(({ declaration }) => declaration.name === tool)?.declaration ?? null

/** All tools whose required options are present, in catalogue order. They share one host. */
export function createBuiltIns(cwd: string, options: BuiltInOptions = {}): readonly Tool[] {
  const all = { ...options, host: openHost(cwd, options) }
  return builtIns.flatMap(({ create }) => create(cwd, all) ?? [])
}

/** Creates one tool. Null if the name is unknown or a required option is missing. */
export function createBuiltIn(name: string, cwd: string, options: BuiltInOptions = {}): Tool | null {
  return builtIns.find(({ declaration }) => declaration.name === name)?.create(cwd, options) ?? null
}
