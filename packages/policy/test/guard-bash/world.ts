import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { absolute, isInside } from "../../src/paths.ts"
import type { Start } from "../../src/shell/state.ts"

/** A home with a project, and a shell whose `rm` only records its arguments. */
export interface BashWorld {
  readonly start: Start
  /** The protected folder in the arguments of a script's `rm -r`; null: none. */
  deletedFolder(script: string): string | null
  remove(): void
}

/** All programs that the shell finds. */
const programs = "bash sh cat ls xargs dirname basename env timeout nohup find printf echo true false sort head".split(
  " ",
)

export function bashWorld(): BashWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-guard-")))
  const [bin, home, log] = [join(folder, "bin"), join(folder, "home/u"), join(folder, "log")]
  const project = join(home, "shop")
  for (const path of [
    bin,
    join(folder, "tmp"),
    ...["build", "dist", "src/a", ".git"].map((name) => join(project, name)),
  ])
    mkdirSync(path, { recursive: true })
  for (const name of ["build/x", "dist/y", "a.txt"]) writeFileSync(join(project, name), "")
  writeFileSync(join(bin, "rm"), `#!/bin/sh\nprintf '%s\\0' "$PWD" "$@" >> ${log}\necho >> ${log}\n`, { mode: 0o755 })
  for (const name of programs) {
    const found = ["/bin", "/usr/bin"].map((place) => join(place, name)).find((path) => existsSync(path))
    if (found !== undefined) symlinkSync(found, join(bin, name))
  }
  const env = { HOME: home, PATH: bin, TMPDIR: join(folder, "tmp"), USER: "u" }
  const start = { cwd: project, home, roots: [project, env.TMPDIR], env }
  return {
    start,
    deletedFolder(script) {
      rmSync(log, { force: true })
      spawnSync("bash", ["-c", script], { cwd: project, env, stdio: "ignore", timeout: 5_000 })
      const calls = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []
      return (
        calls.map((call) => deletedFolderOf(call.split("\0").slice(0, -1), start)).find((path) => path !== null) ?? null
      )
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function deletedFolderOf([cwd = "/", ...args]: readonly string[], { home, roots, cwd: project }: Start): string | null {
  const end = args.indexOf("--")
  const isOption = (word: string, at: number): boolean => word.startsWith("-") && (end < 0 || at <= end)
  if (!args.some((word, at) => isOption(word, at) && /^-[^-]*[rR]|^--r/.test(word))) return null
  const paths = args
    .filter((word, at) => word !== "" && !isOption(word, at))
    .map((word) => absolute(`./${word}`.replace(/^\.\/\//, "/"), cwd, home))
  const all = readdirSync(project).filter((name) => !name.startsWith("."))
  if (all.every((name) => paths.includes(join(project, name)))) return `all of ${project}`
  const isProtected = (path: string): boolean =>
    isInside(path, home) || roots.some((root) => isInside(path, root)) || path === `${project}/.git`
  return paths.find(isProtected) ?? null
}
