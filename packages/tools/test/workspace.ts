import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { TestContext } from "node:test"
import type { FilesSeen, ToolContext, ToolResult } from "@gong/spec"

/** A temp folder that is removed after the test. */
export interface TestPlace {
  readonly cwd: string
  at(path: string): string
  put(path: string, content: string | Uint8Array): string
  text(path: string): string
  bytes(path: string): Buffer
  /** Sets a file's modification time, in seconds. */
  age(path: string, seconds: number): void
}

export function place(t: TestContext): TestPlace {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gong-tools-")))
  t.after(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5 }))
  const at = (path: string) => join(cwd, path)
  return {
    cwd,
    at,
    put(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), content)
      return at(path)
    },
    text: (path) => readFileSync(at(path), "utf8"),
    bytes: (path) => readFileSync(at(path)),
    age: (path, seconds) => utimesSync(at(path), seconds, seconds),
  }
}

export function context(more: Partial<ToolContext> = {}): ToolContext {
  return { signal: new AbortController().signal, onProgress() {}, ...more }
}

/** A session that has just read parts of these files. */
export function seenNow(...paths: readonly string[]): FilesSeen {
  const files = paths.map((path) => ({ path, size: statSync(path).size, mtimeMs: statSync(path).mtimeMs }))
  return { files: new Map(files.map((file) => [file.path, file])), commands: [] }
}

export function abortedContext(): ToolContext {
  return context({ signal: AbortSignal.abort() })
}

/** The text for the model. */
export function messages(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`)).join("\n")
}

export function lines(count: number, of: (line: number) => string = (line) => `line ${line}`): string {
  return Array.from({ length: count }, (_, at) => `${of(at + 1)}\n`).join("")
}
