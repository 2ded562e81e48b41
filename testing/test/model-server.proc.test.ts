import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { post } from "./post.ts"

const program = fileURLToPath(new URL("../src/model-server.ts", import.meta.url))
const request = { model: "m", messages: [{ role: "user", content: "hi" }] }

test("as a program it plays a script file, accepts a new one and reports the requests", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gong-server-"))
  const script = join(folder, "script.json")
  writeFileSync(script, JSON.stringify([{ text: "from the file" }]))
  const child = spawn(process.execPath, [program, "--script", script, "--no-bodies"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer]
    const url = line.toString().trim()
    assert.match((await post(`${url}/v1/chat/completions`, { body: request })).text, /from the file/)
    await post(`${url}/__script`, { body: { turns: [{ text: "by request" }] } })
    assert.match((await post(`${url}/v1/chat/completions`, { body: request })).text, /by request/)
    const log = JSON.parse((await post(`${url}/__log`, { body: {} })).text) as {
      requests: { bytes: number; at: number; endedAt: number }[]
      left: number
    }
    const [only] = log.requests
    assert.ok(only !== undefined && only.endedAt >= only.at)
    assert.deepEqual([log.requests.length, only.bytes, log.left], [1, JSON.stringify(request).length, 0])
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
  }
})
