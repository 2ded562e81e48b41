import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { attack, attacks } from "@gong/testing/attacks"
import { openStage, type Stage } from "../program/harness.ts"

// A session folder may come from an archive or a backup: one of them must not hide the others from their owner,
// nor lead out of its folder.

const entries = "anchors/001_session-start/entries.jsonl"

const folderOf = (stage: Stage, id: string) => join(stage.gongHome, "sessions", id)

/** `good-one`, and copies of it under other ids. */
async function sessions(t: TestContext, ids: readonly string[]): Promise<Stage> {
  const stage = await openStage(t, { otherwise: { text: "Right." } })
  assert.equal((await stage.gong(["--session-id", "good-one", "-pq", "hello"])).status, 0)
  for (const id of ids) {
    cpSync(folderOf(stage, "good-one"), folderOf(stage, id), { recursive: true })
    change(folderOf(stage, id), { id })
  }
  return stage
}

function change(folder: string, more: object): void {
  const path = join(folder, "tape.json")
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...more }))
}

/** Killed if it takes longer. */
const seconds = 30
const bounded = (stage: Stage, args: readonly string[]) =>
  stage.gong(args, { under: ["timeout", "-s", "KILL", String(seconds)] })

/** A replacement for one of its files that never ends when it is read. */
const endless: Readonly<Record<string, (path: string) => unknown>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
  "a link to a pipe": (path) => {
    execFileSync("mkfifo", [`${path}.pipe`])
    symlinkSync(`${path}.pipe`, path)
  },
}

const places = Object.keys(endless).flatMap((what) =>
  [entries, "tape.json", "lock", "artifacts/exchanges.jsonl"].map((file) => ({ what, file })),
)
const nameOf = ({ what, file }: { readonly what: string; readonly file: string }) => `${what} in the place of ${file}`
const ids = places.map((_, at) => `hostile-${at}`)

attacks("what never ends when it is read holds up no session but its own", places.map(nameOf), async (t, guard) => {
  const stage = await sessions(t, ids)
  const paths = places.map(({ file, what }, at) => {
    const path = join(folderOf(stage, ids[at] ?? ""), file)
    mkdirSync(join(path, ".."), { recursive: true })
    rmSync(path, { force: true })
    endless[what]?.(path)
    return path
  })
  if (guard === "off") return places.filter((_, at) => isEndless(paths[at] ?? "")).map(nameOf)
  // A slow machine may need more than one scan to read all of them; this one waits until it is complete.
  assert.equal((await bounded(stage, ["sessions", "rebuild"])).status, 0)
  const listed = await bounded(stage, ["sessions", "--all"])
  assert.deepEqual([listed.status, /good-one/.test(listed.out)], [0, true], listed.err)
  const held: string[] = []
  for (const [at, one] of places.entries()) {
    const id = ids[at] ?? ""
    const args = one.file.includes("exchanges") ? ["sessions", "replay", id] : ["--session", id, "-pq", "go on"]
    const { status, err } = await bounded(stage, args)
    assert.doesNotMatch(err, /GONG_DEBUG/)
    if (status === null || status === 137) held.push(nameOf(one))
  }
  return held
})

function isEndless(path: string): boolean {
  const { error } = spawnSync("head", ["-c", "9999999999", path], { stdio: "ignore", timeout: 300 })
  return (error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT"
}

attack("a link in the place of a session's entries is not written through", async (t, guard) => {
  const stage = await sessions(t, ["hostile-0"])
  const mine = join(stage.home, "mine.txt")
  const path = join(folderOf(stage, "hostile-0"), entries)
  writeFileSync(mine, readFileSync(path))
  rmSync(path)
  symlinkSync(mine, path)
  const before = readFileSync(mine, "utf8")
  if (guard === "off") appendFileSync(path, "x\n")
  else {
    const run = await bounded(stage, ["--session", "hostile-0", "-pq", "go on"])
    assert.deepEqual([run.status, /one of its files is a symbolic link/.test(run.err)], [2, true], run.err)
  }
  return { reached: readFileSync(mine, "utf8") !== before }
})

const spoiled: Readonly<Record<string, (folder: string) => void>> = {
  "a tape.json of 10 GB": (folder) => truncateSync(join(folder, "tape.json"), 10e9),
  "a tape.json of a million brackets": (folder) => writeFileSync(join(folder, "tape.json"), "[".repeat(1e6)),
  "a tape.json whose id leads out": (folder) => change(folder, { id: "../../../evil" }),
  "a tape.json with fields of other types": (folder) =>
    change(folder, { created: 5, workspace: 7, from: 3, parent: "x", cwd: "\u001b]0;x\u0007" }),
  "a lock that is a link to nothing": (folder) => symlinkSync("/nowhere/x", join(folder, "lock")),
  "a lock with fields of other types": (folder) =>
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 1.5, host: {}, startTime: 7, since: "x", beat: 1e300 })),
  "a folder in the place of the lock": (folder) => mkdirSync(join(folder, "lock")),
  "a phase with a number without end": (folder) => mkdirSync(join(folder, `anchors/${"9".repeat(200)}_x`)),
  "a folder of phases that leads to itself": (folder) => {
    rmSync(join(folder, "anchors"), { recursive: true })
    symlinkSync("anchors", join(folder, "anchors"))
  },
  "tasks that lead to the session itself": (folder) => {
    mkdirSync(join(folder, "tasks"))
    symlinkSync("..", join(folder, "tasks/self"))
  },
  "a line of 200 MB": (folder) => appendFileSync(join(folder, entries), Buffer.alloc(200e6, 0x61)),
  "bytes that are no text": (folder) => appendFileSync(join(folder, entries), Buffer.from([0, 255, 254, 10, 0, 0, 10])),
}

test(`${Object.keys(spoiled).length} damaged sessions: the others are listed, found and continued, and problems are plain lines`, async (t) => {
  const all = Object.entries(spoiled)
  const named = all.map((_, at) => `hostile-${at}`)
  const stage = await sessions(t, named)
  for (const [at, [, spoil]] of all.entries()) spoil(folderOf(stage, named[at] ?? ""))
  // A slow machine may need more than one scan to read all of them; this one waits until it is complete.
  assert.equal((await bounded(stage, ["sessions", "rebuild"])).status, 0)
  const listed = await bounded(stage, ["sessions", "--all"])
  assert.deepEqual([listed.status, /good-one/.test(listed.out)], [0, true], listed.err)
  const looks = named.flatMap((id) => [
    ["--session", id, "-pq", "hi"],
    ["sessions", "export", id],
    ["sessions", "rm", id],
  ])
  for (const args of [["sessions", "search", "hello", "--all"], ["--session", "good-one", "-pq", "hi"], ...looks]) {
    const run = await bounded(stage, args)
    assert.ok(run.status !== null && run.status < 3, `${args.join(" ")}: ${run.status} ${run.err}`)
    assert.doesNotMatch(run.err, /GONG_DEBUG|undefined|NaN|\p{Cc}(?<!\n)/u, args.join(" "))
  }
  assert.equal(existsSync(join(stage.root, "evil")), false)
})
