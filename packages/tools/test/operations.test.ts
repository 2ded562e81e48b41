import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../src/host/memory.ts"
import {
  createBashTool,
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
} from "../src/index.ts"
import { tiny } from "./image/pictures.ts"
import { context, lines, messages } from "./workspace.ts"

const edits = [{ oldText: "one", newText: "two" }]

test("[OPS-BASH.1] an injected exec receives the command; nothing is spawned", async () => {
  const calls: unknown[] = []
  const operations = {
    exec: async (command: string, cwd: string, options: { onData(bytes: Uint8Array, stream: "stdout"): void }) => {
      calls.push([command, cwd])
      options.onData(Buffer.from("remote\n"), "stdout")
      return { code: 0, signal: null }
    },
  }
  const result = await createBashTool("/far/away", { operations }).execute("c", { command: "uname" }, context())
  assert.equal(messages(result), "remote\n")
  assert.deepEqual(calls, [["uname", "/far/away"]])
})

test("[OPS-READ.1] an injected readFile", async () => {
  const operations = { readFile: async (path: string) => Buffer.from(`at ${path}`) }
  const result = await createReadTool("/far", { operations }).execute("c", { path: "a.txt" }, context())
  assert.equal(messages(result), "at /far/a.txt")
})

test("[OPS-READ.2] an injected access that throws prevents the read", async () => {
  const denied = Object.assign(new Error("no"), { code: "EACCES" })
  let reads = 0
  const operations = { readFile: async () => (reads++, Buffer.from("x")), access: () => Promise.reject(denied) }
  const result = await createReadTool("/far", { operations }).execute("c", { path: "a.txt" }, context())
  assert.match(messages(result), /^EACCES: a\.txt: permission denied/)
  assert.deepEqual([result.isError, reads], [true, 0])
  const absent = Object.assign(new Error("none"), { code: "ENOENT" })
  const missing = createReadTool("/far", { operations: { ...operations, access: () => Promise.reject(absent) } })
  assert.match(messages(await missing.execute("c", { path: "a.txt" }, context())), /File not found: a\.txt/)
})

test("[OPS-READ.3] an injected type detection is used; by default the bytes decide", async () => {
  const readFile = async () => tiny["image/gif"] ?? new Uint8Array()
  const read = (operations: object) => createReadTool("/far", { operations }).execute("c", { path: "a" }, context())
  assert.match(messages(await read({ readFile })), /<image\/gif>/)
  assert.doesNotMatch(messages(await read({ readFile, detectImageMimeType: async () => null })), /image/)
  const asPng = { readFile: async () => Buffer.from("no image"), detectImageMimeType: async () => "image/png" }
  assert.match(messages(await read(asPng)), /The image is damaged .*\(image\/png, 8B\)/)
})

test("[OPS-WRITE.1] [OPS-WRITE.2] injected mkdir, then writeFile with path and content", async () => {
  const calls: string[] = []
  const operations = {
    mkdir: async (path: string) => void calls.push(`mkdir ${path}`),
    writeFile: async (path: string, bytes: Uint8Array) => void calls.push(`${path} ${Buffer.from(bytes).toString()}`),
  }
  await createWriteTool("/far", { operations }).execute("c", { path: "d/a.txt", content: "hi" }, context())
  assert.deepEqual(calls, ["mkdir /far/d", "/far/d/a.txt hi"])
})

test("[OPS-EDIT.1] [OPS-EDIT.2] [OPS-EDIT.3] injected access, readFile and writeFile, without a file on disk", async () => {
  const calls: string[] = []
  const operations = {
    access: async () => void calls.push("access"),
    readFile: async () => (calls.push("read"), Buffer.from("one")),
    writeFile: async (path: string, bytes: Uint8Array) => void calls.push(`${path} ${Buffer.from(bytes).toString()}`),
  }
  const result = await createEditTool("/far", { operations }).execute("c", { path: "a.txt", edits }, context())
  assert.equal(result.isError, false)
  assert.deepEqual([...new Set(calls)], ["access", "read", "/far/a.txt two"])
})

