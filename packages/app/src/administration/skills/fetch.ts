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
  /** What a skill is called that stands at the top of it and does not say so itself. */
  readonly name: string
}

export interface FetchPlace {
  /** Gong's. */
  readonly home: string
  /** What a relative path begins at. */
  readonly cwd: string
}

/** The files of a folder, a `.tgz`, a git URL (`URL#BRANCH`) or `npm:NAME[@VERSION]`. Nothing of it is run. */
export async function fetchSource(services: Services, place: FetchPlace, source: string): Promise<Outcome<Fetched>> {
  const { home, cwd } = place
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
      return must(usage(phrase`${source}: this is no folder and no .tgz. Name a skill's folder.`))
    return { files: must(filesIn(path, source)), name: basename(path) }
  })
}

/** Commands of a session may write to the system's temporary folder, and git and npm run here outside of their sandbox. */
async function inHome<T>(home: string, work: (temp: string) => Promise<T>): Promise<T> {
  const temp = realpathSync(mkdtempSync(join(must(prepareHome(home)), ".fetch-")))
  try {
    return await work(temp)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

/** Only the registry: `npm pack` of a folder or a git address would run its scripts. */
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
  if (archive === undefined) return must(usage(phrase`npm:${spec}: npm brought no package.`))
  const { files } = must(await unpacked(`npm:${spec}`, join(temp, archive)))
  const name = spec.replace(/^@[^/]*\//, "").replace(/@.*$/, "")
  return { files: new Map(Array.from(files, ([path, bytes]) => [path.replace(/^package\//, ""), bytes])), name }
}

/** No hook, no template, no filter of attributes, no submodule; links become plain files. */
async function fromGit(services: Services, temp: string, source: string): Promise<Fetched> {
  const [url = "", branch] = source.split("#")
  const name = basename(url.replace(/\/+$/, ""))
    .replace(/\.git$/, "")
    .replace(/^.*:/, "")
  const folder = join(temp, "clone")
  mkdirSync(folder)
  const off = ["core.hooksPath=/dev/null", "core.symlinks=false", "core.fsmonitor=false", "protocol.ext.allow=never"]
  const quiet = ["--quiet", "--depth=1", "--no-tags", "--single-branch", "--template=", "--no-recurse-submodules"]
  const wanted = branch === undefined ? [] : [`--branch=${branch}`]
  const settings = off.flatMap((setting) => ["-c", setting])
  must(await runs(services, temp, ["git", ...settings, "clone", ...quiet, ...wanted, "--", url, folder]))
  return { files: must(filesIn(folder, source)), name }
}

/** Milliseconds for a program that fetches. */
const maxWait = 120_000
const maxSaid = 500

async function runs(services: Services, cwd: string, command: readonly string[]): Promise<Outcome<null>> {
  const { createLocalHost } = await import("@gong/tools/host/local")
  const host = createLocalHost({ cwd, project: services.cwd, env: services.env, home: services.userHome })
  const stop = new AbortController()
  const cancel = systemClock.timer(maxWait, () => stop.abort())
  // Asking a person would hang; git's own variables would lead it to another repository.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...env } = host.env
  let said = ""
  try {
    const { code } = await host.exec(command, {
      cwd,
      env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" },
      signal: stop.signal,
      onData: (bytes) => void (said = `${said}${new TextDecoder().decode(bytes)}`.slice(0, maxSaid)),
    })
    if (code === 0) return ok(null)
    return stop.signal.aborted
      ? usage(phrase`${command[0]} did not end within ${maxWait / 1000} s`)
      : usage(phrase`${command[0]} failed: ${said.trim()}`)
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

/** Null for what is no gzip, or unpacks to more than a source may have. */
function gunzipped(path: string): Uint8Array | null {
  try {
    return gunzipSync(readFileSync(path), { maxOutputLength: maxSourceBytes })
  } catch {
    return null
  }
}

/** The regular files below a folder. Links are left out: they could lead to files of the user's. */
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
