import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type GitFixture, repository, type FixtureOptions } from "./fixture.ts"
import type { Layout } from "./canaries.ts"

/** A way in which git is led to a repository from a folder, and to its settings. */
export interface Form {
  readonly name: string
  readonly options?: FixtureOptions
  create(fixture: GitFixture): Layout
  /** The decision of policy about reading without side effects: `deny` if it is unavailable. */
  readonly quiet: "allow" | "deny"
  /** The git command that runs a program named there; null: none. Default `git status`. */
  readonly shows?: string | null
}

/** The git folder under another name in the workspace, and a `.git` file with this line. A decoy that does nothing lies where other readings of the line lead. */
export function linked(name: string, line: string, decoy?: string): Form["create"] {
  return (fixture) => {
    repository(fixture)
    const shared = join(fixture.work, name)
    mkdirSync(join(shared, ".."), { recursive: true })
    renameSync(join(fixture.work, ".git"), shared)
    writeFileSync(join(fixture.work, ".git"), line.replaceAll("ROOT", fixture.root))
    if (decoy !== undefined) cpSync(shared, join(fixture.root, decoy), { recursive: true })
    return { shared, top: fixture.work, cwd: fixture.work }
  }
}

/** A repository at the top, and below it a folder with a `.git` that git passes over. */
function passedOver(create: (path: string) => void): Form["create"] {
  return (fixture) => {
    repository(fixture)
    const cwd = join(fixture.work, "in")
    mkdirSync(cwd)
    create(join(cwd, ".git"))
    return { shared: join(fixture.work, ".git"), top: fixture.work, cwd }
  }
}

/** The repository, changed by a shell in the workspace. */
function after(script: string, found: Partial<Record<keyof Layout, string>> = {}): Form["create"] {
  return (fixture) => {
    repository(fixture)
    const { status } = fixture.plain(`set -e; ${script}`)
    if (status !== 0) throw new Error(script)
    const { shared = "work/.git", top = "work", cwd = "work" } = found
    return { shared: join(fixture.root, shared), top: join(fixture.root, top), cwd: join(fixture.root, cwd) }
  }
}

const fifo = (path: string): void => void spawnSync("mkfifo", [path])

