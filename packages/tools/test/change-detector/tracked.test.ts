import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { blobs, cleanFiles, type GitContext } from "../../src/change-detector/tracked.ts"
import { createMemoryHost } from "../../src/host/memory.ts"

type Run = (command: string | readonly string[], options: ExecOptions) => Promise<ExecResult>

const fine: ExecResult = { code: 0, signal: null }

/** A host whose git runs like this. */
function place(run: Run, more: Partial<Host> & Partial<Pick<GitContext, "gitEnvironment">> = {}) {
  const { gitEnvironment = async () => ({ GIT_X: "1" }), ...hostMore } = more
  const calls: { readonly command: string | readonly string[]; readonly options: ExecOptions }[] = []
  const clock = manualClock()
  const memory = createMemoryHost({
    env: { OWN: "1" },
    exec: async (command, options) => {
      calls.push({ command, options })
      return run(command, options)
    },
  })
  const searched: unknown[] = []
  const which: Host["which"] = async (...words) => {
    searched.push(words)
    return "/bin/git"
  }
  const host: Host = { ...memory, which, ...hostMore }
  const context: GitContext = { host, folder: "/w", clock, maxTime: 300, gitEnvironment }
  return { context, calls, clock, searched }
}

/** Answers of `git ls-files`: all files, and the modified ones. */
const listing =
  (all: string, modified = ""): Run =>
  async (command, { onData }) => {
    onData(Buffer.from(command.includes("-m") ? modified : all), "stdout")
    onData(Buffer.from("warning"), "stderr")
    return fine
  }

const id = "a".repeat(40)

test("unmodified tracked files have their full paths and blob ids", async () => {
  const rows = [
    `H 100644 ${id} 0\ta`,
    `H 100755 ${"b".repeat(64)} 0\td/b c`,
    `H 100644 ${id} 0\tmodified`,
    `H 120000 ${id} 0\tlink`,
    `H 160000 ${id} 0\tsub`,
    `H 100644 ${id} 1\tconflict`,
    `S 100644 ${id} 0\tskipped`,
    `h 100644 ${id} 0\tunchanged`,
    `H 100644 ${"c".repeat(39)} 0\tshort`,
    `xH 100644 ${id} 0\tx`,
    `H 100644 ${id} 0\twith\nnewline`,
  ]
  const { context, calls, searched } = place(listing(`${rows.join("\0")}\0`, "modified\0"))
  assert.deepEqual(
    [...(await cleanFiles(context))],
    [
      ["/w/a", id],
      ["/w/d/b c", "b".repeat(64)],
      ["/w/with\nnewline", id],
    ],
  )
  assert.deepEqual(
    calls.map(({ command }) => command),
    [
      ["/bin/git", "ls-files", "-z", "-v", "-s"],
      ["/bin/git", "ls-files", "-z", "-m"],
    ],
  )
  assert.deepEqual(calls[0]?.options.env, { OWN: "1", GIT_X: "1" })
  assert.equal(calls[0]?.options.cwd, "/w")
  assert.deepEqual(searched, [["git", { own: true }]])
})

test("without git, or where it fails, no file is known", async () => {
  const all = listing(`H 100644 ${id} 0\ta\0`)
  for (const [run, more] of [
    [all, { which: async () => null }],
    [all, { gitEnvironment: async () => null }],
    [async () => ({ code: 1, signal: null }), {}],
    [() => Promise.reject(new Error("E2BIG")), {}],
    [
      async (command: unknown, options: ExecOptions) =>
        (command as string[]).includes("-m") ? { ...fine, code: 1 } : all("", options),
      {},
    ],
  ] as readonly (readonly [Run, Parameters<typeof place>[1]])[])
    assert.equal((await cleanFiles(place(run, more).context)).size, 0)
})

test("a query that takes too long, or answers more than its limit, is stopped", async () => {
  const silent = place((_, { signal, onStart }) => {
    onStart?.()
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ code: null, signal: "SIGKILL" })))
  })
  const found = cleanFiles(silent.context)
  await silent.clock.advance(299)
  assert.equal(silent.calls[0]?.options.signal.aborted, false)
  await silent.clock.advance(1)
  assert.equal((await found).size, 0)
  assert.equal(silent.clock.waiting, 0)
  const answer = async (bytes: number) => {
    const stopped: boolean[] = []
    const { context } = place(async (_, { onData, signal }) => {
      onData(Buffer.from(`${id} blob ${bytes - 49}\n`.padEnd(bytes, "x")), "stdout")
      stopped.push(signal.aborted)
      return fine
    })
    return [(await blobs(context, [id], 100)).size, stopped]
  }
  assert.deepEqual(await answer(100), [1, [false]])
  assert.deepEqual(await answer(101), [0, [true]])
})

/** An answer of `git cat-file --batch` with these blobs. */
const batch = (all: Readonly<Record<string, string>>) =>
  Object.entries(all)
    .map(([name, text]) => `${name} blob ${Buffer.byteLength(text)}\n${text}\n`)
    .join("")

const answering =
  (text: string): Run =>
  async (_, { onData }) => {
    onData(Buffer.from(text), "stdout")
    return fine
  }

test("blobs are read by id, and missing or other objects are left out", async () => {
  const text = `${batch({ a1: "one\n", b2: "" })}c3 missing\nd4 tree 3\n${batch({ e5: "ü\nblob" })}`
  const { context, calls } = place(answering(text))
  const found = await blobs(context, ["a1", "b2", "c3", "d4", "e5"], 1000)
  assert.deepEqual(
    [...found].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    [
      ["a1", "one\n"],
      ["b2", ""],
      ["e5", "ü\nblob"],
    ],
  )
  assert.equal(calls[0]?.command, "'/bin/git' cat-file --batch <<'END'\na1\nb2\nc3\nd4\ne5\nEND")
  const none = place(answering(text))
  assert.equal((await blobs(none.context, [], 1000)).size, 0)
  assert.deepEqual([none.calls, none.searched], [[], []])
  assert.equal((await blobs(place(answering(text), { which: async () => null }).context, ["a1"], 1000)).size, 0)
  assert.equal((await blobs(place(async () => ({ ...fine, code: 128 })).context, ["a1"], 1000)).size, 0)
})

test("a cut answer has the blobs before the cut", async () => {
  const whole = batch({ a1: "one", b2: "two" })
  for (const [length, names] of [
    [whole.length, ["a1", "b2"]],
    [whole.length - 1, ["a1", "b2"]],
    [whole.length - 2, ["a1"]],
    [whole.length - 5, ["a1"]],
    [5, []],
  ] as const)
    assert.deepEqual([...(await blobs(place(answering(whole.slice(0, length))).context, ["a1"], 1000)).keys()], names)
})

test("at most 1000 ids are asked for at once, and none when the bytes are used up", async () => {
  const ids = Array.from({ length: 1_001 }, (_, at) => `i${at}`)
  const { context, calls } = place(answering("x missing\n"))
  await blobs(context, ids, 1000)
  assert.deepEqual(
    calls.map(({ command }) => String(command).split("\n").length - 2),
    [1_000, 1],
  )
  const full = place(answering("x missing\n"))
  await blobs(full.context, ids, 10)
  assert.equal(full.calls.length, 1)
  const quoted = place(answering(""), { which: async () => "/it's/git" })
  await blobs(quoted.context, ["a"], 10)
  assert.match(String(quoted.calls[0]?.command), /^'\/it'\\''s\/git' cat-file/)
})
