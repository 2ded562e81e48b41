import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Host, Tool } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createEditTool, createWriteTool } from "../../src/index.ts"

/** A workspace, and a folder beside it that must not change. */
export interface Fenced {
  readonly base: string
  readonly work: string
  readonly outside: string
  /** All names and contents outside, as one text. */
  look(): string
}

export function fenced(t: { after(work: () => void): void }): Fenced {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "gong-fence-")))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  const work = join(base, "work")
  const outside = join(base, "outside")
  for (const folder of [work, outside]) {
    mkdirSync(folder)
    writeFileSync(join(folder, "file.txt"), "one\n")
  }
  const besides = () => readdirSync(base).filter((name) => name !== "work")
  const look = () =>
    besides()
      .sort()
      .map((name) => contentOf(join(base, name)))
      .join("\n")
  return { base, work, outside, look }
}

function contentOf(path: string): string {
  if (statSync(path).isFile()) return `${path}: ${readFileSync(path, "utf8")}`
  return [
    path,
    ...readdirSync(path)
      .sort()
      .map((name) => contentOf(join(path, name))),
  ].join("\n")
}

/** The host with writes by path only, as without the guard. */
export function byPathOnly(host: Host): Host {
  return {
    ...host,
    readRange: (path, from, to) => host.readRange(path, from, to),
    mkdir: async (path) => void (await mkdir(path, { recursive: true })),
    replaceFile: async (path, bytes, { announce } = {}) => {
      await announce?.()
      await writeFile(path, bytes)
    },
  }
}

export type Roots = readonly string[] | "anywhere"

export function changers(cwd: string, roots: Roots, host: Host = createLocalHost({ cwd })): readonly Changer[] {
  const edits = [{ oldText: "one", newText: "changed" }]
  return [
    { tool: createWriteTool(cwd, { host, roots }) as Tool, args: (path) => ({ path, content: "changed\n" }) },
    { tool: createEditTool(cwd, { host, roots }) as Tool, args: (path) => ({ path, edits }) },
  ]
}

export interface Changer {
  readonly tool: Tool
  args(path: string): Readonly<Record<string, unknown>>
}
