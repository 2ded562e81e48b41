import { existsSync, linkSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { attack } from "@gong/testing/attacks"
import { noSandbox, sandboxPlace, type SandboxPlace } from "../sandbox-fixture.ts"

const autorun = [
  ".vscode/tasks.json",
  ".vscode/settings.json",
  "*.code-workspace",
  ".envrc",
  ".husky",
  ".github/workflows",
  ".config/mise",
  "mise.*.toml",
]

/** Tries to get `changed` into an auto-run file. */
interface Attack {
  readonly name: string
  readonly command: string
  /** Relative to the project. */
  readonly target: string
}

// oxfmt-ignore
const attacks: readonly Attack[] = [
  { name: "writing over one", command: "echo changed > .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "writing over one beside git", command: "git stash list; echo changed > .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "creating a missing one", command: "echo changed > .envrc", target: ".envrc" },
  { name: "creating one with its folders", command: "mkdir -p .config/mise && echo changed > .config/mise/config.toml", target: ".config/mise/config.toml" },
  { name: "creating one that matches a pattern", command: "echo changed > a.code-workspace", target: "a.code-workspace" },
  { name: "a new file in an existing folder", command: "echo changed > .husky/pre-push", target: ".husky/pre-push" },
  { name: "a new file in an existing folder, beside git", command: "git stash list; echo changed > .husky/pre-push", target: ".husky/pre-push" },
  { name: "moving a folder into place", command: "mkdir w && echo changed > w/ci.yml && mkdir -p .github && mv w .github/workflows", target: ".github/workflows/ci.yml" },
  { name: "moving the parent folder away and another into its place", command: "mkdir v && echo changed > v/tasks.json && mv .vscode old; mv -T v .vscode", target: ".vscode/tasks.json" },
  { name: "the same beside git", command: "git stash list; mkdir v && echo changed > v/tasks.json && mv .vscode old; mv -T v .vscode", target: ".vscode/tasks.json" },
  { name: "renaming over it", command: "echo changed > t && mv -f t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link in place of the file", command: "echo changed > t; rm -f .vscode/tasks.json; ln -s ../t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link in place of the file, beside git", command: "git stash list; echo changed > t; rm -f .vscode/tasks.json; ln -s ../t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link in place of the parent folder", command: "mkdir v; echo changed > v/tasks.json; mv .vscode old; ln -s v .vscode", target: ".vscode/tasks.json" },
  { name: "a link in place of the parent folder, beside git", command: "git stash list; mkdir v; echo changed > v/tasks.json; mv .vscode old; ln -s v .vscode", target: ".vscode/tasks.json" },
  { name: "a link in place of a missing folder", command: "mkdir -p w/workflows; echo changed > w/workflows/a.yml; ln -s w .github", target: ".github/workflows/a.yml" },
  { name: "a hard link made by the command", command: "ln .vscode/tasks.json l && echo changed > l", target: ".vscode/tasks.json" },
  { name: "a hard link made beside git", command: "git stash list; ln .vscode/tasks.json l && echo changed > l", target: ".vscode/tasks.json" },
  { name: "a hard link that existed before, beside git", command: "git stash list; echo changed > before", target: ".vscode/tasks.json" },
  { name: "the file behind a link that existed before", command: "echo changed > shared.json", target: ".vscode/settings.json" },
  { name: "the same beside git", command: "git stash list; echo changed > shared.json", target: ".vscode/settings.json" },
  { name: "another case", command: "mkdir -p .VSCODE && echo changed > .VSCODE/TASKS.JSON", target: ".VSCODE/TASKS.JSON" },
  { name: "from an archive", command: "mkdir -p a/.github/workflows && echo changed > a/.github/workflows/b.yml && tar -C a -cf a.tar . && tar xf a.tar", target: ".github/workflows/b.yml" },
  { name: "by dots and a slash too many", command: "mkdir -p s; echo changed > s/..//.vscode/./tasks.json", target: ".vscode/tasks.json" },
  { name: "by a patch", command: "printf '%s\\n' '--- /dev/null' '+++ b/.envrc' '@@ -0,0 +1 @@' '+changed' | git apply", target: ".envrc" },
  { name: "by a commit of the command", command: "git switch -qc evil && echo changed > .envrc && git add -f .envrc && git commit -qm e && git switch -q main && git switch -q evil", target: ".envrc" },
  { name: "by a commit that replaces another", command: "git switch -qc evil && echo changed > .envrc && git add -f .envrc && git commit -qm e && git replace main evil && git switch -q main && git checkout -q evil -- .envrc", target: ".envrc" },
  { name: "from the name of a file that was moved away", command: "echo changed > .husky/pre-push.sandbox; git stash list; mv .husky/pre-push.sandbox .husky/pre-push", target: ".husky/pre-push" },
  { name: "a name too long for a suffix", command: "git stash list; echo changed > .husky/$(printf 'a%.0s' $(seq 250))", target: `.husky/${"a".repeat(250)}` },
  { name: "with a hundred names for moved files taken", command: "for i in '' $(seq 2 100); do : > .envrc.sandbox$i; done; echo changed > .envrc", target: ".envrc" },
  { name: "more files than are checked", command: "git stash list; seq -f .husky/%g 1100 | xargs touch; echo changed > .husky/pre-commit", target: ".husky/pre-commit" },
  { name: "in an unwritable folder", command: "mkdir -p .github/workflows && echo changed > .github/workflows/a.yml && chmod 555 .github/workflows .github .", target: ".github/workflows/a.yml" },
  { name: "in an unlistable folder", command: "mkdir -p .config/mise && echo changed > .config/mise/config.toml && chmod 311 .config/mise .config", target: ".config/mise/config.toml" },
  { name: "in an unlistable root", command: "echo changed > .envrc && chmod 311 .", target: ".envrc" },
  { name: "in another root", command: "echo changed > $OTHER/.envrc", target: "../../other/.envrc" },
  { name: "in another root, over an existing one", command: "echo changed > $OTHER/.vscode/tasks.json", target: "../../other/.vscode/tasks.json" },
  { name: "a mode that makes it executable", command: "git stash list; chmod +x .husky/pre-commit && [ -x .husky/pre-commit ] && echo changed > .husky/x", target: ".husky/x" },
]

function prepare(t: TestContext): SandboxPlace {
  const here = sandboxPlace(t)
  here.put("home/repo/.vscode/tasks.json", "mine\n")
  here.put("home/repo/shared.json", "mine\n")
  here.put("home/repo/.husky/pre-commit", "mine\n")
  here.put("home/repo/a.txt", "mine\n")
  symlinkSync("../shared.json", join(here.repo, ".vscode/settings.json"))
  linkSync(join(here.repo, ".vscode/tasks.json"), join(here.repo, "before"))
  here.put("other/.vscode/tasks.json", "mine\n")
  return here
}

/** Each is tried with protection and without. */
export function autorunAttacks(who = ""): void {
  for (const { name, command, target } of attacks)
    attack(
      `[SAFE-29] auto-run files are protected${who}: ${name}`,
      async (t, guard) => {
        const here = prepare(t)
        await here.outside("git init -qb main --template= && git add a.txt && git commit -qm a")
        const roots = [here.repo, here.temp, here.at("other")]
        const { inside } = here.again({ roots, autorun: guard === "on" ? autorun : [] })
        const { out, note } = await inside(`export OTHER=${here.at("other")}; ${command}`)
        const path = join(here.repo, target)
        const reached = existsSync(path) && readFileSync(path, "utf8").includes("changed")
        await here.outside("chmod -R u+rwx .")
        return { reached, printed: `${out}${note ?? ""}` }
      },
      { skip: noSandbox },
    )
}
