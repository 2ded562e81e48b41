import { phrase } from "@gong/spec"
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import { prepareHome } from "@gong/config/home"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "../../ports.ts"
import {
  filesOfArchive,
  maxSourceBytes,
  maxSourceFiles,
  type ReadSource,
  type SourceFiles,
  sourceTooLarge,
} from "@gong/resources/skills/load-archive"
import type { Services } from "../../services.ts"

export interface Fetched {
  readonly files: SourceFiles
  /** The default name of a skill at the top. */
  readonly name: string
}

export interface FetchDeps {
  /** Gong's folder. */
  readonly home: string
  /** The base of relative paths. */
  readonly cwd: string
}

/** The files of a folder, a `.tgz`, a git URL (`URL#BRANCH`) or `npm:NAME[@VERSION]`. Runs nothing of them. */
export async function fetchSource(services: Services, deps: FetchDeps, source: string): Promise<Outcome<Fetched>> {
  const { home, cwd } = deps
  return attempt(async () => {
    if (source.startsWith("npm:")) return inHome(home, (temp) => fromNpm(services, temp, source.slice("npm:".length)))
    if (/^(https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/.test(source)) {
      return inHome(home, (temp) => fromGit(services, temp, source))
    }
    const path = source.startsWith("~/") ? join(services.userHome, source.slice(2)) : resolve(cwd, source)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return must(usage(phrase`${source}: there is no such folder or archive.`))
    if (/\.(tgz|tar\.gz)$/.test(path)) return must(await unpacked(source, path))
    if (!stat.isDirectory())
      return must(usage(phrase`${source}: this is neither a folder nor a .tgz. Name the folder of a skill.`))
    return { files: must(filesIn(path, source)), name: basename(path) }
  })
}

/**
 * Works in Gong's folder, since sandboxed commands can write to the temporary folder, while git and npm run unsandboxed here.
 */
async function inHome<T>(home: string, work: (temp: string) => Promise<T>): Promise<T> {
  const temp = realpathSync(mkdtempSync(join(must(prepareHome(home)), ".fetch-")))
  try {
    return await work(temp)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

/** Only from the registry: `npm pack` of a folder or a git address would run its scripts. */
async function fromNpm(services: Services, temp: string, spec: string): Promise<Fetched> {
  if (!/^(@[\w.-]+\/)?[\w.-]+(@[\w.^~-]+)?$/.test(spec) || spec.startsWith("-") || spec.startsWith(".")) {
    return must(usage(phrase`npm:${spec}: write npm:NAME or npm:NAME@VERSION.`))
  }
  must(
    await runs(services, temp, [
      "npm",
      "pack",
      "--ignore-scripts",
      "--silent",
      `--pack-destination=${temp}`,
      "--",
      spec,
    ]),
  )
  const archive = readdirSync(temp).find((name) => name.endsWith(".tgz"))
  if (archive === undefined) return must(usage(phrase`npm:${spec}: npm returned no package.`))
  const { files } = must(await unpacked(`npm:${spec}`, join(temp, archive)))
  const name = spec.replace(/^@[^/]*\//, "").replace(/@.*$/, "")
  return { files: new Map(Array.from(files, ([path, bytes]) => [path.replace(/^package\//, ""), bytes])), name }
}

/** Without hooks, templates, filters and submodules; links become plain files. */
async function fromGit(services: Services, temp: string, source: string): Promise<Fetched> {
  const [url = "", branch] = source.split("#")
  const name = basename(url.replace(/\/+$/, ""))
    .replace(/\.git$/, "")
    .replace(/^.*:/, "")
  const folder = join(temp, "clone")
  mkdirSync(folder)
  const off = ["core.hooksPath=/dev/null", "core.symlinks=false", "core.fsmonitor=false", "protocol.ext.allow=never"]
  const quiet = ["--quiet", "--depth=1", "--no-tags", "--single-branch", "--template=", "--no-recurse-submodules"]
  const branchArgs = branch === undefined ? [] : [`--branch=${branch}`]
  const settings = off.flatMap((setting) => ["-c", setting])
  must(await runs(services, temp, ["git", ...settings, "clone", ...quiet, ...branchArgs, "--", url, folder]))
  return { files: must(filesIn(folder, source)), name }
}

/** Milliseconds for git and npm. */
const timeout = 120_000
/** Characters of their output in an error. */
const maxOutput = 500

async function runs(services: Services, cwd: string, command: readonly string[]): Promise<Outcome<null>> {
  const { createLocalHost } = await import("@gong/tools/host/local")
  const host = createLocalHost({ cwd, project: services.cwd, env: services.env, home: services.userHome })
  const stop = new AbortController()
  const cancel = systemClock.timer(timeout, () => stop.abort())
  // Prompts would block; git's variables could select another repository.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...env } = host.env
  let output = ""
  try {
    const { code } = await host.exec(command, {
      cwd,
      env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" },
      signal: stop.signal,
      onData: (bytes) => void (output = `${output}${new TextDecoder().decode(bytes)}`.slice(0, maxOutput)),
    })
    if (code === 0) return ok(null)
    return stop.signal.aborted
      ? usage(phrase`${command[0]} did not end within ${timeout / 1000} s`)
      : usage(phrase`${command[0]} failed: ${output.trim()}`)
  } catch {
    return usage(phrase`${command[0]} cannot be run here. Install it, or fetch the skill yourself and add its folder.`)
  } finally {
    cancel()
  }
}

async function unpacked(source: string, path: string): Promise<Outcome<Fetched>> {
  const name = basename(path).replace(/\.(tgz|tar\.gz)$/, "")
  const tar = gunzipped(path)
  const read: ReadSource = tar === null ? { ok: false, problem: sourceTooLarge } : await filesOfArchive(tar)
  return read.ok ? ok({ files: read.files, name }) : usage(phrase`${source}: ${read.problem}`)
}

/** Null if it is not gzip, or too large. */
function gunzipped(path: string): Uint8Array | null {
  try {
    return gunzipSync(readFileSync(path), { maxOutputLength: maxSourceBytes })
  } catch {
    return null
  }
}

/** The regular files below a folder, without links, which could lead to other files of the user. */
function filesIn(folder: string, source: string): Outcome<SourceFiles> {
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  const visit = (inside: string): boolean =>
    readdirSync(join(folder, inside)).every((name) => {
      const path = inside === "" ? name : `${inside}/${name}`
      const stat = lstatSync(join(folder, path))
      if (stat.isDirectory()) return name === ".git" || name === "node_modules" || visit(path)
      if (!stat.isFile()) return true
      bytes += stat.size
      if (files.size === maxSourceFiles || bytes > maxSourceBytes) return false
      files.set(path, readFileSync(join(folder, path)))
      return true
    })
  return visit("") ? ok(files) : usage(phrase`${source}: ${sourceTooLarge}`)
}
