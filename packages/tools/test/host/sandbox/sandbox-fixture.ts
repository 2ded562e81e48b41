import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import type { TestContext } from "node:test"
import { englishOf, type ExecOptions, type ExecResult, type Host } from "@gong/spec"
import { createLocalHost } from "../../../src/host/local.ts"
import {
  type SandboxProbe,
  probeSandbox,
  createSandboxedHost,
  type SandboxOptions,
} from "../../../src/host/sandbox/index.ts"
import { place, type TestPlace } from "../../workspace.ts"

const local = createLocalHost({ cwd: "/" })
const bwrap = await local.which("/usr/bin/bwrap")
const uid = process.getuid?.() ?? null

const probed: SandboxProbe =
  bwrap === null ? { works: false, reason: "bubblewrap is not installed" } : await probeSandbox(local, bwrap, uid)

/** Why the sandbox cannot be tested on this machine; false if it can. */
export const noSandbox: string | false = probed.works ? false : englishOf(probed.reason)

export const features = probed.works ? probed.features : { filter: false, modes: false }

export type Ran = ExecResult & { readonly out: string }

/** A home, a temp folder and a project inside, private to the test, with commands inside and outside of a sandbox. */
export interface SandboxPlace extends TestPlace {
  readonly home: string
  readonly temp: string
  readonly repo: string
  readonly host: Host
  readonly plain: Host
  /** The same with other options. */
  again(more: Partial<SandboxOptions>): Pick<SandboxPlace, "inside">
  inside(command: string, more?: Partial<Pick<ExecOptions, "cwd" | "env" | "unsandboxed">>): Promise<Ran>
  outside(command: string): Promise<Ran>
}

/** Options that differ from the default; a function if they depend on the folders of the test. */
export type MoreOptions = Partial<SandboxOptions> | ((folders: Folders) => Partial<SandboxOptions>)

interface Folders extends Pick<SandboxPlace, "home" | "temp" | "repo"> {
  readonly env: Readonly<Record<string, string>>
}

/** The temp folder of the test stands for that of the system. Otherwise everything here would be inside a root. */
export function sandboxPlace(
  t: TestContext,
  more: MoreOptions = {},
  variables: (folders: Folders) => Readonly<Record<string, string>> = () => ({}),
): SandboxPlace {
  const here = place(t)
  const [home, temp, repo] = [here.at("home"), here.at("temp"), here.at("home/repo")]
  for (const folder of [home, temp, repo]) mkdirSync(folder)
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
  const identity = {
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t",
  }
  // Where coverage is recorded, Node in a sandbox would say on stderr that its report cannot be written.
  const quiet = { NODE_V8_COVERAGE: "", GIT_CONFIG_NOSYSTEM: "1" }
  const usual = { PATH: path, HOME: home, TMPDIR: temp, ...quiet, ...identity }
  const folders = { home, temp, repo, env: usual }
  const env = { ...usual, ...variables(folders) }
  const plain: Host = { ...createLocalHost({ cwd: repo, env, home }), tmp: temp }
  const usually = { ...defaults([repo, temp]), caches: here.at("caches") }
  const given: SandboxOptions = { ...usually, ...(typeof more === "function" ? more(folders) : more) }
  const host = createSandboxedHost(plain, given)
  return {
    ...here,
    home,
    temp,
    repo,
    host,
    plain,
    again: (other) => {
      const changed = createSandboxedHost(plain, { ...given, ...other })
      return { inside: (command, options) => run(changed, command, options) }
    },
    inside: (command, options) => run(host, command, options),
    outside: (command) => run(plain, command),
  }
}

export function defaults(roots: readonly string[]): SandboxOptions {
  return {
    tier: "workspace",
    bwrap: bwrap ?? "",
    roots,
    kept: [],
    hidden: [],
    secrets: [],
    revealed: [],
    variables: [],
    autorun: [".gong"],
    caches: null,
    network: true,
    features,
    uid,
  }
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
