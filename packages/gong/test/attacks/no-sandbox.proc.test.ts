import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { attack, type Attempt } from "@gong/testing/attacks"
import { noOrdinaryUser } from "@gong/testing/ordinary-user"
import { openStage, type Run } from "../program/harness.ts"

// An ordinary user on a machine without user namespaces has no sandbox. Commands that it would have confined do not run without permission.

const nobody = 65_534
const ordinary = process.getuid?.() === 0 ? { uid: nobody } : {}
const bwrap = "/usr/bin/bwrap"
const starts = (...args: readonly string[]) =>
  spawnSync(bwrap, [...args, "--dev-bind", "/", "/", "--", "/bin/true"], {
    ...ordinary,
    ...("uid" in ordinary && { gid: nobody }),
  }).status === 0
const areMissing = existsSync(bwrap) && !starts("--unshare-user")
const without = areMissing ? [] : [bwrap, "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"]
const canTake = areMissing || starts("--unshare-user", "--disable-userns")
const skip = noOrdinaryUser || (canTake ? false : "user namespaces cannot be taken away here")

interface Case {
  readonly name: string
  /** The model's command; it must not create a file `made`. */
  readonly command?: string
  readonly args?: readonly string[]
  /** With the guard off. */
  readonly off: readonly string[]
  /** Exit status with it on. */
  readonly status: number
}

const touch = "touch made"
const cases: readonly Case[] = [
  { name: "a command that writes, at auto", off: ["--yolo"], status: 0 },
  { name: "the same behind one that reads", command: `ls && ${touch}`, off: ["--yolo"], status: 0 },
  { name: "a program of the workspace", command: "./tool", off: ["--yolo"], status: 0 },
  { name: "a command at plan", args: ["--permission", "plan"], off: ["--yolo"], status: 0 },
  { name: "a sandbox that was asked for", args: ["--sandbox", "workspace"], off: ["--yolo"], status: 2 },
  {
    name: "one that was asked for, with an allow rule",
    args: ["--sandbox", "read-only", "--allow", "bash"],
    off: ["--allow", "bash"],
    status: 2,
  },
  {
    name: "a network that was asked to be off",
    args: ["--network", "off", "--allow", "bash"],
    off: ["--allow", "bash"],
    status: 2,
  },
  {
    name: "a network that was asked to be by host",
    args: ["--network", "hosts", "--allow", "bash"],
    off: ["--allow", "bash"],
    status: 2,
  },
]

for (const one of cases)
  attack(
    `without user namespaces nothing is run that only a sandbox would let run: ${one.name}`,
    (t, guard) => attempt(t, one, guard === "on"),
    { skip },
  )

async function attempt(
  t: TestContext,
  { command = touch, args = [], off, status }: Case,
  guarded: boolean,
): Promise<Attempt> {
  const stage = await openStage(t)
  stage.write({ tool: `#!/bin/sh\n${touch}\n` })
  execFileSync("chmod", ["+x", join(stage.repo, "tool")])
  if ("uid" in ordinary) execFileSync("chown", ["-R", `${nobody}:${nobody}`, stage.root])
  stage.server.begin([{ calls: [{ name: "bash", args: { command } }] }, { text: "Right." }])
  const env = { GONG_SANDBOX: undefined, NODE_COMPILE_CACHE: undefined }
  const run = await stage.gong(["-p", ...(guarded ? args : off), "go"], { ...ordinary, env, under: without })
  if (guarded) saysWhy(run, status)
  return { reached: existsSync(join(stage.repo, "made")), printed: run.out + run.err }
}

/** In the first line, or in the only one. */
function saysWhy({ err, status }: Run, wanted: number): void {
  assert.equal(status, wanted, err)
  assert.match(
    err,
    wanted === 2 ? /^gong: [^\n]*user namespaces[^\n]*\n$/ : /sandbox: off \(user namespaces are blocked/,
  )
}
