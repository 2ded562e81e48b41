import { mkdirSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { git } from "../../program/harness.ts"
import type { Place, Surface } from "../place.ts"

/** Settings at whose word git runs a program, and a command of git that shows it. */
const settings: readonly (readonly [name: string, key: string, run: string])[] = [
  ["git-fsmonitor", "core.fsmonitor", "git status"],
  ["git-diff-external", "diff.external", "git --no-pager diff"],
  ["git-textconv", "diff.t.textconv", "git --no-pager log -p -- seen.t"],
  ["git-filter-clean", "filter.f.clean", "touch kept.f; git ls-files -m"],
  ["git-filter-smudge", "filter.f.smudge", "rm -f kept.f; git checkout -- kept.f"],
  ["git-filter-process", "filter.p.process", "touch kept.p; git ls-files -m"],
  ["git-credential-helper", "credential.helper", "printf 'protocol=http\\nhost=x\\n\\n' | git credential fill"],
  ["git-ssh-command", "core.sshCommand", "git ls-remote ssh://127.0.0.1/x"],
  ["git-editor", "core.editor", "git -c user.name=a -c user.email=a@b commit --allow-empty"],
  ["git-pager", "core.pager", "git log | $(git config core.pager)"],
  ["git-gpg", "gpg.program", "git -c user.name=a -c user.email=a@b commit -S --allow-empty -m x"],
  ["git-alias", "alias.st", "git st"],
]

export const gitSettings: readonly Surface[] = [
  ...settings.map(([name, key, run]): Surface => ({
    name,
    lay(place) {
      commitOnce(place)
      const value =
        name === "git-credential-helper" || name === "git-alias" ? `!${place.trip(name)}` : scriptOf(place, name)
      git(place.repo, "config", key, value)
    },
    control: { run, env: { GIT_TERMINAL_PROMPT: "0", PATH: "/usr/bin:/bin" } },
  })),
  {
    name: "git-hooks-path",
    lay(place) {
      commitOnce(place)
      for (const hook of ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"])
        place.program(`hooks/${hook}`, place.trip("git-hooks-path"))
      git(place.repo, "config", "core.hooksPath", "hooks")
    },
    control: { run: "git update-index --refresh; git branch other", env: { PATH: "/usr/bin:/bin" } },
  },
  {
    name: "git-lazy-fetch",
    lay(place) {
      commitOnce(place)
      for (const [key, value] of [
        ["core.repositoryFormatVersion", "1"],
        ["extensions.partialClone", "evil"],
        ["remote.evil.promisor", "true"],
        ["remote.evil.url", `ext::${scriptOf(place, "git-lazy-fetch")}`],
        ["protocol.ext.allow", "always"],
      ] as const)
        git(place.repo, "config", key, value)
    },
    control: { run: "git cat-file -p 1234567890123456789012345678901234567890", env: { PATH: "/usr/bin:/bin" } },
  },
  {
    name: "git-include",
    lay(place) {
      commitOnce(place)
      place.write({ "included.cfg": `[alias]\n\tincluded = "!${place.trip("git-include").replaceAll('"', '\\"')}"\n` })
      git(place.repo, "config", "include.path", "../included.cfg")
    },
    control: { run: "git included", env: { PATH: "/usr/bin:/bin" } },
  },
]

/** Must precede the settings that would act on it. */
function commitOnce(place: Place): void {
  if (statSync(join(place.repo, ".git/refs/heads/main"), { throwIfNoEntry: false })) return
  git(place.repo, "symbolic-ref", "HEAD", "refs/heads/main")
  place.write({
    "seen.t": "one\n",
    "kept.f": "one\n",
    "kept.p": "one\n",
    ".gitattributes": "*.t diff=t\n*.f filter=f\n*.p filter=p\n",
  })
  git(place.repo, "add", "seen.t", "kept.f", "kept.p", ".gitattributes")
  git(place.repo, "commit", "--quiet", "--message", "first")
  place.write({ "seen.t": "two\n" })
  // Same size, different time: git has to read them.
  for (const name of ["kept.f", "kept.p"]) utimesSync(join(place.repo, name), 1, 1)
}

function scriptOf(place: Place, name: string): string {
  const path = join(place.root, "evil", name)
  mkdirSync(join(place.root, "evil"), { recursive: true })
  // A filter returns its input; other readers of its answer get none.
  place.program(path, `${place.trip(name)}; ${/filter|textconv|pager/.test(name) ? "exec cat" : "exit 1"}`)
  return path
}
