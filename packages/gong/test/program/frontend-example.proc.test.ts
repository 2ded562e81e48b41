import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openStage, type Stage } from "./harness.ts"

const example = join(import.meta.dirname, "../../../../examples/frontend/chat.ts")

/** The example with typed input: each line after its prompt. */
async function chat(
  t: TestContext,
  stage: Stage,
  typed: readonly (readonly [prompt: RegExp, line: string])[],
  args: readonly string[] = [],
) {
  const child: ChildProcess = spawn(process.execPath, [example, ...args], { cwd: stage.repo, env: stage.env })
  t.after(() => child.kill("SIGKILL"))
  const lines = [...typed]
  let out = ""
  let err = ""
  let from = 0
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => (err += piece))
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    out += piece
    const [next] = lines
    if (next === undefined || !next[0].test(out.slice(from))) return
    from = out.length
    lines.shift()
    child.stdin?.write(`${next[1]}\n`)
    if (lines.length === 0) child.stdin?.end()
  })
  const [status] = (await once(child, "close")) as [number | null]
  return { status, out, err }
}

test("the example of a frontend prompts, streams, asks for permission and resumes, in at most 100 lines", async (t) => {
  assert.ok(readFileSync(example, "utf8").split("\n").length <= 100)
  const stage = await openStage(t, {
    turns: [
      { text: "I'll make a file.", calls: [{ name: "bash", args: { command: "touch made" } }] },
      { text: "It is there." },
      { text: "You asked for a file." },
    ],
  })
  const first = await chat(t, stage, [
    [/> $/, "make a file"],
    [/Allow .*touch made.*\? \[y\/n\] $/, "y"],
  ])
  assert.equal(first.status, 0, first.err)
  assert.match(first.out, /I'll make a file\.[^]*\[touch made\][^]*It is there\./)
  assert.equal(stage.read("made"), "")
  const [id = ""] = stage.sessions()
  assert.match(first.out, new RegExp(`^session ${id}: custom/mock, ask\n`))
  const second = await chat(
    t,
    stage,
    [
      [/> $/, "/name renamed"],
      [/renamed\.[^]*> $/, "what did I ask?"],
    ],
    [id],
  )
  assert.equal(second.status, 0, second.err)
  assert.match(second.out, /The session is called renamed\.[^]*You asked for a file\./)
  assert.doesNotMatch(second.out, /It is there/)
  assert.deepEqual(stage.sessions(), [id])
})