test("[OPS-FIND.1] [OPS-FIND.2] injected exists and glob", async () => {
  const asked: string[] = []
  const operations = {
    exists: async (path: string) => (asked.push(path), true),
    glob: async (pattern: string, cwd: string, { limit, signal }: { limit: number; signal: AbortSignal }) => [
      `${pattern} in ${cwd}, at most ${limit}${signal.aborted ? ", aborted" : ""}`,
    ],
  }
  const result = await createFindTool("/far", { operations }).execute("c", { pattern: "*.ts", limit: 7 }, context())
  assert.match(messages(result), /^\*\.ts in \/far, at most [78]$/)
  assert.ok(asked.includes("/far"))
  const none = { ...operations, exists: async () => false }
  const missing = await createFindTool("/far", { operations: none }).execute("c", { pattern: "*" }, context())
  assert.match(messages(missing), /Path not found/)
  assert.equal(missing.isError, true)
})

test("[OPS-GREP.1] [OPS-GREP.2] injected isDirectory and readFile, for matches and context lines", async () => {
  const asked: string[] = []
  const operations = {
    isDirectory: async (path: string) => (asked.push(`isDirectory ${path}`), false),
    readFile: async (path: string) => (asked.push(`readFile ${path}`), Buffer.from(lines(3))),
  }
  const tool = createGrepTool("/far", { host: createMemoryHost({ cwd: "/far" }), operations })
  const result = await tool.execute("c", { pattern: "2", path: "a.txt", context: 1 }, context())
  for (const name of ["isDirectory", "readFile"]) assert.ok(asked.includes(`${name} /far/a.txt`), name)
  assert.equal(messages(result), "a.txt-1- line 1\na.txt:2: line 2\na.txt-3- line 3")
})

test("[OPS-LS.1] [OPS-LS.2] [OPS-LS.3] injected exists, stat and readdir", async () => {
  const operations = {
    exists: async (path: string) => !path.endsWith("gone"),
    stat: async (path: string) =>
      ({ kind: path === "/far" || path.endsWith("/d") ? "directory" : "file", size: 7, mtimeMs: 0 }) as const,
    readdir: async () =>
      [
        { name: "d", kind: "directory" },
        { name: "f", kind: "file" },
        { name: "gone", kind: "file" },
      ] as const,
  }
  const result = await createLsTool("/far", { operations }).execute("c", {}, context())
  assert.equal(messages(result), "d/\nf")
  assert.equal(result.details?.total_size, 7)
})

test("[OPS-X.1] read, write and edit work in memory, without a disk", async () => {
  const host = createMemoryHost({ cwd: "/w" })
  await createWriteTool("/w", { host }).execute("c", { path: "d/a.txt", content: "one\n" }, context())
  await createEditTool("/w", { host }).execute("c", { path: "d/a.txt", edits }, context())
  assert.equal(messages(await createReadTool("/w", { host }).execute("c", { path: "d/a.txt" }, context())), "two\n")
  assert.equal(messages(await createLsTool("/w", { host }).execute("c", {}, context())), "d/")
})

test("[OPS-X.2] [PATH-5] bash and read act on the given host, with its paths", async () => {
  const host = createMemoryHost({
    cwd: "/srv/app",
    files: { "/srv/app/a.txt": "inner" },
    exec: async (_command, { cwd, onData }) => {
      onData(Buffer.from(`in ${cwd}\n`), "stdout")
      return { code: 0, signal: null }
    },
  })
  const bash = createBashTool("/srv/app", { host })
  assert.equal(messages(await bash.execute("c", { command: "pwd" }, context())), "in /srv/app\n")
  const read = createReadTool("/srv/app", { host })
  assert.equal(messages(await read.execute("c", { path: "/srv/app/a.txt" }, context())), "inner")
})
