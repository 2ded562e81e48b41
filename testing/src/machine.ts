import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"

/** The environment of a machine with an empty home, workspace and temporary folder, which are removed when the test ends. */
export function machineOf(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-machine-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [home, cwd, temp] = ["home", "repo", "tmp"].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [home, cwd, temp]) mkdirSync(folder)
  const env: Readonly<Record<string, string | undefined>> = {
    GONG_HOME: join(root, "gong"),
    PATH: process.env["PATH"],
  }
  return {
    version: "0",
    env,
    cwd,
    userHome: home,
    temp,
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    node: process.version,
    execPath: process.execPath,
    utcOffset: 0,
  }
}
