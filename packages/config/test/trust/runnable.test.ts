import assert from "node:assert/strict"
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { decide } from "../../src/trust/decide.ts"
import { isRunnable, runnableCopies } from "../../src/trust/runnable.ts"
import { findActiveContent } from "../../src/trust/active-content.ts"
import type { Trusted } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"
import { english } from "@gong/texts/translator"

const now = 1_700_000_000_000

/** A trusted folder whose hook names these scripts. */
async function trusting(t: TestContext, scripts: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const command = JSON.stringify(scripts.map((path) => `./${path}`).join(" "))
  const hooks = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ${command}}]}]}}`
  const root = folder(t, {
    ".gong/hooks.json": hooks,
    ...Object.fromEntries(scripts.map((path) => [path, `of ${path}`])),
    ...files,
  })
  const { trusted } = decide(english, {
    content: await findActiveContent(english, here, root),
    flag: "yes",
    store: new Map(),
  })
  assert.ok(trusted)
  return { root, trusted, home: folder(t) }
}

async function copied(home: string, trusted: Trusted, scripts: readonly string[], time = now) {
  const runnable = await runnableCopies(english, home, trusted, scripts, time)
  assert.ok(runnable.ok, runnable.ok ? "" : runnable.problem)
  return runnable.copies
}

test("a script runs as a read-only copy, in the script's folder", async (t) => {
  const { root, trusted, home } = await trusting(t, ["tools/a.sh", "b.sh", "c.sh"])
  chmodSync(join(root, "tools/a.sh"), 0o755)
  chmodSync(join(root, "b.sh"), 0o666)
  chmodSync(join(root, "c.sh"), 0o601)
  const copies = await copied(home, trusted, ["tools/a.sh", "b.sh", "c.sh"])
  assert.deepEqual([...copies.keys()], ["b.sh", "c.sh", "tools/a.sh"])
  assert.equal(statSync(copies.get("c.sh") ?? "").mode & 0o777, 0o500)
  const [a = "", b = ""] = [copies.get("tools/a.sh"), copies.get("b.sh")]
  assert.match(a.slice(home.length), /^\/cache\/trusted\/[0-9a-f]{32}\/tools\/a\.sh$/)
  assert.deepEqual([readFileSync(a, "utf8"), readFileSync(b, "utf8")], ["of tools/a.sh", "of b.sh"])
  assert.deepEqual([statSync(a).mode & 0o777, statSync(b).mode & 0o777], [0o500, 0o400])
  assert.equal(lstatSync(a).isSymbolicLink(), false)
  assert.equal(statSync(dirname(a)).mode & 0o777, 0o700)
})

test("trusted neighbours of a script are copied too, and all other files beside and above it are links", async (t) => {
  const { root, trusted, home } = await trusting(t, ["tools/a.sh"], {
    ".gong/hooks/h.sh": "h",
    ".gong/hooks/lib/x.sh": "x",
    "tools/data.json": "{}",
    "tools/lib/c.js": "c",
    "package.json": "{}",
    ".git/HEAD": "ref",
  })
  const a = (await copied(home, trusted, ["tools/a.sh"])).get("tools/a.sh") ?? ""
  const tree = dirname(dirname(a))
  for (const linked of ["tools/data.json", "tools/lib", "package.json"]) {
    assert.ok(lstatSync(join(tree, linked)).isSymbolicLink(), linked)
    assert.equal(statSync(join(tree, linked)).ino, statSync(join(root, linked)).ino)
  }
  assert.equal(existsSync(join(tree, ".git")), false)
  const hooks = await copied(home, trusted, [".gong/hooks/h.sh"])
  assert.deepEqual([...hooks.keys()], [".gong/hooks/h.sh", ".gong/hooks/lib/x.sh"])
})

test("files beside each folder above a script are links, however deep it lies", async (t) => {
  const script = "one/two/three/a.sh"
  const beside = { "one/x.txt": "1", "one/two/y.txt": "2", "one/two/three/z.txt": "3" }
  const { root, trusted, home } = await trusting(t, [script], beside)
  const copy = (await copied(home, trusted, [script])).get(script) ?? ""
  const tree = copy.slice(0, -script.length)
  for (const [path, text] of Object.entries(beside)) {
    assert.equal(lstatSync(join(tree, path)).isSymbolicLink(), true, path)
    assert.equal(readFileSync(join(tree, path), "utf8"), text, path)
  }
  assert.equal(realpathSync(join(tree, "one/x.txt")), realpathSync(join(root, "one/x.txt")))
})

test("five thousand links at most", async (t) => {
  const { root, trusted, home } = await trusting(t, ["a.sh"])
  for (let at = 0; at < 5_001; at++) writeFileSync(join(root, `n${at}`), "")
  const tree = dirname((await copied(home, trusted, ["a.sh"])).get("a.sh") ?? "")
  const links = readdirSync(tree).filter((name) => lstatSync(join(tree, name)).isSymbolicLink())
  assert.equal(links.length, 5_000)
})

test("the same scripts share their copies; a modified copy is replaced", async (t) => {
  const { trusted, home } = await trusting(t, ["a.sh"])
  const first = (await copied(home, trusted, ["a.sh"])).get("a.sh") ?? ""
  utimesSync(first, 1, 1)
  assert.equal((await copied(home, trusted, ["a.sh"], now + 5_000)).get("a.sh"), first)
  assert.equal(statSync(first).mtimeMs, 1_000, "it was not written again")
  assert.equal(statSync(dirname(first)).mtimeMs, now + 5_000, "and was used now")
  chmodSync(first, 0o600)
  writeFileSync(first, "of another")
  await copied(home, trusted, ["a.sh"])
  assert.equal(readFileSync(first, "utf8"), "of a.sh")
})

test("a changed or deleted script does not run, which is reported", async (t) => {
  const { root, trusted, home } = await trusting(t, ["a.sh", "b.sh"])
  writeFileSync(join(root, "a.sh"), "evil")
  const changed = await runnableCopies(english, home, trusted, ["a.sh"], now)
  assert.deepEqual(changed, { ok: false, problem: "a.sh changed since this folder was trusted; gong trust shows it" })
  const gone = await runnableCopies(english, home, trusted, ["c.sh"], now)
  assert.deepEqual(gone, { ok: false, problem: "c.sh was deleted; gong trust shows it" })
})

test("if no copy can be stored the reason is reported", async (t) => {
  const { trusted } = await trusting(t, ["a.sh"])
  const home = join(folder(t, { file: "" }), "file")
  const none = await runnableCopies(english, home, trusted, ["a.sh"], now)
  assert.equal(none.ok, false)
  assert.match(none.ok ? "" : none.problem, /no copy of it can be stored in .*file \(E\w+\)$/)
})

test("no copy is stored in a folder reached by a link", async (t) => {
  const { trusted, home } = await trusting(t, ["a.sh"])
  symlinkSync(folder(t), join(home, "cache"))
  assert.equal((await runnableCopies(english, home, trusted, ["a.sh"], now)).ok, false)
})

test("an installed program is not a script of the folder", async (t) => {
  const scripts = ["node_modules/x/a.js", "tools/node_modules/y/b.js", "tools/node_modules.js", "a.sh"]
  const { trusted } = await trusting(t, scripts)
  assert.deepEqual(
    scripts.filter((path) => isRunnable(trusted, path)),
    ["tools/node_modules.js", "a.sh"],
  )
  assert.equal(isRunnable(trusted, "never.sh"), false)
})
