import assert from "node:assert/strict"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { english } from "@gong/texts/translator"
import { keyCommandRunner } from "../../../src/compose/keys/key-command.ts"

const node = process.execPath

test("the first line of the output of a key command is the key; it runs in the home of the user with the environment", async (t) => {
  const userHome = folder(t)
  const run = keyCommandRunner(english, { userHome, env: { KEY: "sk-1", PATH: process.env["PATH"] } })
  const printed = async (code: string) => {
    const key = await run([node, "-e", code])
    return key.ok ? key.value : key.error.lines.join("\n").replaceAll(node, "NODE")
  }
  assert.equal(await printed("console.log(process.env.KEY); console.log('more')"), "sk-1")
  assert.equal(await printed("console.log('  sk-2  ')"), "sk-2")
  assert.equal(await printed("process.stdout.write(process.cwd())"), userHome)
  assert.equal(await printed("console.log(require('fs').readFileSync(0).length)"), "0", "stdin is closed")
  const none = "gong: apiKeyCommand in auth.json: NODE printed no key."
  for (const code of ["", "console.log()", "console.log('\\nsecond')"]) assert.equal(await printed(code), none, code)
})

test("a key command that fails is reported with the first line of its error output, cut to 200 characters", async (t) => {
  const run = keyCommandRunner(english, { userHome: folder(t), env: { PATH: process.env["PATH"] } })
  const failed = async (...command: readonly string[]) => {
    const key = await run(command)
    return key.ok ? "no failure" : key.error.lines.join("\n").replaceAll(node, "NODE")
  }
  const head = "gong: apiKeyCommand in auth.json:"
  assert.equal(await failed(node, "-e", "process.exit(3)"), `${head} NODE failed (exit 3).`)
  assert.equal(
    await failed(node, "-e", "console.error('  locked\\nmore'); console.log('sk'); process.exit(1)"),
    `${head} NODE failed (exit 1): locked`,
  )
  assert.equal(
    await failed(node, "-e", "console.error('x'.repeat(300)); process.exit(1)"),
    `${head} NODE failed (exit 1): ${"x".repeat(200)}`,
  )
  assert.equal(await failed(node, "-e", "process.kill(process.pid, 'SIGTERM')"), `${head} NODE failed (SIGTERM).`)
  assert.equal(await failed("/nowhere/program"), `${head} /nowhere/program cannot be run (ENOENT).`)
})

test("a key command that does not end is killed after its time", async (t) => {
  const run = keyCommandRunner(english, { userHome: folder(t), env: { PATH: process.env["PATH"] } }, 100)
  const key = await run([node, "-e", "setInterval(() => undefined, 1000)"])
  assert.deepEqual(key.ok ? [] : key.error.lines, [
    `gong: apiKeyCommand in auth.json: ${node} did not end within 0.1 s.`,
  ])
})
