import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { noOrdinaryUser, ordinaryUser } from "@gong/testing/ordinary-user"
import { openStage, type Run, type Stage } from "./harness.ts"

const bwrap = "/usr/bin/bwrap"
const noBwrap =
  spawnSync(bwrap, ["--bind", "/", "/", "--size", "65536", "--tmpfs", "/tmp", "--", "/bin/true"]).status === 0
    ? false
    : "no file system can be put in place of another one on this machine"

/** The home as it is, on a file system that may only be read. */
function readOnly(stage: Stage): readonly string[] {
  return [bwrap, "--dev-bind", "/", "/", "--ro-bind", stage.gongHome, stage.gongHome, "--"]
}

/** A copy of a folder on a disk with this many free bytes; changes disappear with the process. */
function full(stage: Stage, folder: string, free = 0): readonly string[] {
  const saved = mkdtempSync(join(stage.root, "saved-"))
  mkdirSync(folder, { recursive: true })
  cpSync(folder, saved, { recursive: true })
  const fill = [
    `head -c ${free} /dev/zero > ${folder}/free`,
    `cat /dev/zero > ${folder}/fill 2>/dev/null`,
    `rm ${folder}/free`,
  ]
  const disk = ["--size", "2097152", "--tmpfs", folder, "--chdir", stage.repo]
  const script = [`cp -r ${saved}/. ${folder}`, ...fill, 'exec "$@"'].join("; ")
  return [bwrap, "--dev-bind", "/", "/", ...disk, "--", "/bin/sh", "-c", script, "sh"]
}

const one = { otherwise: { text: "ok" } }

test(
  "a home on a full or read-only disk: one line with the file and a remedy, exit 2",
  { skip: noBwrap },
  async (t) => {
    const stage = await openStage(t, one)
    await stage.gong(["-pq", "one"])
    const [id = ""] = stage.sessions()
    const settings = join(stage.gongHome, "settings.json")
    const set = ["config", "set", "model", "x/y"]
    refusedWith(
      await stage.gong(set, { under: readOnly(stage) }),
      `gong: ${settings}: the file system is read-only (EROFS). Set GONG_HOME to a writable folder.\n`,
    )
    const noSpace = "the disk is full (ENOSPC). Free some space there.\n"
    refusedWith(await stage.gong(set, { under: full(stage, stage.gongHome) }), `gong: ${settings}: ${noSpace}`)
    const key = { stdin: "sk-0123456789\n", under: full(stage, stage.gongHome) }
    refusedWith(
      await stage.gong(["login", "--base-url", stage.env["GONG_BASE_URL"] ?? ""], key),
      `gong: ${join(stage.gongHome, "auth.json")}: ${noSpace}`,
    )
    refusedWith(
      await stage.gong(["undo"], { under: readOnly(stage) }),
      `gong: Cannot open the session at ${stage.gongHome}/sessions/${id}: the file system is read-only. Set GONG_HOME to a writable folder.\n`,
    )
  },
)

test("a fork in a read-only home is reported", { skip: noBwrap }, async (t) => {
  const stage = await openStage(t, one)
  await stage.gong(["-pq", "one"])
  const [id = ""] = stage.sessions()
  for (const args of [
    ["-p", "--fork", id, "go on"],
    ["sessions", "fork", id],
  ]) {
    const run = await stage.gong(args, { under: readOnly(stage) })
    assert.deepEqual([run.status, run.out], [2, ""])
    assert.match(run.err, /^gong: Cannot fork the session at \S+: the file system is read-only\..*\n$/)
  }
})

test("sessions are listed on a full disk without an index", { skip: noBwrap }, async (t) => {
  const stage = await openStage(t, one)
  await stage.gong(["-pq", "one"])
  await stage.gong(["-pq", "two"])
  assert.equal(existsSync(join(stage.gongHome, "index.db")), false)
  // Enough for the file, for its tables, and for a part of the later data.
  for (const free of [0, 16_384, 65_536, 98_304, 131_072, 163_840, 196_608]) {
    const list = await stage.gong(["sessions", "--json"], { under: full(stage, stage.gongHome, free) })
    assert.deepEqual([list.status, list.err, JSON.parse(list.out || "{}").total], [0, "", 2], `${free} free`)
  }
})

test("an undo with a disk error fails with status 1", { skip: noBwrap }, async (t) => {
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "write", args: { path: "a.txt", content: "mine\n" } }] }, { text: "done" }],
  })
  const before = "before\n".repeat(20_000)
  stage.write({ "a.txt": before })
  await stage.gong(["-pq", "--yolo", "--set", "writeGuard=off", "change it"])
  const run = await stage.gong(["undo"], { under: full(stage, stage.repo) })
  assert.equal(run.status, 1, run.err)
  assert.match(run.out, /^skipped {3}\S+a\.txt: .*\n$/)
  assert.equal(run.err, "gong: 1 file was not restored; gong undo retries it.\n")
  assert.equal(stage.read("a.txt"), "mine\n")
  assert.equal((await stage.gong(["undo"])).status, 0)
  assert.equal(stage.read("a.txt"), before)
})

