import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Decision } from "@gong/spec"
import { childEnvironment, createBashTool, toolResult } from "@gong/tools"
import { createLocalHost } from "@gong/tools/host/local"
import { createChangeDetector } from "@gong/tools/change-detector"
import { gitFacts } from "@gong/app/compose/permissions/policy"
import type { Variables } from "../../src/git/git-facts.ts"
import { safeGitEnvironment } from "../../src/git/safe-git-environment.ts"
import { createPolicy } from "../../src/policy.ts"
import { systemClock } from "@gong/app/ports"
import { facts } from "../fixtures.ts"

/** A home, a workspace beside it, and a folder in which programs record that they ran. */
export interface GitFixture {
  readonly root: string
  readonly home: string
  readonly work: string
  readonly env: Readonly<Record<string, string>>
  write(files: Readonly<Record<string, string>>): void
  /** A program that records that it ran, and copies its input unless `end` is given; its full path. */
  canary(path?: string, end?: string): string
  /** Whether a trap ran since this was last asked. */
  triggered(): boolean
  /** As a person would start it: nothing of Gong's is around it. */
  plain(command: string, cwd?: string): Ran
  /** At level `ask` without a user or a sandbox: it runs only if policy permits it without asking, and then in the way of the tool. */
  ask(command: string, cwd?: string, planted?: Planted): Promise<Asked>
  /** Gong's own scan of the workspace before a command, which the model never sees. */
  detectChanges(cwd?: string): Promise<void>
  remove(): void
}

/** An inserted fault to prove detection: the command gets other variables than policy requires. */
export type Planted = (env: Variables) => Variables

export interface Asked {
  readonly verdict: Decision["verdict"]
  readonly stdout: string
}

export interface Ran {
  readonly status: number | null
  readonly stdout: string
}

export interface FixtureOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Folders in front of the PATH, from the root. */
  readonly path?: readonly string[]
}

export function gitFixture({ env: more = {}, path = [] }: FixtureOptions = {}): GitFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-git-")))
  const [home, work, ran] = [join(root, "home"), join(root, "work"), join(root, "ran")]
  for (const folder of [home, work]) mkdirSync(folder)
  const folders = [...path.map((name) => join(root, name)), "/usr/local/bin", "/usr/bin", "/bin"]
  const named = Object.entries(more).map(([name, value]) => [name, value.replaceAll("ROOT", root)])
  const env = { HOME: home, PATH: folders.join(":"), GIT_CONFIG_NOSYSTEM: "1", ...Object.fromEntries(named) }
  const write: GitFixture["write"] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text.replaceAll("ROOT", root))
    }
  }
  write({ "home/.gitconfig": "[user]\n\tname = u\n\temail = u@example.com\n[init]\n\tdefaultBranch = main\n" })
  return {
    root,
    home,
    work,
    env,
    write,
    canary(path = "evil", end = "exec /bin/cat") {
      write({ [path]: `#!/bin/sh\necho "$0" >> ${ran}\n${end}\n` })
      chmodSync(join(root, path), 0o755)
      return join(root, path)
    },
    triggered() {
      const did = existsSync(ran)
      rmSync(ran, { force: true })
      return did
    },
    plain(command, cwd = work) {
      const { status, stdout } = spawnSync("bash", ["-c", command], { cwd, env, encoding: "utf8", timeout: 10_000 })
      return { status, stdout }
    },
    ask: async (command, cwd = work, planted = (same) => same) => askIn({ home, work, env }, command, cwd, planted),
    detectChanges: async (cwd = work) => lookIn({ home, work, env }, cwd),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

type Place = Pick<GitFixture, "home" | "work" | "env">

function machine({ home, work, env }: Place, cwd: string) {
  const host = createLocalHost({ cwd, env, home, project: work })
  return { host, known: gitFacts({ env, home, cwd, roots: [work], host: async () => host }) }
}

async function askIn(place: Place, command: string, cwd: string, planted: Planted): Promise<Asked> {
  const { home, work, env } = place
  const { host, known } = machine(place, cwd)
  const policy = createPolicy({
    ...facts({ level: "ask", cwd, workspace: work, home, gongHome: join(home, ".gong") }),
    exists: async (path) => existsSync(path),
    ...known,
  })
  const decision = await policy.decide({ tool: "bash", arguments: { command }, title: command })
  if (decision.verdict !== "allow") return { verdict: decision.verdict, stdout: "" }
  const bash = createBashTool(cwd, { host: async () => host, env: childEnvironment(env, { keyNames: [] }).env })
  const context = { signal: new AbortController().signal, onProgress: () => undefined }
  const given = { ...context, ...(decision.env && { env: planted(decision.env) }) }
  const { content } = await bash.execute("c1", { command }, given)
  return {
    verdict: decision.verdict,
    stdout: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  }
}

const nothingKept = { put: async () => "", get: async () => null, spillPath: async () => "/dev/null" }

async function lookIn(place: Place, cwd: string): Promise<void> {
  const { host, known } = machine(place, cwd)
  const detector = createChangeDetector({
    folder: cwd,
    place: { cwd },
    host: async () => host,
    clock: systemClock,
    jobs: { running: () => [] },
    gitEnvironment: async () => safeGitEnvironment(cwd, known, { submodules: false }),
    mayWrite: () => true,
  })
  const bash = detector.wrap({ ...createBashTool(cwd), execute: async () => toolResult("", null) })
  const context = { signal: new AbortController().signal, onProgress: () => undefined, artifacts: nothingKept }
  await bash.execute("c1", { command: "true" } as never, context)
}

/**
 * A repository in this folder: three commits, of which one is a merge and one is signed, a file that was changed, and files with the
 * attributes `diff=t`, `filter=f` and `merge=m`.
 */
export function repository(fixture: GitFixture, folder = "work"): void {
  const from = template()
  cpSync(from, join(fixture.root, folder), { recursive: true })
}

let made: string | undefined

/** Built once: a copy costs less than twenty programs. */
function template(): string {
  if (made !== undefined) return made
  const fixture = gitFixture()
  process.once("exit", () => fixture.remove())
  fixture.write({ "work/seen.t": "one\n", "work/kept.f": "one\n", "work/both.m": "one\n", "work/gone": "gone\n" })
  fixture.write({ "work/.gitattributes": "*.t diff=t\n*.f filter=f\n*.m merge=m\n" })
  const { status } = fixture.plain(`set -e
    git init -q --template= . && git add . && git commit -qm one
    git checkout -qb side && echo side > both.m && git commit -qam side
    git checkout -q main && echo main > both.m && git commit -qam main
    git merge -q side >/dev/null || { echo merged > both.m; git commit -qam merged; }
    id="u <u@example.com> 0 +0000"
    printf 'tree %s\\nparent %s\\nauthor %s\\ncommitter %s\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----\\n\\nsigned\\n' \\
      "$(git rev-parse HEAD^{tree})" "$(git rev-parse HEAD)" "$id" "$id" > ../signed
    git update-ref HEAD "$(git hash-object -t commit -w ../signed)"
    echo two > seen.t; echo two > kept.f`)
  if (status !== 0) throw new Error("the repository for tests could not be made")
  return (made = fixture.work)
}
