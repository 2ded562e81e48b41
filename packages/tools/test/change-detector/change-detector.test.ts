import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { setTimeout } from "node:timers/promises"
import { type Artifacts, type Host, noCopy, type Tool } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { systemClock } from "../../src/host/clock.ts"
import { createChangeDetector, type ScanLimits } from "../../src/change-detector/change-detector.ts"

interface Here {
  readonly folder: string
  readonly host: Host
  readonly jobs: Set<number>
  /** Milliseconds by which the clock of the session is ahead of file times. */
  shift(ms: number): void
  /** Runs a command of the session; with `job` it continues in the background under this number. */
  run(work: () => void, options?: { readonly callId?: string; readonly job?: number }): Promise<void>
  scan(): Promise<readonly (readonly [string, string, string | null])[]>
  readonly detector: ReturnType<typeof createChangeDetector>
  path(name: string): string
}

interface PlaceOptions {
  readonly git?: boolean
  readonly limits?: Partial<ScanLimits>
  /** Milliseconds that each program waits before it starts, and that pass when it has. */
  readonly takes?: { readonly before?: number; readonly after?: number }
}

/** A workspace on disk with these files; with `git` they are committed. */
function place(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  { git = false, limits = {}, takes = {} }: PlaceOptions = {},
): Here {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-detector-")))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  if (git) commit(folder)
  const local = createLocalHost({ cwd: folder })
  const jobs = new Set<number>()
  let ahead = 0
  const host: Host = {
    ...local,
    exec(command, options) {
      ahead += takes.before ?? 0
      const onStart = (): void => {
        options.onStart?.()
        ahead += takes.after ?? 0
      }
      return local.exec(command, { ...options, onStart })
    },
  }
  const detector = createChangeDetector({
    folder,
    place: { cwd: folder },
    host: async () => host,
    clock: { ...systemClock, now: () => Date.now() + ahead },
    jobs: { running: () => [...jobs].map((number) => ({ number, title: "" })) },
    gitEnvironment: async () => ({}),
    mayWrite: (command) => command !== "cat",
    limits: { maxTime: 60_000, maxKeepTime: 60_000, ...limits },
  })
  const artifacts = memoryArtifacts()
  return {
    folder,
    host,
    jobs,
    detector,
    shift: (ms) => void (ahead = ms),
    path: (name) => join(folder, name),
    async run(work, { callId = "c1", job } = {}) {
      if (job !== undefined) jobs.add(job)
      const tool = detector.wrap(commandOf(work, job))
      const context = { signal: new AbortController().signal, onProgress: () => undefined, artifacts }
      await tool.execute(callId, { command: "work" } as never, context)
    },
    async scan() {
      const { changes } = await detector.scan()
      return changes.map(({ callId, file, before, beforeText }) => {
        assert.ok(file)
        return [callId, `${file.change} ${file.path} +${file.added} -${file.removed}`, beforeText ?? before] as const
      })
    },
  }
}

function commandOf(work: () => void, job: number | undefined): Tool {
  return {
    name: "bash",
    label: "Bash",
    description: "",
    parameters: {},
    promptSnippet: "",
    promptGuidelines: [],
    readOnly: false,
    interruptible: true,
    title: () => "",
    async execute() {
      work()
      return { content: [], details: job === undefined ? null : { job }, isError: false }
    },
  }
}

function memoryArtifacts(): Artifacts {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(bytes) {
      const name = `sha256-${createHash("sha256").update(bytes).digest("hex")}`
      kept.set(name, Uint8Array.from(bytes))
      return name
    },
    get: async (name) => kept.get(name) ?? null,
    spillPath: async (name) => name,
  }
}

function commit(folder: string): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    [...identity, "commit", "--quiet", "-m", "first"],
  ])
    execFileSync("git", args, { cwd: folder })
}