export const forms: readonly Form[] = [
  { name: "a folder", quiet: "allow", create: after("true") },
  { name: "a file, from the root", quiet: "allow", create: linked("g", "gitdir: ROOT/work/g\n") },
  {
    name: "a file, with a space at the end of the name",
    quiet: "allow",
    create: linked("g ", "gitdir: g \n", "work/g"),
  },
  { name: "a file, with a line break in the name", quiet: "deny", create: linked("g\nh", "gitdir: g\nh\n", "work/g") },
  {
    name: "a file, with several line breaks at the end",
    quiet: "allow",
    create: linked("g", "gitdir: g\r\n\n\r\n", "work/g\r"),
  },
  { name: "a file, with a tilde", quiet: "allow", create: linked("~/g", "gitdir: ~/g\n", "home/g") },
  {
    name: "a file, with a second line that looks like one",
    quiet: "deny",
    create: linked("g\ngitdir: h", "gitdir: g\ngitdir: h\n", "work/h"),
  },
  {
    name: "commondir",
    quiet: "allow",
    create: after("cp -r .git c; echo ../c > .git/commondir", { shared: "work/c" }),
  },
  {
    name: "commondir, with a space at the end",
    quiet: "allow",
    create: after("cp -r .git 'c '; cp -r .git c; echo '../c ' > .git/commondir", { shared: "work/c " }),
  },
  {
    name: "a folder that is no repository",
    quiet: "allow",
    create: passedOver((path) => mkdirSync(join(path, "x"), { recursive: true })),
  },
  {
    name: "a folder with a HEAD that is none",
    quiet: "allow",
    create: passedOver((path) => {
      mkdirSync(path)
      writeFileSync(join(path, "HEAD"), "x")
    }),
  },
  { name: "a pipe", quiet: "allow", create: passedOver(fifo) },
  { name: "a link to nothing", quiet: "allow", create: passedOver((path) => symlinkSync("nothing", path)) },
  {
    name: "a file that leads to no repository",
    shows: null,
    quiet: "deny",
    create: passedOver((path) => writeFileSync(path, "gitdir: nothing\n")),
  },
  {
    name: "a file that says nothing",
    shows: null,
    quiet: "deny",
    create: passedOver((path) => writeFileSync(path, "")),
  },
  { name: "a link to a folder", quiet: "allow", create: after("mv .git g; ln -s g .git", { shared: "work/g" }) },
  {
    name: "a link to a file",
    quiet: "allow",
    create: after("mv .git g; echo gitdir: ROOTg > f; sed -i s,ROOT,$PWD/, f; ln -s f .git", { shared: "work/g" }),
  },
  {
    name: "a folder above the workspace",
    quiet: "allow",
    create: after("mv .git ..; cp -r . ../; true", { shared: ".git", top: "." }),
  },
  {
    name: "a linked worktree",
    quiet: "allow",
    create: after("git worktree add -q ../work/w 2>&1", { top: "work/w", cwd: "work/w" }),
  },
  {
    name: "a linked worktree with settings of its own",
    quiet: "allow",
    create: after(
      "git worktree add -q w 2>&1; git config extensions.worktreeConfig true; touch .git/worktrees/w/config.worktree; ln .git/worktrees/w/config.worktree .git/worktrees/w/config",
      { shared: "work/.git/worktrees/w", top: "work/w", cwd: "work/w" },
    ),
  },
  {
    name: "config.worktree",
    quiet: "allow",
    create: after(
      "git config extensions.worktreeConfig true; mkdir c; touch c/config; ln c/config .git/config.worktree; cp -r .git/objects c",
      { shared: "work/c" },
    ),
  },
  {
    name: "include.path",
    quiet: "allow",
    create: after("mkdir c; touch c/config; git config include.path ../c/config; cp -r .git/objects c", {
      shared: "work/c",
    }),
  },
  {
    name: "includeIf",
    quiet: "allow",
    create: after("mkdir c; touch c/config; git config includeIf.onbranch:m*.path ../c/config; cp -r .git/objects c", {
      shared: "work/c",
    }),
  },
  {
    name: "an include in the user's settings",
    quiet: "allow",
    create: after("mkdir c; touch c/config; git config --global include.path $PWD/c/config; cp -r .git/objects c", {
      shared: "work/c",
    }),
  },
  {
    name: "core.worktree in the workspace",
    quiet: "allow",
    create: after("mkdir t; git config core.worktree ../t", { top: "work/t", cwd: "work/t" }),
  },
  { name: "core.worktree elsewhere", quiet: "deny", create: after("git config core.worktree ../..", { top: "." }) },
  {
    name: "a folder below that looks like one",
    shows: null,
    quiet: "deny",
    create: after("cp -r .git b; git config -f b/config core.bare true", { shared: "work/b", cwd: "work/b" }),
  },
  {
    name: "a folder below that looks like one, with a working tree",
    quiet: "allow",
    create: after("cp -r .git b; git config -f b/config core.worktree $PWD/b", {
      shared: "work/b",
      top: "work/b",
      cwd: "work/b",
    }),
  },
  {
    name: "plain files at the top that look like one",
    shows: null,
    quiet: "deny",
    create: after("mv .git/* .; rmdir .git; git config -f config core.bare true", { shared: "work" }),
  },
  {
    name: "a submodule, from above",
    quiet: "deny",
    create: after("cp -r .git s; mkdir m; mv s m/.git; git add m 2>/dev/null", { shared: "work/m/.git" }),
  },
  {
    name: "a submodule, from inside",
    quiet: "allow",
    create: after("mkdir m; cp -r .git m; git add m 2>/dev/null", {
      shared: "work/m/.git",
      top: "work/m",
      cwd: "work/m",
    }),
  },
  {
    name: "what a commit once had as a submodule",
    shows: "git log -p",
    quiet: "allow",
    create: after(
      "mkdir m; cp -r .git m; git add m 2>/dev/null; git commit -qm m; git rm -q --cached m; git -C m commit -qam m; git config diff.submodule diff",
      { shared: "work/m/.git" },
    ),
  },
  {
    name: "alternates",
    shows: null,
    quiet: "allow",
    create: after(
      "cp -r .git ../a.git; rm -rf .git/objects/??; echo $PWD/../a.git/objects > .git/objects/info/alternates",
      { shared: "a.git" },
    ),
  },
  {
    name: "GIT_DIR in the environment",
    quiet: "allow",
    options: { env: { GIT_DIR: "ROOT/work/d", GIT_WORK_TREE: "ROOT/work" } },
    create: after("mv .git d", { shared: "work/d" }),
  },
  {
    name: "the folder of another user",
    // Only root can give it away.
    shows: process.getuid?.() === 0 ? null : "git status",
    quiet: "allow",
    create: after("chown -R 12345 . 2>/dev/null || true"),
  },
]
