import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { Worker } from "node:worker_threads"
import { folder } from "@gong/testing/folder"
import { manualClock } from "@gong/testing/sim/clock"
import { whereIs } from "../src/where.ts"

// The debugger of this process is used.

/** A thread that runs these files, the first one at last. Resolves when it has posted a message. */
async function running(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = folder(t, files)
  const worker = new Worker(join(root, Object.keys(files)[0] ?? ""))
  t.after(() => worker.terminate())
  await new Promise<void>((resolve) => worker.once("message", () => resolve()))
  return { worker, root }
}

const post = 'require("node:worker_threads").parentPort.postMessage("runs")'

/** A thread that is busy in `name`, on line 3 of its file. */
const busy = (name: string) => `
function ${name}() {
  ${post}; for (;;);
}
${name}()
`

test("the stack of a busy thread has its innermost call first, with files and lines; other threads are not shown", async (t) => {
  const other = await running(t, { "other.cjs": busy("elsewhere") })
  const { worker, root } = await running(t, {
    "main.cjs": 'const { inner } = require("./inner.cjs")\n\ninner()\n',
    "inner.cjs": `\nexports.inner = function inner() {\n  ${post}; for (;;);\n}\n`,
  })
  const clock = manualClock()
  const frames = await whereIs(worker.threadId, clock)
  assert.deepEqual(frames.slice(0, 2), [
    { path: join(root, "inner.cjs"), line: 3, name: "inner" },
    { path: join(root, "main.cjs"), line: 3, name: "" },
  ])
  assert.equal(
    frames.some(({ path }) => path.startsWith(other.root) || path.startsWith("node:") || path === ""),
    false,
  )
  const [innermost] = await whereIs(other.worker.threadId, clock)
  assert.deepEqual(innermost, { path: join(other.root, "other.cjs"), line: 3, name: "elsewhere" })
  await worker.terminate()
})

test("code without a file is left out of the stack", async (t) => {
  const { worker, root } = await running(t, { "eval.cjs": `\n${post}; new Function("for (;;);")()\n` })
  const [first] = await whereIs(worker.threadId, manualClock())
  assert.deepEqual(first, { path: join(root, "eval.cjs"), line: 2, name: "" })
})

test("the wait for a thread that does not exist ends after 2 s", async () => {
  const clock = manualClock()
  let frames: unknown = "waiting"
  const asked = whereIs(999_999, clock).then((found) => (frames = found))
  await clock.advance(1_999)
  assert.equal(frames, "waiting")
  await clock.advance(1)
  await asked
  assert.deepEqual(frames, [])
})
