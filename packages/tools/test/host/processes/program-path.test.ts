import assert from "node:assert/strict"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { createLocalHost } from "../../../src/host/local.ts"
import { pathWithoutProject } from "../../../src/host/processes/program-path.ts"

test("[SAFE-4] Gong's own programs come neither from a relative folder of the PATH nor from the project", () => {
  const path = ".::node_modules/.bin:/w/shop/node_modules/.bin:/w/shop:/w/shop-tools:/usr/bin"
  assert.equal(pathWithoutProject(path, "/w/shop"), "/w/shop-tools:/usr/bin")
})

test("[SC-13] a program of the project is found by a command, and not started by Gong itself", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "gong-own-"))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const project = join(root, "project")
  const others = join(root, "others")
  for (const folder of [project, others]) {
    mkdirSync(folder)
    writeFileSync(join(folder, "tool"), `#!/bin/sh\necho ${folder}\n`)
    chmodSync(join(folder, "tool"), 0o755)
  }
  const host = createLocalHost({ cwd: project, env: { PATH: `${project}:${others}:/usr/bin:/bin` } })
  assert.equal(await host.which("tool"), join(project, "tool"))
  assert.equal(await host.which("tool", { own: true }), join(others, "tool"))
  const output = async (command: string | readonly string[]): Promise<string> => {
    let text = ""
    const onData = (bytes: Uint8Array) => void (text += Buffer.from(bytes).toString())
    await host.exec(command, { cwd: project, signal: new AbortController().signal, onData })
    return text.trim()
  }
  assert.equal(await output(["tool"]), others)
  assert.equal(await output("tool"), project, "a command is the user's or the model's, and means what it says")
  const only = createLocalHost({ cwd: project, env: { PATH: project } })
  const run = only.exec(["tool"], { cwd: project, signal: new AbortController().signal, onData: () => undefined })
  await assert.rejects(run, { code: "ENOENT" })
})
