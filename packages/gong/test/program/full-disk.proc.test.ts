import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { launcher, openStage, resultOf, type Run } from "./harness.ts"

const full = existsSync("/dev/full") ? false : "there is no /dev/full"
/** Runs a program with its stdout on a disk that is full. */
const ontoFull = { under: ["sh", "-c", 'exec "$@" >/dev/full', "sh"] }
const line = "gong: cannot write to stdout: the disk is full (ENOSPC). Free some space, or redirect the output.\n"

test("stdout on a full disk: one line and exit 1 for every command", { skip: full }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "for nothing" } })
  const reported = (run: Run) => assert.deepEqual([run.status, run.err], [1, line])
  reported(await stage.gong(["-pq", "go"], ontoFull))
  const [id = ""] = stage.sessions()
  assert.match(JSON.stringify(stage.entries(id)), /for nothing/)
  for (const output of ["json", "events"])
    reported(await stage.gong(["-q", "--no-session", "--output", output, "go"], ontoFull))
  for (const command of ["models", "sessions", "doctor", "config list", `sessions export ${id}`, "--help"])
    reported(await stage.gong(command.split(" "), ontoFull))
})

test(
  "--version: silent with exit 141 on a closed stdout; one line with exit 1 on a full disk",
  { skip: full },
  async (t) => {
    const stage = await openStage(t)
    const gone = spawn(process.execPath, [launcher, "--version"], { stdio: ["ignore", "pipe", "pipe"] })
    gone.stdout.destroy()
    let err = ""
    gone.stderr.on("data", (piece: Buffer) => (err += String(piece)))
    assert.deepEqual([(await once(gone, "close"))[0], err], [141, ""])
    const run = await stage.gong(["--version"], ontoFull)
    assert.deepEqual([run.status, run.err], [1, "gong: cannot write to stdout: the disk is full (ENOSPC).\n"])
  },
)

test("the file of -o cannot be written: its content stays, a line names it, exit 1 also in the result", async (t) => {
  const text = "many words ".repeat(20_000)
  const stage = await openStage(t, { otherwise: { text } })
  stage.write({ "answer.txt": "what was there\n" })
  assert.equal((await stage.gong(["-pq", "go"])).status, 0)
  // In blocks of 512 bytes, or twice that in some shells: less than the answer.
  const small = { under: ["sh", "-c", 'ulimit -f 64; exec "$@"', "sh"] }
  const reported = (run: Run) => {
    assert.deepEqual([run.status, run.err], [1, "gong: -o answer.txt: cannot write there (EFBIG).\n"])
    assert.equal(stage.read("answer.txt"), "what was there\n")
    assert.deepEqual(readdirSync(stage.repo).toSorted(), [".git", "answer.txt"], "nothing half is left")
    return run
  }
  const ask = ["-q", "--no-session", "-o", "answer.txt"]
  assert.equal(reported(await stage.gong([...ask, "go"], small)).out, `${text}\n`)
  for (const output of ["json", "events"]) {
    const result = resultOf(reported(await stage.gong([...ask, "--output", output, "go"], small)))
    assert.deepEqual([result.status, result.exit], ["done", 1])
  }
  const [id = ""] = stage.sessions()
  assert.equal(reported(await stage.gong(["sessions", "export", id, "-o", "answer.txt"], small)).out, "")
})

test("the file of -o keeps its mode and a link to it; a device is written directly", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Four." } })
  stage.write({ "real.txt": "old" })
  chmodSync(join(stage.repo, "real.txt"), 0o640)
  symlinkSync("real.txt", join(stage.repo, "link.txt"))
  symlinkSync("new.txt", join(stage.repo, "nothing.txt"))
  for (const path of ["link.txt", "nothing.txt", "/dev/null"]) {
    const run = await stage.gong(["-pq", "-o", path, "go"])
    assert.deepEqual([run.status, run.err], [0, ""], path)
  }
  assert.deepEqual([stage.read("real.txt"), stage.read("new.txt")], ["Four.\n", "Four.\n"])
  assert.equal(statSync(join(stage.repo, "real.txt")).mode & 0o777, 0o640)
  assert.ok(lstatSync(join(stage.repo, "link.txt")).isSymbolicLink())
  assert.ok(statSync("/dev/null").isCharacterDevice())
})
