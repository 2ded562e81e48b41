import { appendFileSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { GitFixture } from "./fixture.ts"

/** A repository somewhere in a stage. All paths are full ones. */
export interface Layout {
  /** Where its settings lie. */
  readonly shared: string
  readonly top: string
  /** Where git is started. */
  readonly cwd: string
}

/** A way by which a repository makes git run a program, and a command that shows it. */
export interface Canary {
  readonly name: string
  create(fixture: GitFixture, layout: Layout): void
  readonly shows: string
}

/** Settings whose value is a program; `%` is where it lies. */
const settings: Readonly<Record<string, readonly [text: string, shows: string]>> = {
  "core.fsmonitor": ["[core]\n\tfsmonitor = %", "git status"],
  "core.fsmonitor, oddly written": ['[Core] FSMonitor = \\\n  "%" ; yes', "git status"],
  "core.hooksPath": ["[core]\n\thooksPath = %.d", "git status"],
  "diff.external": ["[diff]\n\texternal = %", "git diff"],
  "diff.*.command": ['[diff "t"]\n\tcommand = %', "git diff"],
  "diff.*.textconv": ['[diff "t"]\n\ttextconv = %', "git log -p"],
  "filter.*.clean": ['[filter "f"]\n\tclean = %', "git diff"],
  "filter.*.process": ['[filter "f"]\n\tprocess = %', "git diff"],
  "gpg.program by log.showSignature": ["[log]\n\tshowSignature\n[gpg]\n\tprogram = %", "git log"],
  "gpg.program by format.pretty": ["[format]\n\tpretty = %h %G?\n[gpg]\n\tprogram = %", "git log"],
  "gpg.program by a name for a format": ["[pretty]\n\tx = format:%G?\n[gpg]\n\tprogram = %", "git log --pretty=x"],
  "merge.*.driver": ['[log]\n\tdiffMerges = remerge\n[merge "m"]\n\tdriver = % %O', "git log -m -p"],
}

export const canaries: readonly Canary[] = [
  ...Object.entries(settings).map(([name, [text, shows]]): Canary => ({
    name,
    shows,
    create(fixture, { shared }) {
      const path = fixture.canary()
      if (text.includes("%.d")) fixture.canary("evil.d/post-index-change")
      appendFileSync(join(shared, "config"), `${text.replaceAll(/%(?=[\s".]|$)/gm, path)}\n`)
    },
  })),
  {
    name: "hooks/post-index-change",
    create: (fixture, { shared }) =>
      void fixture.canary(`${shared.slice(fixture.root.length)}/hooks/post-index-change`),
    shows: "git status",
  },
  {
    name: "core.alternateRefsCommand",
    create(fixture, { shared }) {
      fixture.plain("git init -q --bare ../other.git")
      mkdirSync(join(shared, "objects/info"), { recursive: true })
      appendFileSync(join(shared, "objects/info/alternates"), `${fixture.root}/other.git/objects\n`)
      appendFileSync(join(shared, "config"), `[core]\n\talternateRefsCommand = ${fixture.canary()}\n`)
    },
    shows: "git log --alternate-refs",
  },
  {
    name: "a promised object",
    create(fixture, { shared, cwd }) {
      const id = fixture.plain("git rev-parse HEAD:gone", cwd).stdout.trim()
      if (id.length > 4) rmSync(join(shared, "objects", id.slice(0, 2), id.slice(2)), { force: true })
      const remote = `[remote "evil"]\n\tpromisor = true\n\turl = ext::${fixture.canary("evil.remote", "exit 1")}\n[protocol "ext"]\n\tallow = always\n`
      appendFileSync(
        join(shared, "config"),
        `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = evil\n${remote}`,
      )
    },
    shows: "git cat-file -p HEAD:gone",
  },
]

/** Git commands of a model, and commands that reach the traps. */
export const reads: readonly string[] = [
  ...canaries.map(({ shows }) => shows),
  "git status --short && git log --oneline -5",
  "git diff HEAD~1 --stat | tail -3",
  "git diff --cached",
  "git log -p --submodule=diff",
  "git log --pretty=x",
  "git show",
  "git show HEAD~1:kept.f",
  "git blame HEAD -- seen.t",
  "git branch -a",
  "git tag -l",
  "git remote -v",
  "git stash list",
  "git worktree list",
  "git rev-parse HEAD",
  "git rev-list --all --count",
  "git ls-files -m",
  "git ls-tree HEAD",
  "git merge-base HEAD HEAD~1",
  "git describe --always --all",
  "git grep -n one",
  "git shortlog -s HEAD",
]
