import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, statSync } from "node:fs"
import { test } from "node:test"
import { launcher, openStage, type Run } from "./harness.ts"

const full = existsSync("/dev/full") ? false : "there is no /dev/full"
/** Runs a program with its stdout on a disk that is full. */
const ontoFull = { under: ["sh", "-c", 'exec "$@" >/dev/full', "sh"] }
const line = "gong: stdout cannot be written: the disk is full (ENOSPC). Make room, or send it somewhere else.\n"

test("stdout on a full disk: one line says so, exit 1, whatever was asked", { skip: full }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "for nothing" } })
  const told = (run: Run) => assert.deepEqual([run.status, run.err], [1, line])
  told(await stage.gong(["-pq", "go"], ontoFull))
  const [id = ""] = stage.sessions()
  assert.match(JSON.stringify(stage.entries(id)), /for nothing/)
  for (const output of ["json", "events"])
    told(await stage.gong(["-q", "--no-session", "--output", output, "go"], ontoFull))
  for (const command of ["models", "sessions", "doctor", "config list", `sessions export ${id}`, "--help"])
    told(await stage.gong(command.split(" "), ontoFull))
})

test("--version: silent, 141 where nobody reads it; one line, 1 on a full disk", { skip: full }, async (t) => {
  const stage = await openStage(t)
  const gone = spawn(process.execPath, [launcher, "--version"], { stdio: ["ignore", "pipe", "pipe"] })
  gone.stdout.destroy()
  let err = ""
  gone.stderr.on("data", (piece: Buffer) => (err += String(piece)))
  assert.deepEqual([(await once(gone, "close"))[0], err], [141, ""])
  const run = await stage.gong(["--version"], ontoFull)
  assert.deepEqual([run.status, run.err], [1, "gong: stdout cannot be written: the disk is full (ENOSPC).\n"])
})
