import assert from "node:assert/strict"
import { test } from "node:test"
import { filesOf, pathsOf, withDefaultPath } from "@gong/spec"
import {
  builtInDeclarations,
  builtIns,
  createBuiltIn,
  createBuiltIns,
  extraToolNames,
  toolNames,
} from "../src/index.ts"

test("every built-in tool declares its effect, arguments that it has, and a lower-case name", () => {
  for (const { declaration } of builtIns) {
    const { name, effect, paths = [], command, address } = declaration
    assert.match(name, /^[a-z][a-z0-9_-]*$/)
    assert.equal(builtInDeclarations(name), declaration)
    const on = { none: [], read: paths, write: paths, execute: [command], network: [address] }[effect ?? "none"]
    assert.ok(effect !== undefined && (effect === "none" || on.length > 0), name)
    const tool = createBuiltIn(name, "/w")
    const { properties = {} } = (tool?.parameters ?? {}) as { properties?: object }
    const named = [...paths.map(({ argument }) => argument), ...(command ? [command] : [])]
    if (tool)
      assert.deepEqual(
        named.filter((argument) => !Object.hasOwn(properties, argument)),
        [],
        name,
      )
    if (tool) assert.ok(!tool.readOnly || effect !== "write", name)
  }
})

test("tools are created in catalogue order, except those with missing options", () => {
  const names = [...toolNames, ...extraToolNames]
  assert.deepEqual(names, ["read", "write", "edit", "bash", "grep", "find", "ls", "fetch", "todo", "ask", "task"])
  const made = createBuiltIns("/w").map(({ name }) => name)
  assert.deepEqual(made, [...toolNames, "todo", "ask"])
  assert.deepEqual(
    [createBuiltIn("task", "/w"), createBuiltIn("toString", "/w"), builtInDeclarations("toString")],
    [null, null, null],
  )
})

test("the paths of a call are those of its own arguments, in declaration order", () => {
  const declared = {
    effect: "write",
    paths: [
      { argument: "to", holds: "file" },
      { argument: "from", holds: "folder" },
    ],
  } as const
  const args = { from: ["a", 1, "b"], to: "c", toString: "d" }
  assert.deepEqual(
    pathsOf(declared, args).map(({ path }) => path),
    ["c", "a", "b"],
  )
  assert.deepEqual(filesOf(declared, args), ["c"])
  assert.deepEqual(filesOf({ ...declared, effect: "execute" }, args), [])
  assert.deepEqual(pathsOf({ paths: [{ argument: "toString", holds: "file" }] }, {}), [])
  assert.deepEqual(pathsOf(withDefaultPath(null), { path: "x" }), [{ path: "x", holds: "folder" }])
  assert.deepEqual(pathsOf(withDefaultPath({ paths: [] }), { path: "x" }), [])
})