test("gong doctor reports a home that is a file", async (t) => {
  const stage = await openStage(t)
  const file = join(stage.root, "file")
  writeFileSync(file, "")
  const { out } = await stage.gong(["doctor"], { env: { GONG_HOME: file } })
  assert.match(out, /^home +\S+file is not a folder\. Move it away, or set GONG_HOME to a folder\.$/m)
})

// Root may read anything, and only root can make a folder that is another user's.
const { uid = 0 } = ordinaryUser
const skip = uid === 0 ? "only root can make a folder that is another user's" : noOrdinaryUser

/** A home of another user with two sessions, and between them one of root's. */
async function withForeign(stage: Stage): Promise<{ readonly foreign: string; readonly own: string }> {
  for (const path of ["", "home", "tmp", "repo"]) {
    chmodSync(join(stage.root, path), 0o755)
    chownSync(join(stage.root, path), uid, uid)
  }
  const [first, second] = [await stage.gong(["-pq", "one"], { uid }), await stage.gong(["-pq", "two"], { uid })]
  assert.deepEqual([first.status, second.status], [0, 0], first.err + second.err)
  const [own = ""] = stage.sessions()
  const foreign = join(stage.gongHome, "sessions", "0000-foreign")
  mkdirSync(foreign, { mode: 0o700 })
  return { foreign, own }
}

test("an unreadable session folder is skipped with one line; all others are listed", { skip }, async (t) => {
  const stage = await openStage(t, one)
  const { foreign, own } = await withForeign(stage)
  const line = `gong: ${foreign} cannot be read (EACCES); it is skipped. Change its owner (chown), or move it away.\n`
  for (const args of [
    ["sessions"],
    ["sessions", "list", "--json"],
    ["sessions", "search", "one"],
    ["sessions", "search", "--substring", "one"],
    ["sessions", "stats"],
    ["sessions", "rebuild"],
    ["sessions", "show", own],
    ["undo"],
    ["undo", "--session", own],
    ["-pq", "-c", "more"],
    ["-pq", "--session", own, "more"],
    ["-pq", "--session-id", "other", "more"],
  ]) {
    const run = await stage.gong(args, { uid })
    assert.deepEqual([run.status, run.err], [0, line], args.join(" "))
    assert.notEqual(run.out, "")
  }
  assert.equal((await stage.gong(["-pq", "a new one"], { uid })).err, "", "who wants none of them is not told")
  const { status, out } = await stage.gong(["doctor"], { uid })
  assert.equal(status, 0)
  assert.match(out, /^sessions +4 in \S+\/sessions$/m)
  assert.ok(out.includes(line), out)
})

test("an unreadable folder of sessions: one line, exit 2; gong doctor reports it too", { skip }, async (t) => {
  const stage = await openStage(t, one)
  const { own } = await withForeign(stage)
  const folder = join(stage.gongHome, "sessions")
  chownSync(folder, 0, 0)
  const line = `gong: ${folder}: permission denied (EACCES). Change its owner (chown), or move it away.\n`
  for (const args of [["sessions"], ["sessions", "show", own], ["undo"], ["-pq", "-c", "more"]])
    refusedWith(await stage.gong(args, { uid }), line)
  const { status, out } = await stage.gong(["doctor"], { uid })
  assert.equal(status, 0)
  assert.match(out, /^sessions +\S+\/sessions cannot be read \(EACCES\)\. Change its owner \(chown\).*$/m)
  assert.equal(stage.sessions().length, 3)
})

test("-o to a bind-mounted file, as in containers, writes in place", { skip: noBwrap }, async (t) => {
  const stage = await openStage(t, one)
  stage.write({ "real.md": "old", "answer.md": "" })
  const [real, answer] = [join(stage.repo, "real.md"), join(stage.repo, "answer.md")]
  const under = [bwrap, "--dev-bind", "/", "/", "--bind", real, answer, "--"]
  const run = await stage.gong(["-pq", "-o", answer, "hi"], { under })
  assert.deepEqual([run.status, run.err, stage.read("real.md")], [0, "", "ok\n"])
})

test("an inaccessible working directory is a usage error", { skip }, async (t) => {
  const stage = await openStage(t, one)
  const closed = join(stage.root, "closed")
  mkdirSync(closed, { mode: 0o700 })
  chmodSync(stage.root, 0o755)
  const run = await stage.gong(["-pq", "--no-session", "--cwd", closed, "hi"], { uid })
  refusedWith(
    run,
    `gong: --cwd ${closed}: this folder is not accessible (EACCES). Fix its permissions or choose another one.\n`,
  )
})

function refusedWith(run: Run, line: string): void {
  assert.deepEqual([run.status, run.out, run.err], [2, "", line])
}
