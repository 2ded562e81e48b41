import assert from "node:assert/strict"
import { test } from "node:test"
import { createAllTools, builtInDeclarations } from "@gong/tools"
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
  test(`${tool} is ${name} for hooks, and returned arguments are accepted unchanged`, async () => {
    assert.deepEqual(toForeign(tool, builtInDeclarations(tool), args, absolute), { tool_name: name, tool_input: input })
    assert.ok(
      matchedNames(tool, builtInDeclarations(tool)).includes(name) &&
        matchedNames(tool, builtInDeclarations(tool)).includes(tool),
    )
    const host = createMemoryHost({ now: () => 0 })
    const tools: Readonly<Record<string, ReturnType<typeof createAllTools>["bash"]>> = createAllTools("/work", {
      host,
      clock: manualClock(),
    }) as never
    const own = tools[tool]
    if (own === undefined) return
    const back = fromForeign(builtInDeclarations(tool), input)
    const checked = await checkArguments(own.parameters, own.mapArguments ? own.mapArguments(back) : back)
    const path = typeof args["path"] === "string" ? { path: absolute(args["path"]) } : {}
    assert.deepEqual(checked, { ok: true, value: { ...args, ...path } })
  })
}

test("several edits are MultiEdit; arguments that an earlier hook replaced stay unchanged", () => {
  const edits = [1, 2].map((n) => ({ oldText: `${n}`, newText: `${n}${n}` }))
  const list = [1, 2].map((n) => ({ old_string: `${n}`, new_string: `${n}${n}`, replace_all: false }))
  assert.deepEqual(toForeign("edit", builtInDeclarations("edit"), { path: "a", edits }, absolute), {
    tool_name: "MultiEdit",
    tool_input: { file_path: "/work/a", edits: list },
  })
  const flat = { file_path: "/a", old_string: "x", new_string: "y" }
  assert.deepEqual(toForeign("edit", builtInDeclarations("edit"), flat, absolute), {
    tool_name: "Edit",
    tool_input: flat,
  })
})

test("every tool has its name in the format; paths are absolute, times are milliseconds, and missing values stay missing", () => {
  for (const [tool, name] of [
    ["ls", "LS"],
    ["fetch", "WebFetch"],
    ["todo", "TodoWrite"],
    ["ask", "AskUserQuestion"],
    ["task", "Task"],
    ["toString", "toString"],
  ] as const) {
    assert.deepEqual(toForeign(tool, builtInDeclarations(tool), {}, absolute), { tool_name: name, tool_input: {} })
    assert.deepEqual(matchedNames(tool, builtInDeclarations(tool)), name === tool ? [tool] : [name, tool])
  }
  assert.deepEqual(matchedNames("edit", builtInDeclarations("edit")), ["Edit", "MultiEdit", "edit"])
  assert.deepEqual(toForeign("fetch", builtInDeclarations("fetch"), { path: 7, timeout: 3 }, absolute).tool_input, {
    path: 7,
    timeout: 3,
  })
  assert.deepEqual(
    toForeign("bash", builtInDeclarations("bash"), { command: "ls", timeout: "5" }, absolute).tool_input,
    { command: "ls" },
  )
  assert.deepEqual(toForeign("read", builtInDeclarations("read"), {}, absolute).tool_input, {})
  const several = { effect: "read", paths: [{ argument: "files", holds: "file" }] } as const
  assert.deepEqual(toForeign("x", several, { files: ["a", 5], other: "b" }, absolute).tool_input, {
    files: [absolute("a"), 5],
    other: "b",
  })
  const edit = { oldText: "x", newText: "y", replaceAll: "yes" }
  const single = toForeign("edit", builtInDeclarations("edit"), { edits: [edit, null], note: 1 }, absolute)
  assert.deepEqual(single, {
    tool_name: "Edit",
    tool_input: { old_string: "x", new_string: "y", replace_all: false, note: 1 },
  })
})

test("returned times are rounded up to whole seconds", () => {
  assert.deepEqual(fromForeign(builtInDeclarations("bash"), { command: "ls", timeout: 1001 }), {
    command: "ls",
    timeout: 2,
  })
  assert.deepEqual(fromForeign(builtInDeclarations("bash"), { command: "ls", timeout: "1" }), {
    command: "ls",
    timeout: "1",
  })
  assert.deepEqual(fromForeign(builtInDeclarations("fetch"), { timeout: 5000 }), { timeout: 5000 })
})
