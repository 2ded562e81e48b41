import type { Clock, Host } from "@gong/spec"
import { dirname } from "../posix-path.ts"
import { listFiles } from "./list-files.ts"
import { excludedNames, inRepository } from "./scope.ts"

export interface WorkspaceFiles {
  /** Relative to the folder, the shortest first; folders end with `/`. */
  readonly paths: readonly string[]
  /** There are no more of them. */
  readonly isComplete: boolean
}

const PATHS_MAX = 200_000

/** Files below a folder that are not ignored, and their folders. Rejects when the signal is aborted. */
export async function workspaceFiles(
  host: Host,
  folder: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<WorkspaceFiles> {
  const scope = {
    folder,
    exclude: await excludedNames(host, folder),
    everything: false,
    repository: await inRepository(host, folder),
    clock,
    signal,
  }
  const files: string[] = []
  const folders = new Set<string>()
  const onPath = (path: string): boolean => {
    files.push(path)
    for (let up = dirname(path); up !== "." && !folders.has(up); up = dirname(up)) folders.add(up)
    return files.length < PATHS_MAX
  }
  const { trouble } = await listFiles(host, {}, { ...scope, onPath })
  const paths = [...files, ...Array.from(folders, (path) => `${path}/`)]
  paths.sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  return { paths, isComplete: files.length < PATHS_MAX && trouble === "" }
}
