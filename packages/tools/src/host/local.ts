import { homedir, tmpdir } from "node:os"
import { type Host, localHost } from "@gong/spec"
import type { SharedSpawns } from "./shared-spawns.ts"
import { localFiles } from "./files/local-files.ts"
import { findProgram, pathWithoutProject } from "./processes/program-path.ts"

export interface LocalHostOptions {
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
  /** Where temporary files are. Default: the system's. */
  readonly tmp?: string
  /** Programs of this folder are started only if a command names them. Default: `cwd`. */
  readonly project?: string
  /** Full path of the shell for commands given as text. Default: the first bash found, never sh. */
  readonly shell?: string
  /** For a process with many sessions: queues command starts. Default: each starts at once. */
  readonly spawns?: () => Promise<SharedSpawns>
}

/**
 * This machine. The reading members are available at once, because start-up reads files; the others are loaded at their
 * first call.
 */
export function createLocalHost(options: LocalHostOptions): Host {
  const env = definedOnly(options.env ?? process.env)
  const project = options.project ?? options.cwd
  const own = (path = "") => pathWithoutProject(path, project)
  const which: Host["which"] = async (name, wanted) =>
    findProgram(name, wanted?.own === true ? own(env["PATH"]) : (env["PATH"] ?? ""))
  let loaded: Promise<Pick<Host, "mkdir" | "replaceFile" | "remove" | "exec" | "endJobs">> | undefined
  const work = () =>
    (loaded ??= import("./local-work.ts").then(async ({ localWork }) =>
      localWork({ env, which, own, shell: options.shell, spawns: await options.spawns?.() }),
    ))
  return {
    id: localHost,
    cwd: options.cwd,
    home: options.home ?? env["HOME"] ?? homedir(),
    tmp: options.tmp ?? tmpdir(),
    env,
    ...localFiles,
    mkdir: async (path) => (await work()).mkdir(path),
    replaceFile: async (path, content, how) => (await work()).replaceFile(path, content, how),
    remove: async (path) => (await work()).remove(path),
    exec: async (command, how) => (await work()).exec(command, how),
    endJobs: async (keep) => (await loaded)?.endJobs(keep),
    which,
  }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) out[name] = value
  return out
}
