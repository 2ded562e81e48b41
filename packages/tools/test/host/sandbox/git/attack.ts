import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, type TestContext } from "node:test"
import { attack as attackWithControl } from "@gong/testing/attacks"
import { createSandboxedHost } from "../../../../src/host/sandbox/index.ts"
import { defaults, git, noSandbox, sandboxPlace, type SandboxPlace } from "../sandbox-fixture.ts"

/** A command that tries to make the user's own git run something outside the sandbox. */
export interface Attack {
  readonly name: string
  /** Earlier commands of the user in the repository. */
  readonly before?: string
  /** Sandboxed; `$EVIL` is a program in the workspace. With `meanwhile` it ends with a wait. */
  readonly command: string
  /** A git command of the user, not sandboxed, after the command or, with `meanwhile`, during its wait. */
  readonly user: string
  readonly meanwhile?: true
  /** The workspace relative to the home; default: `repo`. */
  readonly workspace?: string
  /** More roots, relative to the home. */
  readonly roots?: readonly string[]
}

/** Signals that the command is ready and waits for the user. */
const wait = "\ntouch $TMPDIR/ready; until [ -e $TMPDIR/go ]; do sleep 0.01; done"

/** Each is tried inside, where nothing may run outside, and without the sandbox, where it must succeed. */
export function attacks(kind: string, cases: readonly Attack[]): void {
  after(() => template !== undefined && rmSync(template, { recursive: true, force: true }))
  for (const attack of cases)
    attackWithControl(
      `${kind}: ${attack.name}`,
      (t, guard) => attempt(t, attack, guard === "on" ? "inside" : "outside"),
      { skip: noSandbox },
    )
}

async function attempt(t: TestContext, attack: Attack, where: "inside" | "outside") {
  const here = sandboxPlace(t)
  prepare(here)
  if (attack.before !== undefined) {
    const { code, out } = await here.outside(attack.before)
    if (code !== 0) throw new Error(`what comes before it failed: ${out}`)
  }
  const ran = join(here.home, "ran")
  const cwd = here.at(`home/${attack.workspace ?? "repo"}`)
  const roots = [cwd, ...(attack.roots ?? []).map((root) => here.at(`home/${root}`)), here.temp]
  const host = where === "inside" ? createSandboxedHost({ ...here.plain, cwd }, defaults(roots)) : here.plain
  let printed = ""
  const run = (on: typeof host, command: string) =>
    on.exec(command, {
      cwd,
      env: { ...here.plain.env, EVIL: here.at("home/repo/evil"), EDITOR: "true" },
      signal: AbortSignal.timeout(20_000),
      onData: (bytes) => void (printed += Buffer.from(bytes).toString()),
    })
  const running = run(host, attack.command + (attack.meanwhile === true ? wait : "")).catch((error: unknown) => {
    printed += String(error)
    return { code: null, note: undefined }
  })
  const ready = join(here.temp, "ready")
  if (attack.meanwhile === true) await Promise.race([running, until(() => existsSync(ready))])
  else printed += (await running).note ?? ""
  printed += "\n--- user\n"
  rmSync(ran, { force: true })
  await run(here.plain, attack.user)
  const reached = existsSync(ran) || here.text("home/.bashrc") !== "mine\n"
  writeFileSync(join(here.temp, "go"), "")
  await running
  return { reached, printed }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Created once, because it starts git eight times. */
let template: string | undefined

/**
 * `repo` with two commits, a branch `side` and a remote `origin`, a bare `origin.git`, and `plain` without a
 * repository.
 */
function prepare(here: SandboxPlace): void {
  template ??= makeTemplate()
  cpSync(template, here.home, { recursive: true, verbatimSymlinks: true })
}

function makeTemplate(): string {
  const home = mkdtempSync(join(tmpdir(), "gong-attacks-"))
  const repo = join(home, "repo")
  for (const name of ["repo", "plain"]) mkdirSync(join(home, name))
  writeFileSync(join(home, ".bashrc"), "mine\n")
  writeFileSync(join(repo, "evil"), '#!/bin/sh\ntouch "$HOME/ran"\n', { mode: 0o755 })
  git(repo, "init", "--quiet", "--template=")
  mkdirSync(join(repo, ".git/info"))
  writeFileSync(join(repo, ".git/info/exclude"), "/evil\n")
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"]
  for (const name of ["one", "two"]) {
    writeFileSync(join(repo, name), `${name}\n`)
    git(repo, "add", ".")
    git(repo, ...identity, "commit", "--quiet", "-m", name)
  }
  git(repo, "branch", "side", "HEAD~")
  git(home, "clone", "--quiet", "--bare", "--template=", "repo", "origin.git")
  git(repo, "remote", "add", "origin", "../origin.git")
  return home
}
