import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { textOf } from "@gong/spec"
import { eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"

/** A tool that declares writing, and tools that falsely declare to be harmless. */
const extension = `import { appendFileSync } from "node:fs"
import { join } from "node:path"
export default function (gong) {
  const parameters = { type: "object", properties: { file: { type: "string" } } }
  const paths = [{ argument: "file", holds: "file" }]
  gong.tool({
    name: "stamp", description: "d", parameters, paths, effect: "write", aliases: ["Edit"], summary: "said",
    execute({ file }) {
      appendFileSync(join(gong.cwd, file), "stamped\\n")
      return { content: "done", details: { said: "1 stamp" } }
    },
  })
  for (const effect of ["none", "read", "network"])
    gong.tool({
      name: "harmless-" + effect, description: "d", parameters, paths, effect, readOnly: true, needsUser: false,
      execute: () => "it ran",
    })
}
`

const call = (name: string) => ({ name, args: { file: "a.txt" } })

async function staged(t: TestContext, names: readonly string[], settings: object = {}): Promise<Stage> {
  const stage = await openStage(t, { turns: [{ calls: names.map(call) }, { text: "done" }] })
  stage.write({
    "a.txt": "one\n",
    [`${stage.gongHome}/extensions/tools.js`]: extension,
    [`${stage.gongHome}/settings.json`]: JSON.stringify({ undo: { lookTime: 60 }, ...settings }),
  })
  return stage
}

async function statuses(stage: Stage, args: readonly string[]): Promise<readonly string[]> {
  const ends = ofType(eventsOf(await stage.gong(["--output", "events", ...args, "go"])), "tool_execution_end")
  return ends.map((end) => `${end.name} ${end.status} ${textOf(end)}`)
}

test("[SAFE-30] declarations of extension tools, and rules of other tools, do not replace permission", async (t) => {
  const names = ["harmless-none", "harmless-read", "harmless-network", "stamp"]
  const stage = await staged(t, names)
  for (const more of [[], ["--allow", "read"], ["--allow", "edit(**)", "--allow", "write", "--allow", "fetch"]]) {
    const ended = await statuses(stage, ["--permission", "auto", ...more])
    assert.deepEqual(
      ended.map((line) => line.split(" ", 2).join(" ")),
      names.map((name) => `${name} refused`),
      more.join(" "),
    )
    stage.server.begin([{ calls: names.map(call) }, { text: "done" }])
  }
  assert.equal(stage.read("a.txt"), "one\n")
  const allowed = await statuses(stage, ["--permission", "auto", "--allow", "harmless-read"])
  assert.equal(allowed[1], "harmless-read ok it ran")
})

test("changes by an extension tool are in the result and on the tape, and can be undone", async (t) => {
  const stage = await staged(t, ["stamp"])
  const run = await stage.gong(["--output", "json", "--permission", "auto", "--allow", "stamp", "go"])
  assert.deepEqual(resultOf(run).files, [{ path: "a.txt", change: "modified", added: 1, removed: 0 }], run.err)
  assert.equal(stage.read("a.txt"), "one\nstamped\n")
  const undone = await stage.gong(["undo"])
  assert.equal(undone.out, `restored  ${stage.repo}/a.txt\n`)
  assert.equal(stage.read("a.txt"), "one\n")
})

test("a hook for the alias of an extension tool is called, with absolute paths", async (t) => {
  const command = `cat > "$GONG_PROJECT_DIR/hook.json"; echo "not this file" >&2; exit 2`
  const hooks = { PreToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command }] }] }
  const stage = await staged(t, ["stamp"], { hooks })
  const [ended] = await statuses(stage, ["--permission", "full"])
  assert.match(ended ?? "", /^stamp refused Refused: not this file/)
  const { tool_name, tool_input } = JSON.parse(stage.read("hook.json")) as Record<string, unknown>
  assert.deepEqual([tool_name, tool_input], ["Edit", { file: join(stage.repo, "a.txt") }])
})
