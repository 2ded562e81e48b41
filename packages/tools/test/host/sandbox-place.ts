import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import type { TestContext } from "node:test"
import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { probeSandbox, sandboxed, type SandboxOptions } from "../../src/host/sandbox/index.ts"
import { place, type TestPlace } from "../place.ts"

const local = createLocalHost({ cwd: "/" })
const bwrap = await local.which("/usr/bin/bwrap")
const uid = process.getuid?.() ?? null

/** Why no sandbox can be tested on this machine; false where it can. */
export const noSandbox: string | false = await whyNot()

async function whyNot(): Promise<string | false> {
  if (bwrap === null) return "bubblewrap is not installed"
  const probed = await probeSandbox(local, bwrap, uid)
  return probed.works ? false : probed.reason
}

export type Ran = ExecResult & { readonly out: string }

/** A home, a temporary folder and a project in it, all of the test's own, and commands inside and outside of a sandbox. */
export interface SandboxPlace extends TestPlace {
  readonly home: string
  readonly temp: string
  readonly repo: string
  readonly host: Host
  readonly plain: Host
  inside(command: string, more?: Partial<Pick<ExecOptions, "cwd" | "env" | "unsandboxed">>): Promise<Ran>
  outside(command: string): Promise<Ran>
}

/** The temporary folder of the test stands for the system's: else everything here would lie in a root. */
export function sandboxPlace(t: TestContext, more: Partial<SandboxOptions> = {}): SandboxPlace {
  const here = place(t)
  const [home, temp, repo] = [here.at("home"), here.at("temp"), here.at("home/repo")]
  for (const folder of [home, temp, repo, here.at("blank")]) mkdirSync(folder)
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
  const identity = {
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t",
  }
  const env = { PATH: path, HOME: home, TMPDIR: temp, GIT_CONFIG_NOSYSTEM: "1", ...identity }
  const plain: Host = { ...createLocalHost({ cwd: repo, env, home }), tmp: temp }
  const given: SandboxOptions = { ...defaults([repo, temp], here.at("blank")), ...more }
  const host = sandboxed(plain, given)
  return {
    ...here,
    home,
    temp,
    repo,
    host,
    plain,
    inside: (command, options) => run(host, command, options),
    outside: (command) => run(plain, command),
  }
}

export function defaults(roots: readonly string[], blank: string): SandboxOptions {
  return { tier: "workspace", bwrap: bwrap ?? "", roots, kept: [], hidden: [], own: ".gong", blank, network: true, uid }
}

async function run(host: Host, command: string, more = {}): Promise<Ran> {
  let out = ""
  const ended = await host.exec(command, {
    cwd: host.cwd,
    signal: new AbortController().signal,
    onData: (bytes) => void (out += Buffer.from(bytes).toString()),
    ...more,
  })
  return { ...ended, out }
}

export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-c", "init.defaultBranch=main", ...args], { cwd, encoding: "utf8" })
}