for (const git of [true, false]) {
  test(`modified, created and deleted files with their previous content, ${git ? "from git" : "from copies"}`, async (t) => {
    const here = place(t, { "a.txt": "a\n", "b.txt": "b\n", "same.txt": "s\n" }, { git })
    await here.run(() => {
      appendFileSync(here.path("a.txt"), "2\n")
      rmSync(here.path("b.txt"))
      writeFileSync(here.path("new.txt"), "n\n")
      // Neither a mode change nor rewriting the same bytes counts.
      chmodSync(here.path("same.txt"), 0o600)
      writeFileSync(here.path("same.txt"), "s\n")
    })
    assert.equal(here.detector.isDue(false), true)
    assert.deepEqual(await here.scan(), [
      ["c1", "modified a.txt +1 -0", "a\n"],
      ["c1", "deleted b.txt +0 -1", "b\n"],
      ["c1", "created new.txt +1 -0", null],
    ])
    assert.equal(here.detector.isDue(true), false)
    assert.deepEqual(await here.scan(), [])
  })
}

test("a second command is compared with the result of the first and of the session's own tools", async (t) => {
  const here = place(t, { "a.txt": "1\n", "b.txt": "b\n" }, { git: true })
  await here.run(() => appendFileSync(here.path("a.txt"), "2\n"))
  await here.scan()
  here.detector.expectChange(here.path("b.txt"))
  writeFileSync(here.path("b.txt"), "edited\n")
  await here.run(
    () => {
      appendFileSync(here.path("a.txt"), "3\n")
      appendFileSync(here.path("b.txt"), "more\n")
    },
    { callId: "c2" },
  )
  assert.deepEqual(await here.scan(), [
    ["c2", "modified a.txt +1 -0", "1\n2\n"],
    ["c2", "modified b.txt +1 -0", "edited\n"],
  ])
})

test("a scan during an edit of the session does not see its temporary file", async (t) => {
  const here = place(t, { a: "one" })
  await here.run(() => writeFileSync(here.path("b"), "new"))
  const names: string[] = []
  const announce = async () => void names.push(...(await here.scan()).map(([, file]) => file))
  await here.host.replaceFile(here.path("a"), Buffer.from("two"), { announce })
  here.detector.expectChange(here.path("a"))
  assert.deepEqual(names, ["created b +1 -0"])
  assert.deepEqual(await here.scan(), [])
})

test("changes made while no command ran are not attributed, and become part of the known state", async (t) => {
  const here = place(t, { "a.txt": "1\n" })
  await here.run(() => undefined)
  await here.scan()
  // By the session's clock this command ended an hour before the files changed.
  here.shift(-3_600_000)
  await here.run(() => {
    writeFileSync(here.path("a.txt"), "theirs\n")
    writeFileSync(here.path("theirs.txt"), "theirs\n")
  })
  assert.deepEqual(await here.scan(), [])
  here.shift(0)
  await here.run(() => appendFileSync(here.path("a.txt"), "2\n"), { callId: "c3" })
  assert.deepEqual(await here.scan(), [["c3", "modified a.txt +1 -0", "theirs\n"]])
})

test("later changes of a background job belong to the call that started it", async (t) => {
  const here = place(t, { "a.txt": "1\n" })
  await here.run(() => undefined, { callId: "started", job: 1 })
  await here.scan()
  assert.equal(here.detector.isDue(false), false)
  assert.equal(here.detector.isDue(true), true, "at the end of a run a job is looked for")
  appendFileSync(here.path("a.txt"), "2\n")
  assert.deepEqual(await here.scan(), [["started", "modified a.txt +1 -0", "1\n"]])
  here.jobs.delete(1)
  await here.scan()
  assert.equal(here.detector.isDue(true), false, "it ended before that scan")
})

test("files too large for a copy, or beyond the total limit, have none", async (t) => {
  const limits = { maxFileBytes: 10, maxBytes: 14 }
  const here = place(t, { "big.txt": "more than ten bytes\n", "a.txt": "12345678\n" }, { limits })
  writeFileSync(here.path("late.txt"), "12345678\n")
  utimesSync(here.path("late.txt"), 4_000_000_000, 4_000_000_000)
  await here.run(() => {
    for (const name of ["big.txt", "a.txt", "late.txt"]) appendFileSync(here.path(name), "x\n")
  })
  const found = await here.scan()
  assert.deepEqual(
    found.map(([, what, before]) => [what.split(" ")[1], before === noCopy]),
    [
      ["a.txt", true],
      ["big.txt", true],
      ["late.txt", false],
    ],
    "the newest is copied first",
  )
})

