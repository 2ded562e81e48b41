import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"

/** Root may write anywhere, so the program runs as nobody, from an unreadable folder. */
const nobody = 65534

test("an unwritable home is one line with a remedy", (t) => {
  const root = folder(t)
  for (const name of ["config", "spec", "texts"]) mkdirSync(join(root, name))
  for (const name of ["home", "usage"]) {
    const source = readFileSync(new URL(`../src/${name}.ts`, import.meta.url), "utf8")
    const local = source
      .replace('"@gong/spec"', '"../spec/index.ts"')
      .replace("@gong/texts/translator", "../texts/translator.ts")
    writeFileSync(join(root, "config", `${name}.ts`), local)
  }
  const translator = readFileSync(new URL("../../texts/src/translator.ts", import.meta.url), "utf8")
  writeFileSync(join(root, "texts/translator.ts"), translator.replace('"@gong/spec"', '"../spec/index.ts"'))
  cpSync(new URL("../../spec/src", import.meta.url), join(root, "spec"), { recursive: true })
  const home = join(root, "home")
  const script = `import { prepareHome } from "./config/home.ts"\nconsole.log(JSON.stringify(prepareHome(${JSON.stringify(home)})))`
  writeFileSync(join(root, "run.ts"), script)
  writeFileSync(join(root, "package.json"), '{"type":"module"}')
  // The folder exists and is closed: creating it would succeed, writing would not.
  mkdirSync(home, { mode: 0o555 })
  chmodSync(root, 0o555)
  const asRoot = process.getuid?.() === 0
  const ran = spawnSync(process.execPath, [join(root, "run.ts")], {
    encoding: "utf8",
    env: {},
    ...(asRoot ? { uid: nobody, gid: nobody } : {}),
  })
  chmodSync(root, 0o755)
  if (ran.error !== undefined) return t.skip(`this Node cannot be run by another user: ${ran.error.message}`)
  assert.equal(ran.stderr, "")
  const line = `gong: cannot write to ${home} (EACCES). Set GONG_HOME to a writable folder, or use --no-session.`
  assert.deepEqual(JSON.parse(ran.stdout).error.lines, [line])
})
