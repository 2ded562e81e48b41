import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { setTimeout } from "node:timers/promises"
import { createSandboxedHost } from "../../../src/host/sandbox/index.ts"
import { defaults, git, noSandbox, sandboxPlace } from "./sandbox-fixture.ts"

const skip = noSandbox

const autorun = [".vscode/tasks.json", ".github/workflows", ".husky", ".envrc", "lefthook.*"]

/** A repository whose branches differ in auto-run files; `main` is checked out. */
function twoBranches(t: TestContext) {
  const here = sandboxPlace(t, { autorun })
  const commit = (files: Readonly<Record<string, string>>, message: string) => {
    for (const [path, text] of Object.entries(files)) here.put(`home/repo/${path}`, text)
    git(here.repo, "add", "-A")
    git(here.repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", message)
  }
  git(here.repo, "init", "--quiet", "--template=")
  commit({ ".github/workflows/ci.yml": "one\n", ".vscode/tasks.json": "one\n", "src/a": "one\n" }, "one")
  git(here.repo, "switch", "-qc", "other")
  commit(
    { ".github/workflows/ci.yml": "two\n", ".github/workflows/new.yml": "two\n", ".envrc": "two\n", "src/a": "two\n" },
    "two",
  )
  git(here.repo, "switch", "-q", "main")
  const read = (path: string) => readFileSync(join(here.repo, path), "utf8")
  const left = () => git(here.repo, "ls-files", "--others").split("\n").filter(Boolean)
  /** Runs until it is stopped, or its folder is gone. */
  const job = (command: string) => here.inside(`${command}; while [ -e src/a ] && [ ! -e stop ]; do sleep 0.02; done`)
  return { ...here, job, commit, read, left, status: () => git(here.repo, "status", "--porcelain") }
}

const everyday: readonly (readonly [string, string])[] = [
  ["switch", "git switch -q other"],
  [
    "checkout of a path",
    "git checkout -q other -- . && git reset -q --soft other && git symbolic-ref HEAD refs/heads/other",
  ],
  ["a detached checkout", "git checkout -q other~0"],
  ["merge", "git merge -q other"],
  ["a merge that is no fast-forward", "git commit -q --allow-empty -m x && git merge -q --no-edit other"],
  ["rebase", "git commit -q --allow-empty -m x && git rebase -q other"],
  ["cherry-pick", "git cherry-pick other >/dev/null"],
  ["reset", "git reset -q --hard other"],
  [
    "stash and pop",
    "git switch -q other && echo x >> src/a && git stash -q && git stash pop -q && git checkout -q src/a",
  ],
  ["there and back", "git switch -q other && git switch -q main && git switch -q other"],
  ["behind other words", "cd src && git -C .. -c advice.detachedHead=false switch -q other && cd .. && true"],
  ["restore after a delete", "git switch -q other && rm -r .github .envrc && git restore . "],
]

for (const [name, command] of everyday)
  test(`git replaces auto-run files by content of a commit from before the session: ${name}`, { skip }, async (t) => {
    const here = twoBranches(t)
    const { code, out, note } = await here.inside(command)
    assert.deepEqual([code, out, note], [0, "", undefined])
    assert.equal(here.status(), "")
    assert.deepEqual([".github/workflows/ci.yml", ".github/workflows/new.yml", ".envrc"].map(here.read), [
      "two\n",
      "two\n",
      "two\n",
    ])
    assert.equal((await here.inside("git switch -q main")).note, undefined)
    assert.deepEqual([here.status(), here.left()], ["", []])
  })

/** A remote with a commit that is not fetched yet. */
function withRemote(here: ReturnType<typeof twoBranches>, remote = here.at("origin")) {
  git(here.repo, "clone", "-q", here.repo, remote)
  git(here.repo, "remote", "add", "origin", remote)
  git(here.repo, "fetch", "-q", "origin")
  git(here.repo, "branch", "-qu", "origin/main", "main")
  writeFileSync(join(remote, ".github/workflows/ci.yml"), "upstream\n")
  git(remote, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "upstream")
  const { inside } = here.again({ autorun, fetches: (command) => command.split(" ") })
  return { ...here, inside }
}

test("auto-run files fetched from a remote by a plain pull or fetch stay", { skip }, async (t) => {
  for (const commands of [["git pull -q"], ["git pull -q origin main"], ["git fetch -q", "git merge -q origin/main"]]) {
    const here = withRemote(twoBranches(t))
    for (const command of commands) {
      const { out, note } = await here.inside(command)
      assert.deepEqual([out, note], ["", undefined], command)
    }
    assert.equal(here.read(".github/workflows/ci.yml"), "upstream\n")
    assert.equal(here.status(), "")
  }
})

test("[SAFE-29] auto-run files fetched from a folder that commands can write do not stay", { skip }, async (t) => {
  const first = twoBranches(t)
  const here = withRemote(first, join(first.temp, "origin"))
  assert.match((await here.inside("git pull -q")).note ?? "", /ci\.yml was put back/)
  const other = withRemote(twoBranches(t))
  await other.inside(`git fetch -q ${other.at("origin")} main:refs/remotes/origin/x`)
  assert.match((await other.inside("git merge -q origin/x")).note ?? "", /ci\.yml was put back/)
  const linked = withRemote(twoBranches(t))
  await linked.inside(
    "git symbolic-ref refs/remotes/origin/x refs/heads/main; echo evil > .envrc; git add .envrc; git commit -qm evil",
  )
  await linked.inside("git pull -q --no-rebase --no-edit")
  assert.match((await linked.inside("git restore .envrc")).note ?? "", /\.envrc was renamed/)
})

test(
  "[SAFE-29] while a command runs existing auto-run files are read-only, and the note names them",
  { skip },
  async (t) => {
    const here = twoBranches(t)
    const { code, note, out } = await here.inside("echo x > .vscode/tasks.json")
    assert.notEqual(code, 0)
    assert.match(out, /Read-only file system/)
    assert.equal(
      note,
      `[sandbox: blocked write to ${here.repo}/.vscode/tasks.json; the command may work with permission: run it again with unsandboxed: true]`,
    )
    assert.match((await here.inside("rm .github/workflows/ci.yml")).note ?? "", /blocked write to .*ci\.yml/)
    assert.match((await here.inside("mv .vscode v")).note ?? "", /blocked write to .*\.vscode;/)
    assert.equal(here.status(), "")
  },
)

test(
  "[SAFE-29] auto-run files created by a command are renamed at its end, and changed ones restored; nothing is lost",
  { skip },
  async (t) => {
    const here = twoBranches(t)
    const made = await here.inside(
      "echo mine > .envrc; mkdir .husky; echo a > .husky/pre-commit; echo b > .husky/_; true",
    )
    assert.equal(made.code, 0)
    assert.match(
      made.note ?? "",
      /^\[sandbox: \S+\/\.envrc was renamed to \S+\/\.envrc\.sandbox, since programs outside/,
    )
    assert.match(made.note ?? "", /\.husky was renamed to \S+\/\.husky\.sandbox,/)
    assert.deepEqual([here.read(".envrc.sandbox"), here.read(".husky.sandbox/pre-commit")], ["mine\n", "a\n"])
    const changed = await here.inside(
      "git stash list; echo evil > .github/workflows/ci.yml; chmod 600 .vscode/tasks.json",
    )
    assert.match(
      changed.note ?? "",
      /^\[sandbox: \S+\/ci\.yml was put back as it was, and what the command wrote is now \S+\/ci\.yml\.sandbox,/,
    )
    assert.deepEqual(
      [here.read(".github/workflows/ci.yml"), here.read(".github/workflows/ci.yml.sandbox")],
      ["one\n", "evil\n"],
    )
    assert.equal(statSync(join(here.repo, ".github/workflows/ci.yml")).mode & 0o777, 0o644)
  },
)

test(
  "[SAFE-29] in a folder created by git only files unknown to earlier commits are moved away",
  { skip },
  async (t) => {
    const here = twoBranches(t)
    here.put("home/repo/x", "evil\n")
    const { note } = await here.inside("git switch -q other; cp x .github/workflows/x.yml")
    assert.match(note ?? "", /^\[sandbox: \S+\/workflows\/x\.yml was renamed/)
    assert.equal(here.read(".github/workflows/new.yml"), "two\n")
    assert.deepEqual(here.left().toSorted(), [".github/workflows/x.yml.sandbox", "x"])
  },
)

test(
  "content written with permission stays: in a stash, on a branch, and during an earlier command",
  { skip },
  async (t) => {
    const here = twoBranches(t)
    const text = new TextEncoder().encode("meant\n")
    const path = join(here.repo, ".github/workflows/ci.yml")
    await here.host.replaceFile(path, text)
    for (const command of [
      "git stash -q && git stash pop -q",
      "git switch -qc mine && git commit -qam m && git switch -q main && git switch -q mine",
    ]) {
      assert.deepEqual(
        [(await here.inside(command)).note, here.read(".github/workflows/ci.yml")],
        [undefined, "meant\n"],
        command,
      )
    }
    const job = here.job("true")
    await until(() => existsSync(join(here.repo, ".git/commondir")))
    await here.host.replaceFile(join(here.repo, ".envrc"), text)
    await here.inside("echo run > lefthook.yml", { unsandboxed: true })
    assert.equal((await here.inside("true")).note, undefined)
    assert.match((await here.inside("echo evil > .husky")).note ?? "", /\.husky was renamed/)
    here.put("home/repo/stop", "")
    assert.equal((await job).note, undefined)
    assert.deepEqual([here.read(".envrc"), here.read("lefthook.yml")], ["meant\n", "run\n"])
  },
)

test("[SAFE-29] auto-run files of a background job are moved away when the next command ends", { skip }, async (t) => {
  const here = twoBranches(t)
  const job = here.job("echo evil > .envrc")
  await until(() => existsSync(join(here.repo, ".envrc")))
  assert.match((await here.inside("git status")).note ?? "", /\.envrc was renamed/)
  assert.equal(existsSync(join(here.repo, ".envrc")), false)
  here.put("home/repo/stop", "")
  await job
})

test("[SAFE-29] a permitted write does not permit other writes of a job at the same time", { skip }, async (t) => {
  const here = twoBranches(t)
  const job = here.job("while [ ! -e stop ]; do echo a > .envrc; echo b > .envrc; done")
  await until(() => existsSync(join(here.repo, ".envrc")))
  for (let count = 0; count < 50; count++)
    await here.host.replaceFile(join(here.repo, "other"), new TextEncoder().encode(String(count)))
  here.put("home/repo/stop", "")
  assert.match((await job).note ?? "", /\.envrc was renamed/)
  assert.equal(existsSync(join(here.repo, ".envrc")), false)
})

test("[SAFE-29] a job that may replace files is checked at the end of each command", { skip }, async (t) => {
  const here = twoBranches(t)
  const path = join(here.repo, ".vscode/tasks.json")
  const job = here.job("git stash list; echo evil > .vscode/tasks.json")
  await until(() => readFileSync(path, "utf8") === "evil\n")
  const { note } = await here.inside("true")
  assert.match(note ?? "", /tasks\.json was put back/)
  assert.equal(here.read(".vscode/tasks.json"), "one\n")
  here.put("home/repo/stop", "")
  await job
  assert.equal(here.read(".vscode/tasks.json"), "one\n")
})

test("changes of the user in an editor while a command runs stay", { skip }, async (t) => {
  const here = twoBranches(t)
  const job = here.job("true")
  await until(() => existsSync(join(here.repo, ".git/commondir")))
  here.put("home/repo/.github/workflows/ci.yml", "by the user\n")
  assert.equal((await here.inside("git commit -qam x")).note, undefined)
  here.put("home/repo/stop", "")
  assert.deepEqual([(await job).note, here.read(".github/workflows/ci.yml")], [undefined, "by the user\n"])
})

test("no placeholders are created: a command and git see the folder unchanged", { skip }, async (t) => {
  const here = twoBranches(t)
  const before = readdirSync(here.repo).toSorted()
  const { out } = await here.inside("ls -A | sort; git status --porcelain --ignored")
  assert.deepEqual(
    out.split("\n").filter((name) => name !== ""),
    before,
  )
})

test("the read-only sandbox needs no check", { skip }, async (t) => {
  const here = twoBranches(t)
  const host = createSandboxedHost(here.plain, {
    ...defaults([here.repo, here.temp]),
    tier: "read-only",
    autorun,
  })
  const ended = await host.exec("git switch -q other", {
    cwd: here.repo,
    signal: new AbortController().signal,
    onData: () => undefined,
  })
  assert.notEqual(ended.code, 0)
  assert.equal(here.status(), "")
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(5)
}
