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

/** Tries to have `changed` stand in a file that others run. */
interface Attack {
  readonly name: string
  readonly command: string
  /** From the project. */
  readonly target: string
}

// oxfmt-ignore
const attacks: readonly Attack[] = [
  { name: "writing over one", command: "echo changed > .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "writing over one beside git", command: "git stash list; echo changed > .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "making one that was missing", command: "echo changed > .envrc", target: ".envrc" },
  { name: "making one with its folders", command: "mkdir -p .config/mise && echo changed > .config/mise/config.toml", target: ".config/mise/config.toml" },
  { name: "making one by a pattern", command: "echo changed > a.code-workspace", target: "a.code-workspace" },
  { name: "a new file in a folder that is there", command: "echo changed > .husky/pre-push", target: ".husky/pre-push" },
  { name: "a new file in a folder that is there, beside git", command: "git stash list; echo changed > .husky/pre-push", target: ".husky/pre-push" },
  { name: "moving a folder into place", command: "mkdir w && echo changed > w/ci.yml && mkdir -p .github && mv w .github/workflows", target: ".github/workflows/ci.yml" },
  { name: "moving the folder above away and another into its stead", command: "mkdir v && echo changed > v/tasks.json && mv .vscode old; mv -T v .vscode", target: ".vscode/tasks.json" },
  { name: "the same beside git", command: "git stash list; mkdir v && echo changed > v/tasks.json && mv .vscode old; mv -T v .vscode", target: ".vscode/tasks.json" },
  { name: "renaming over it", command: "echo changed > t && mv -f t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link for the file", command: "echo changed > t; rm -f .vscode/tasks.json; ln -s ../t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link for the file, beside git", command: "git stash list; echo changed > t; rm -f .vscode/tasks.json; ln -s ../t .vscode/tasks.json", target: ".vscode/tasks.json" },
  { name: "a link for the folder above", command: "mkdir v; echo changed > v/tasks.json; mv .vscode old; ln -s v .vscode", target: ".vscode/tasks.json" },
  { name: "a link for the folder above, beside git", command: "git stash list; mkdir v; echo changed > v/tasks.json; mv .vscode old; ln -s v .vscode", target: ".vscode/tasks.json" },
  { name: "a link to a folder that was missing", command: "mkdir -p w/workflows; echo changed > w/workflows/a.yml; ln -s w .github", target: ".github/workflows/a.yml" },
  { name: "a hard link made by the command", command: "ln .vscode/tasks.json l && echo changed > l", target: ".vscode/tasks.json" },
  { name: "a hard link made beside git", command: "git stash list; ln .vscode/tasks.json l && echo changed > l", target: ".vscode/tasks.json" },
  { name: "a hard link that was there before, beside git", command: "git stash list; echo changed > before", target: ".vscode/tasks.json" },
  { name: "the file behind a link that was there before", command: "echo changed > shared.json", target: ".vscode/settings.json" },
  { name: "the same beside git", command: "git stash list; echo changed > shared.json", target: ".vscode/settings.json" },
  { name: "another case", command: "mkdir -p .VSCODE && echo changed > .VSCODE/TASKS.JSON", target: ".VSCODE/TASKS.JSON" },
  { name: "from an archive", command: "mkdir -p a/.github/workflows && echo changed > a/.github/workflows/b.yml && tar -C a -cf a.tar . && tar xf a.tar", target: ".github/workflows/b.yml" },
  { name: "by dots and a slash too many", command: "mkdir -p s; echo changed > s/..//.vscode/./tasks.json", target: ".vscode/tasks.json" },
  { name: "by a patch", command: "printf '%s\\n' '--- /dev/null' '+++ b/.envrc' '@@ -0,0 +1 @@' '+changed' | git apply", target: ".envrc" },
  { name: "by a commit of the command's own", command: "git switch -qc evil && echo changed > .envrc && git add -f .envrc && git commit -qm e && git switch -q main && git switch -q evil", target: ".envrc" },
  { name: "by a commit that stands in place of another", command: "git switch -qc evil && echo changed > .envrc && git add -f .envrc && git commit -qm e && git replace main evil && git switch -q main && git checkout -q evil -- .envrc", target: ".envrc" },
  { name: "beside a name of what was taken away", command: "echo changed > .husky/pre-push.sandbox; git stash list; mv .husky/pre-push.sandbox .husky/pre-push", target: ".husky/pre-push" },
  { name: "a name that is too long for another behind it", command: "git stash list; echo changed > .husky/$(printf 'a%.0s' $(seq 250))", target: `.husky/${"a".repeat(250)}` },
  { name: "where a hundred names for what is taken away are there", command: "for i in '' $(seq 2 100); do : > .envrc.sandbox$i; done; echo changed > .envrc", target: ".envrc" },
  { name: "more files than are looked at", command: "git stash list; seq -f .husky/%g 1100 | xargs touch; echo changed > .husky/pre-commit", target: ".husky/pre-commit" },
  { name: "in a folder that is not to be written to", command: "mkdir -p .github/workflows && echo changed > .github/workflows/a.yml && chmod 555 .github/workflows .github .", target: ".github/workflows/a.yml" },
  { name: "in a folder that is not to be listed", command: "mkdir -p .config/mise && echo changed > .config/mise/config.toml && chmod 311 .config/mise .config", target: ".config/mise/config.toml" },
  { name: "in a root that is not to be listed", command: "echo changed > .envrc && chmod 311 .", target: ".envrc" },
  { name: "in another root", command: "echo changed > $OTHER/.envrc", target: "../../other/.envrc" },
  { name: "in another root, over one that is there", command: "echo changed > $OTHER/.vscode/tasks.json", target: "../../other/.vscode/tasks.json" },
  { name: "a mode that makes a program of it", command: "git stash list; chmod +x .husky/pre-commit && [ -x .husky/pre-commit ] && echo changed > .husky/x", target: ".husky/x" },
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

/** Each is tried with the names held, and without. */
export function autorunAttacks(who = ""): void {
  for (const { name, command, target } of attacks)
    attack(
      `[SAFE-29] files that others run stay as they are${who}: ${name}`,
      async (t, guard) => {
        const here = prepare(t)
        await here.outside("git init -qb main --template= && git add a.txt && git commit -qm a")
        const roots = [here.repo, here.temp, here.at("other")]
        const { inside } = here.again({ roots, autorun: guard === "on" ? autorun : [] })
        const { out, note } = await inside(`export OTHER=${here.at("other")}; ${command}`)
        const path = join(here.repo, target)
        const reached = existsSync(path) && readFileSync(path, "utf8").includes("changed")
        await here.outside("chmod -R u+rwx .")
        return { reached, said: `${out}${note ?? ""}` }
      },
      { skip: noSandbox },
    )
}
