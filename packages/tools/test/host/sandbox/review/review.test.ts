import assert from "node:assert/strict"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { ExecResult } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "../../../../src/host/local.ts"
import type { AskGit } from "../../../../src/host/sandbox/git/ask-git.ts"
import { createReview, type ReviewedLayout } from "../../../../src/host/sandbox/review/review.ts"

const fine: ExecResult = { code: 0, signal: null }

interface Options {
  /** Whether `.git` is the git folder at the start. Default: true. */
  readonly own?: boolean
  readonly watched?: readonly string[]
  readonly ask?: AskGit
}

/** A review of one project, and commands that are work of this process. */
function reviewed(t: TestContext, files: Readonly<Record<string, string>>, more: Options = {}) {
  const root = realpathSync(folder(t, files))
  const at = (path: string) => join(root, path)
  const own = more.own === false ? null : at(".git")
  const layout: ReviewedLayout = {
    repositories: [{ root, own, folders: own === null ? [] : [own] }],
    watched: (more.watched ?? []).map(at),
  }
  const review = createReview(createLocalHost({ cwd: root, home: root }), more.ask ?? (async () => ""))
  return {
    root,
    at,
    review,
    layout,
    write: (path: string, text = "") => writeFileSync(at(path), text),
    async run(work: () => void): Promise<string | null> {
      return (await review.around(layout, async () => (work(), fine))).note ?? null
    },
  }
}

const git = { ".git/HEAD": "ref: refs/heads/main\n", ".git/logs/x": "" }

test("a command without such changes has no note", async (t) => {
  const here = reviewed(t, git)
  symlinkSync("/none", here.at(".git/link"))
  assert.equal(await here.run(() => here.write(".git/index", "x")), null)
  assert.equal(readlinkSync(here.at(".git/link")), "/none")
})

test("links that a command makes in a git folder are removed, except HEAD as a reference", async (t) => {
  for (const [path, to, stays] of [
    [".git/x", "/none", false],
    [".git/HEAD", "refs/heads/main", true],
    [".git/HEAD", "/etc/passwd", false],
    [".git/HEAD", "refs/../../x", false],
    [".git/logs/HEAD", "refs/heads/main", false],
    [".git/xHEAD", "refs/heads/main", false],
  ] as const) {
    const here = reviewed(t, { ".git/logs/x": "" })
    const note = await here.run(() => symlinkSync(to, here.at(path)))
    const removed = `[sandbox: the symbolic link ${here.at(path)} -> ${to} was removed again: git would write through it, outside the sandbox too]`
    assert.equal(note, stays ? null : removed, `${path} ${to}`)
    assert.equal(readdirSync(join(here.at(path), "..")).includes(path.split("/").at(-1) ?? ""), stays)
  }
  const here = reviewed(t, git)
  symlinkSync("/a", here.at(".git/link"))
  const changed = await here.run(() => {
    rmSync(here.at(".git/link"))
    symlinkSync("/b", here.at(".git/link"))
  })
  assert.match(changed ?? "", /link -> \/b was removed again/)
})

test("new lines of a rebase that run programs are taken out, known ones stay", async (t) => {
  const todo = ".git/rebase-merge/git-rebase-todo"
  const here = reviewed(t, { ...git, [todo]: "exec mine\npick 1\n" })
  const note = await here.run(() => here.write(todo, "exec mine\n  exec theirs\nx more\npick 1\n"))
  assert.equal(
    note,
    `[sandbox: lines that would run a program outside the sandbox were taken out of ${here.at(todo)} (exec theirs); run it in a command of its own]`,
  )
  assert.equal(readFileSync(here.at(todo), "utf8"), "exec mine\npick 1\n")
})

test("a project that a command makes a git folder is none again", async (t) => {
  const make = (here: ReturnType<typeof reviewed>, names: readonly string[]) =>
    here.run(() => names.forEach((name) => here.write(name)))
  const here = reviewed(t, {}, { own: false })
  const why = "git outside the sandbox would run what it says (the folder looks like a git folder)"
  assert.equal(
    await make(here, ["HEAD", "objects", "refs"]),
    `[sandbox: ${here.at("HEAD")} was renamed to ${here.at("HEAD.sandbox")}, since ${why}; to ask for it run mv with unsandboxed: true]`,
  )
  for (const names of [
    ["HEAD", "objects"],
    ["HEAD", "refs"],
    ["objects", "refs"],
  ])
    assert.equal(await make(reviewed(t, {}, { own: false }), names), null)
  const before = reviewed(t, { HEAD: "", objects: "", refs: "" }, { own: false })
  assert.equal(await make(before, ["HEAD"]), null)
})

