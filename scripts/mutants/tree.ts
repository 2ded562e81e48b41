import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"

/** A copy of the checkout on disk, without files that git ignores but with node_modules, in which files may be changed. */
export function makeTree(root: string, place: string): void {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  for (const path of listed.toString().split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    cpSync(join(root, path), join(place, path))
  }
  // The links in it to packages are relative, and so lead into the copy. Hard links where the disk allows them.
  const modules = [join(root, "node_modules"), join(place, "node_modules")]
  if (spawnSync("cp", ["-al", ...modules]).status !== 0) execFileSync("cp", ["-a", ...modules])
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "t"],
  ])
    execFileSync("git", words, { cwd: place })
}
