import type { Host } from "@gong/spec"
import { makeFolder } from "./files/folder.ts"
import { removeReal } from "./files/open-real.ts"
import { replaceFileLocally } from "./files/replace-file.ts"
import { execLocally } from "./processes/exec.ts"
import { createProcessTree } from "./processes/process-tree.ts"
import { findProgram } from "./processes/program-path.ts"
import { findShell } from "./processes/shell.ts"

export interface LocalWorkDeps {
  readonly env: Readonly<Record<string, string>>
  readonly which: Host["which"]
  /** The folders of a PATH that are not the project's. */
  own(path?: string): string
  readonly shell: string | undefined
}

/** What changes this machine and starts programs on it; loaded at the first call of any of it. */
export function localWork({
  env,
  which,
  own,
  shell: named,
}: LocalWorkDeps): Pick<Host, "mkdir" | "replaceFile" | "remove" | "exec" | "endJobs"> {
  const processTree = createProcessTree(own(env["PATH"]))
  let shell = named === undefined ? undefined : Promise.resolve(named)
  return {
    mkdir: async (path) => makeFolder(path).close(),
    replaceFile: replaceFileLocally,
    remove: async (path) => removeReal(path),
    exec: async (command, execOptions) => {
      shell ??= findShell({ which })
      const given = { env, ...execOptions }
      if (typeof command === "string") return execLocally([await shell, "-c", command], given, processTree)
      const [program = "", ...args] = command
      return execLocally(
        [findProgram(program, own(given.env["PATH"])) ?? missing(program), ...args],
        given,
        processTree,
      )
    },
    endJobs: (keep = []) => processTree.endAll(keep),
  }
}

/** Without a folder in its name a program would be looked for in the whole PATH again. */
function missing(program: string): string {
  return program.includes("/") ? program : `/nonexistent/${program}`
}
