import assert from "node:assert/strict"
import { test } from "node:test"
import { createAllTools } from "@gong/tools"
import { createMemoryHost } from "@gong/tools/host/memory"
import { checkArguments } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { fromForeign, matchedNames, toForeign } from "../../src/hooks/tool-names.ts"

const absolute = (path: string) => (path.startsWith("/") ? path : `/work/${path}`)

type Args = Readonly<Record<string, unknown>>

const cases: readonly (readonly [tool: string, args: Args, name: string, input: Args])[] = [
  ["bash", { command: "ls", timeout: 5 }, "Bash", { command: "ls", timeout: 5000 }],
  ["read", { path: "a", offset: 2, limit: 3 }, "Read", { file_path: "/work/a", offset: 2, limit: 3 }],
  ["write", { path: "/b", content: "x" }, "Write", { file_path: "/b", content: "x" }],
  [
    "edit",
    { path: "a", edits: [{ oldText: "x", newText: "y", replaceAll: true }] },
    "Edit",
    { file_path: "/work/a", old_string: "x", new_string: "y", replace_all: true },
  ],
  ["grep", { pattern: "x", path: "src" }, "Grep", { pattern: "x", path: "/work/src" }],
  ["find", { pattern: "*.ts" }, "Glob", { pattern: "*.ts" }],
  ["ls", { path: "." }, "LS", { path: "/work/." }],
  ["weather", { city: "x" }, "weather", { city: "x" }],
]

for (const [tool, args, name, input] of cases) {
  test(`${tool} is ${name} for hooks, and what they give back is taken as it was`, async () => {
    assert.deepEqual(toForeign(tool, args, absolute), { tool_name: name, tool_input: input })
    assert.ok(matchedNames(tool).includes(name) && matchedNames(tool).includes(tool))
    const host = createMemoryHost({ now: () => 0 })
    const tools: Readonly<Record<string, ReturnType<typeof createAllTools>["bash"]>> = createAllTools("/work", {
      host,
      clock: manualClock(),
    }) as never
    const own = tools[tool]
    if (own === undefined) return
    const back = fromForeign(tool, input)
    const checked = await checkArguments(own.parameters, own.mapArguments ? own.mapArguments(back) : back)
    const path = typeof args["path"] === "string" ? { path: absolute(args["path"]) } : {}
    assert.deepEqual(checked, { ok: true, value: { ...args, ...path } })
  })
}

test("several edits are MultiEdit; arguments that a hook before put in the other form stay what they are", () => {
  const edits = [1, 2].map((n) => ({ oldText: `${n}`, newText: `${n}${n}` }))
  const list = [1, 2].map((n) => ({ old_string: `${n}`, new_string: `${n}${n}`, replace_all: false }))
  assert.deepEqual(toForeign("edit", { path: "a", edits }, absolute), {
    tool_name: "MultiEdit",
    tool_input: { file_path: "/work/a", edits: list },
  })
  const flat = { file_path: "/a", old_string: "x", new_string: "y" }
  assert.deepEqual(toForeign("edit", flat, absolute), { tool_name: "Edit", tool_input: flat })
})