test("a repository that a command creates stays if git runs nothing of it", async (t) => {
  const create = (here: ReturnType<typeof reviewed>, hook: boolean) =>
    here.run(() => {
      mkdirSync(here.at(".git/hooks"), { recursive: true })
      here.write(".git/HEAD")
      if (hook) here.write(".git/hooks/pre-commit")
    })
  const safe = reviewed(t, {}, { own: false })
  assert.equal(await create(safe, false), null)
  assert.equal(existsSync(safe.at(".git")), true)
  const unsafe = reviewed(t, {}, { own: false })
  assert.match((await create(unsafe, true)) ?? "", /\.git was renamed to \S+\.git\.sandbox, .*\(hooks\/pre-commit\)/)
  const own = reviewed(t, git)
  assert.equal(await create(own, true), null, "an existing git folder is protected by mounts")
})

test("a nested repository is moved away if a command made it unsafe", async (t) => {
  const gitlink = `160000 ${"a".repeat(40)} 0\tsub\0`
  const ask: AskGit = async (_, [verb]) => (verb === "ls-files" ? gitlink : "core.bare\nfalse\0")
  const files = { ...git, ".git/index": "\0\0\xe0\0", "sub/.git/HEAD": "", "sub/.git/config": "" }
  const nested = (more: Readonly<Record<string, string>> = {}) => {
    const here = reviewed(t, { ...files, ...more }, { ask })
    writeFileSync(here.at(".git/index"), Buffer.from([0, 0, 0xe0, 0]))
    return here
  }
  const here = nested()
  assert.equal(await here.run(() => here.write("sub/file")), null)
  mkdirSync(here.at("sub/.git/hooks"))
  const note = await here.run(() => here.write("sub/.git/hooks/pre-commit"))
  assert.match(note ?? "", /sub\/\.git was renamed to \S+\.git\.sandbox/)
  const mine = nested({ "sub/.git/hooks/pre-commit": "" })
  assert.equal(await mine.run(() => mine.write("sub/file")), null, "it was unsafe before")
})

test("watched paths are as before: missing, or links to the same place", async (t) => {
  const here = reviewed(t, {}, { own: false, watched: ["missing", "link", "gone"] })
  for (const name of ["link", "gone"]) symlinkSync("/a", here.at(name))
  assert.equal(await here.run(() => undefined), null)
  const note = await here.run(() => {
    here.write("missing", "new")
    rmSync(here.at("link"))
    symlinkSync("/b", here.at("link"))
    rmSync(here.at("gone"))
  })
  assert.deepEqual(
    note?.split("\n").map((line) => /^\[sandbox: (\S+) was renamed to \S+, since .*\((.*)\)/.exec(line)?.slice(1)),
    ["missing", "link"].map((name) => [here.at(name), "another program would run what is there"]),
  )
  assert.deepEqual([readlinkSync(here.at("link")), readlinkSync(here.at("gone"))], ["/a", "/a"])
  assert.deepEqual([existsSync(here.at("missing")), readFileSync(here.at("missing.sandbox"), "utf8")], [false, "new"])
})

test("commands that run at the same time are compared with the state before the first", async (t) => {
  const here = reviewed(t, {}, { own: false, watched: ["missing", "link"] })
  symlinkSync("/a", here.at("link"))
  const exit = Promise.withResolvers<ExecResult>()
  const first = here.review.around(here.layout, () => exit.promise)
  await here.run(() => undefined)
  assert.match((await here.run(() => here.write("missing"))) ?? "", /missing was renamed/)
  exit.resolve(fine)
  assert.deepEqual(await first, fine)
  rmSync(here.at("link"))
  symlinkSync("/by-the-user", here.at("link"))
  assert.equal(await here.run(() => undefined), null, "the next command has another state before it")
  await here.review.settled()
})

test("changes of a failed command are cleared, and its error is thrown", async (t) => {
  const here = reviewed(t, {}, { own: false, watched: ["missing"] })
  const work = async () => {
    here.write("missing")
    throw new Error("killed")
  }
  await assert.rejects(here.review.around(here.layout, work), { message: "killed" })
  assert.equal(existsSync(here.at("missing")), false)
})
