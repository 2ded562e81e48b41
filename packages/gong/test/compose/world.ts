import { english } from "../../src/texts/translator.ts"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import type { World } from "../../src/world.ts"

/** A world with folders of its own, gone after the test. */
export function worldOf(t: TestContext): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-build-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [home, cwd, temp] = ["home", "repo", "tmp"].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [home, cwd, temp]) mkdirSync(folder)
  const env = { GONG_HOME: join(root, "gong"), PATH: process.env["PATH"] }
  return {
    version: "0",
    env,
    cwd,
    userHome: home,
    temp,
    utcOffset: 0,
    stdin: "none",
    t: english,
    async setLocale() {},
    err() {},
    warn() {},
  } as unknown as World
}
