import type { ExecOptions, ExecResult, Host } from "@gong/spec"
import { makeFolder } from "./files/folder.ts"
import { removeReal } from "./files/open-real.ts"
import { replaceFileLocally } from "./files/replace-file.ts"
import { execByServer, execLocally } from "./processes/exec.ts"
import { createProcessTree } from "./processes/process-tree.ts"
import { findProgram } from "./processes/program-path.ts"
import { findShell } from "./processes/shell.ts"
import type { SharedSpawns } from "./shared-spawns.ts"

export interface LocalWorkDeps {
  readonly env: Readonly<Record<string, string>>
  readonly which: Host["which"]
  /** The folders of a PATH without those of the project. */
  own(path?: string): string
  readonly shell: string | undefined
  /** Absent: commands start at once. */
  readonly spawns: SharedSpawns | undefined
}

/** The members that change files or start programs; loaded at the first such call. */
export function localWork({
  env,
  which,
  own,
  shell: named,
  spawns,
}: LocalWorkDeps): Pick<Host, "mkdir" | "replaceFile" | "remove" | "exec" | "endJobs"> {
  const processTree = createProcessTree(own(env["PATH"]))
  spawns?.join()
  let shell = named === undefined ? undefined : Promise.resolve(named)
  const run = (
    argv: readonly string[],
    given: ExecOptions & { readonly env: Readonly<Record<string, string>> },
  ): Promise<ExecResult> => {
    // The fork server passes stdin as one text.
    if (spawns === undefined || given.onStdin !== undefined) return execLocally(argv, given, processTree)
    return spawns.queue.run(given.signal, () => {
      const server = spawns.server()
      return server === null ? execLocally(argv, given, processTree) : execByServer(server, argv, given, processTree)
    })
  }
  return {
    mkdir: async (path) => makeFolder(path).close(),
    replaceFile: replaceFileLocally,
    remove: async (path) => removeReal(path),
    exec: async (command, execOptions) => {
      shell ??= findShell({ which })
      const given = { env, ...execOptions }
      if (typeof command === "string") return run([await shell, "-c", command], given)
      const [program = "", ...args] = command
      return run([findProgram(program, own(given.env["PATH"])) ?? missing(program), ...args], given)
    },
    endJobs: (keep = []) => processTree.endAll(keep),
  }
}

/** A name without a folder would be searched in the whole PATH again. */
function missing(program: string): string {
  return program.includes("/") ? program : `/nonexistent/${program}`
}