test("with 20,001 files only those changed by the session are tracked, and the reason is reported", async (t) => {
  const here = place(t, { "own.txt": "1\n" })
  mkdirSync(here.path("many"))
  for (let at = 0; at < 20_000; at++) writeFileSync(here.path(`many/${at}`), "")
  here.detector.expectChange(here.path("own.txt"))
  await here.run(() => {
    appendFileSync(here.path("own.txt"), "2\n")
    appendFileSync(here.path("many/1"), "2\n")
  })
  const { changes, cut } = await here.detector.scan()
  assert.deepEqual(
    changes.map(({ path, beforeText }) => [path, beforeText]),
    [[here.path("own.txt"), "1\n"]],
  )
  assert.equal(cut, "it has more than 20,000 files")
})

test("of the changes beyond the time limit 16 are kept; the others are counted and have no copy afterwards", async (t) => {
  const names = Array.from({ length: 18 }, (_, at) => `${at}.txt`)
  const files = Object.fromEntries(names.map((name) => [name, "1\n"]))
  const here = place(t, files, { limits: { maxKeepTime: -1 } })
  await here.run(() => {
    for (const name of names) appendFileSync(here.path(name), "2\n")
  })
  const { changes, cut } = await here.detector.scan()
  assert.deepEqual(
    changes.map(({ beforeText }) => beforeText),
    Array(16).fill("1\n"),
  )
  assert.equal(cut, "commands changed 2 more files than there was time to keep")
  assert.deepEqual(await here.detector.scan(), { changes: [], cut: null })
})

test("changes by others take no place among the 16 that are kept beyond the time limit", async (t) => {
  const others = Array.from({ length: 16 }, (_, at) => `${at}.txt`)
  const files = Object.fromEntries([...others, "z.txt"].map((name) => [name, "1\n"]))
  const here = place(t, files, { limits: { maxKeepTime: -1 } })
  await here.run(() => undefined)
  await here.scan()
  for (const name of others) appendFileSync(here.path(name), "2\n")
  // A change this shortly before a command would count as the command's: the times of files are coarse.
  await setTimeout(50)
  await here.run(() => appendFileSync(here.path("z.txt"), "2\n"))
  assert.deepEqual(await here.scan(), [["c1", "modified z.txt +1 -0", "1\n"]])
})

test("ignored files are skipped, and a file that becomes ignored does not count as deleted", async (t) => {
  const here = place(t, { ".gitignore": "*.log\n", "a.log": "1\n", "b.txt": "b\n" }, { git: true })
  await here.run(() => {
    appendFileSync(here.path("a.log"), "2\n")
    appendFileSync(here.path(".gitignore"), "b.txt\n")
  })
  assert.deepEqual(await here.scan(), [["c1", "modified .gitignore +1 -0", "*.log\n"]])
})

test("a blob that git converted on checkout is not used as a copy", async (t) => {
  const here = place(t, { ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "1\r\n" }, { git: true })
  await here.run(() => appendFileSync(here.path("a.txt"), "2\r\n"))
  assert.deepEqual(await here.scan(), [["c1", "modified a.txt +0 -0", noCopy]])
})

test("a renamed file is one deleted and one created file; names may contain any characters", async (t) => {
  const here = place(t, { "a b\n'c.txt": "1\n" }, { git: true })
  await here.run(() => renameSync(here.path("a b\n'c.txt"), here.path("d.txt")))
  assert.deepEqual(await here.scan(), [
    ["c1", "deleted a b\n'c.txt +0 -1", "1\n"],
    ["c1", "created d.txt +1 -0", null],
  ])
})

test("time in which a program waits for its start counts against no limit of a scan", async (t) => {
  for (const [takes, cut] of [
    [{ before: 120_000 }, null],
    [{ after: 120_000 }, "a look at it takes longer than 60000 ms"],
  ] as const) {
    const here = place(t, { "a.txt": "a\n" }, { takes })
    await here.run(() => appendFileSync(here.path("a.txt"), "2\n"))
    assert.equal((await here.detector.scan()).cut, cut)
  }
})
