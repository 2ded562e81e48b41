import { createLocalHost } from "@gong/tools/host/local"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { runnableCommands } from "../../src/compose/hooks/hook-commands.ts"
import type { RunnableCommand } from "@gong/extensions/hooks/command-hook"
import type { HookCommand } from "@gong/extensions/hooks/parse"
import { decide } from "@gong/config/trust/decide"
import { findActiveContent } from "@gong/config/trust/active-content"
import type { Trusted } from "@gong/spec"
import { whileSwapping } from "@gong/testing/swapper"
import { english } from "@gong/texts/translator"

const here = createLocalHost({ cwd: "/" })

const settings = ".claude/settings.json"

/** A workspace that was trusted with these files, and one hook with a command that it brings. */
async function trustedPlace(t: TestContext, command: string, files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-hook-commands-")))
  t.after(() => {
    execFileSync("chmod", ["-R", "u+w", folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const root = join(folder, "work")
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] }
  for (const [path, text] of Object.entries({ ...files, [settings]: JSON.stringify({ hooks }) })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  const { trusted } = decide(english, {
    content: await findActiveContent(english, here, root),
    flag: "yes",
    store: new Map(),
  })
  assert.ok(trusted)
  const from = join(root, settings)
  const of: HookCommand = { kind: "Stop", matcher: "*", isMeant: () => true, command, timeMs: 1000, from }
  return { folder, root, home: join(folder, "home"), trusted, of }
}

type Place = Awaited<ReturnType<typeof trustedPlace>>

async function runnable({ root, home, trusted, of }: Place, cwd = root, from = of.from) {
  const workspace = { host: "local", cwd, folder: root, git: false, repository: root, roots: [root], notes: [] }
  const own = { ...of, from }
  const run = await runnableCommands(english, { home, hooks: [own], trusted, workspace }, Date.now())
  return () => run(own)
}

function ran(root: string, command: string, cwd = root): string {
  const env = { ...process.env, CLAUDE_PROJECT_DIR: root }
  return execFileSync("/bin/bash", ["-c", command], { cwd, env, encoding: "utf8" })
}

function commandOf(found: RunnableCommand): string {
  assert.ok(found.ok, JSON.stringify(found))
  return found.command
}

test("[SAFE-20] while another process swaps the script constantly, the trusted content runs 200 times of 200", async (t) => {
  const place = await trustedPlace(t, '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh', {
    ".claude/hooks/check.sh": good,
  })
  const { root, trusted, of } = place
  const run = await runnable(place)
  const paths = [join(root, ".claude/hooks/check.sh")]
  const evil = "#!/bin/sh\necho evil\n"
  await whileSwapping({ good, evil, outside: join(place.folder, "outside"), paths }, async () => {
    for (let count = 0; count < 200; count++) assert.equal(ran(root, commandOf(await run())), "good\n")
    assert.ok(
      await evilOnce(root, trusted, of),
      "compared right before it runs, and run where it lies, another one runs",
    )
  })
})

const good = "#!/bin/sh\necho good\n"

/** Without copies, and with a check before each run. */
async function evilOnce(root: string, trusted: Trusted, { command }: HookCommand): Promise<boolean> {
  for (let count = 0; count < 5_000; count++) {
    if (!(await trusted.readBytes(".claude/hooks/check.sh")).ok) continue
    try {
      if (ran(root, command) === "evil\n") return true
    } catch {
      // It was written while it was to be run.
    }
  }
  return false
}

test("a script finds its neighbouring files: trusted ones as copies, the rest in place", async (t) => {
  const script = [
    "#!/bin/bash",
    'here=$(dirname "$0")',
    '. "$here/lib.sh"; node "$here/main.js"; cat "$here/../words" "$CLAUDE_PROJECT_DIR/tools/words"; pwd',
    'echo written > "$here/../../out/log"; cd "$here/../.." && ls -A | sort | tr "\\n" " "',
  ]
  const hooks = ["lib.sh", "main.js"].map((name) => `.gong/hooks/${name}`)
  const place = await trustedPlace(t, ".gong/hooks/check.sh", {
    ".gong/hooks/check.sh": script.join("\n"),
    ".gong/hooks/lib.sh": "echo from lib\n",
    ".gong/hooks/main.js": `console.log(require("dep"), require("../words.json").length)\n`,
    ".gong/words": "words\n",
    ".gong/words.json": "[1, 2]",
    "tools/words": "more words\n",
    "node_modules/dep/index.js": `module.exports = "a library"\n`,
    ".git/HEAD": "",
    "out/none": "",
  })
  const { root } = place
  const run = await runnable(place)
  for (const path of hooks) writeFileSync(join(root, path), "exit 1\n")
  const printed = ["from lib", "a library 2", "words", "more words", root, ".claude .gong node_modules out tools "]
  assert.equal(ran(root, commandOf(await run())), printed.join("\n"))
  assert.equal(readFileSync(join(root, "out/log"), "utf8"), "written\n")
})

test("a changed, deleted or linked script runs from its trusted copy, with one notice", async (t) => {
  const place = await trustedPlace(t, "sh ./check.sh", { "check.sh": "echo good\n" })
  const { root } = place
  const run = await runnable(place)
  const path = join(root, "check.sh")
  const changes: readonly (() => void)[] = [
    () => writeFileSync(path, "echo evil\n"),
    () => rmSync(path),
    () => symlinkSync(join(root, settings), path),
    () => {
      rmSync(path)
      execFileSync("mkfifo", [path])
    },
  ]
  const reported: (string | null)[] = []
  for (const change of changes) {
    change()
    const found = await run()
    assert.equal(ran(root, commandOf(found)), "good\n")
    reported.push(found.ok ? found.tell : null)
  }
  const asItWas = "check.sh changed since this folder was trusted; it is run as it was (gong trust shows it)"
  assert.deepEqual(reported, [asItWas, null, null, null])
})

test("a script that changed before its copy was made is not run", async (t) => {
  const place = await trustedPlace(t, "sh ./check.sh", { "check.sh": "echo good\n" })
  writeFileSync(join(place.root, "check.sh"), "echo evil\n")
  const problem = "check.sh changed since this folder was trusted; gong trust shows it"
  assert.deepEqual(await (await runnable(place))(), { ok: false, problem })
})

test("copies are private and read-only, executable if the script was, and restored if they differ", async (t) => {
  const place = await trustedPlace(t, "./a.sh; sh b.sh", { "a.sh": "#!/bin/sh\necho a\n", "b.sh": "echo b\n" })
  const { root, home } = place
  chmodSync(join(root, "b.sh"), 0o644)
  const command = commandOf(await (await runnable(place))())
  const trees = join(home, "cache/trusted")
  const [tree = ""] = readdirSync(trees)
  const copies = join(trees, tree)
  const modes = execFileSync("stat", ["-c", "%a", home, trees, copies, join(copies, "a.sh"), join(copies, "b.sh")])
  assert.deepEqual(String(modes).trim().split("\n"), ["700", "700", "700", "500", "400"])
  for (const name of ["a.sh", "b.sh"]) {
    rmSync(join(copies, name))
    writeFileSync(join(copies, name), "echo evil\n")
  }
  writeFileSync(join(root, "new-beside"), "")
  assert.equal(ran(root, commandOf(await (await runnable(place))())), "a\nb\n")
  assert.equal(commandOf(await (await runnable(place))()), command)
  assert.deepEqual(readdirSync(trees), [tree])
  assert.ok(existsSync(join(copies, "new-beside")))
})

test("files that a command only mentions are compared before it runs; installed programs and the user's own hooks are unchanged", async (t) => {
  const command = "node_modules/.bin/tool --config tool.config.js"
  const place = await trustedPlace(t, command, { "node_modules/.bin/tool": "", "tool.config.js": "", "check.sh": "" })
  const { root } = place
  const run = await runnable(place)
  assert.equal(commandOf(await run()), command)
  writeFileSync(join(root, "tool.config.js"), "changed")
  assert.deepEqual(await run(), {
    ok: false,
    problem: "tool.config.js changed since this folder was trusted; gong trust shows it",
  })
  const users = { ...place, of: { ...place.of, command: "sh ./check.sh" } }
  assert.equal(commandOf(await (await runnable(users, root, join(place.home, "settings.json")))()), "sh ./check.sh")
})

test("from a subfolder, an untrusted script of the same name is not run", async (t) => {
  const place = await trustedPlace(t, "sh .claude/hooks/check.sh", {
    ".claude/hooks/check.sh": "echo good\n",
    "sub/.keep": "",
  })
  const sub = join(place.root, "sub")
  mkdirSync(join(sub, ".claude/hooks"), { recursive: true })
  writeFileSync(join(sub, ".claude/hooks/check.sh"), "echo evil\n")
  assert.equal(ran(place.root, "sh .claude/hooks/check.sh", sub), "evil\n", "a shell would")
  assert.equal(ran(place.root, commandOf(await (await runnable(place, sub))()), sub), "good\n")
})

test("if copies cannot be stored, hooks with scripts are not run and say why; other hooks run", async (t) => {
  const place = await trustedPlace(t, "sh ./check.sh", { "check.sh": "echo good\n" })
  writeFileSync(place.home, "a file")
  const found = await (await runnable(place))()
  assert.match(found.ok ? "" : found.problem, /^no copy of it can be stored in \S+\/home \(E\w+\)$/)
  const other = { ...place, of: { ...place.of, command: "npm run lint" } }
  assert.equal(commandOf(await (await runnable(other))()), "npm run lint")
  rmSync(place.home)
  mkdirSync(join(place.home, "cache"), { recursive: true })
  renameSync(join(place.home, "cache"), join(place.folder, "elsewhere"))
  symlinkSync(join(place.folder, "elsewhere"), join(place.home, "cache"))
  const linked = await (await runnable(place))()
  assert.match(linked.ok ? "" : linked.problem, /\/home\/cache is not a folder$/)
})
