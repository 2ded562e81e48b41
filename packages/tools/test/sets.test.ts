import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { test } from "node:test"
import { checkArguments, type Host, type Tool } from "@gong/spec"
import { createMemoryHost } from "../src/host/memory.ts"
import { allTools, createAllTools, createCodingTools, createReadOnlyTools, type ToolName } from "../src/index.ts"
import { abortedContext, context, place, messages } from "./workspace.ts"

const all = createAllTools("/w")
const list: readonly Tool[] = Object.values(all)

test("[TOOLDEF-1] [TOOLDEF-6] a factory for each tool, and the three sets, which act in the given cwd", async (t) => {
  for (const [name, create] of Object.entries(allTools)) assert.equal(create("/w").name, name)
  const here = place(t)
  here.put("a.txt", "one")
  const sets = [createCodingTools(here.cwd), createReadOnlyTools(here.cwd), Object.values(createAllTools(here.cwd))]
  for (const tools of sets)
    for (const tool of tools) {
      here.put("a.txt", "one")
      const result = await tool.execute("c", works[tool.name as ToolName] as never, context())
      assert.equal(result.isError, false, `${tool.name}: ${messages(result)}`)
    }
  const names = (tools: readonly Tool[]) => tools.map((tool) => tool.name)
  assert.deepEqual(names(createCodingTools("/w")), ["read", "bash", "edit", "write"])
  assert.deepEqual(names(createReadOnlyTools("/w")), ["read", "grep", "find", "ls"])
  assert.deepEqual(names(list), ["read", "write", "edit", "bash", "grep", "find", "ls"])
})

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly string[] }>>
}

test("[TOOLDEF-5] each schema is JSON Schema with its required fields, small enough for every prompt", async () => {
  const required = list.map((tool) => [tool.name, tool.parameters["required"] ?? []])
  assert.deepEqual(Object.fromEntries(required), {
    read: ["path"],
    write: ["path", "content"],
    edit: ["path", "edits"],
    // A command, or a job number.
    bash: [],
    grep: ["pattern"],
    find: ["pattern"],
    ls: [],
  })
  for (const { name, parameters } of list) {
    const { type, properties = {} } = parameters as Schema
    assert.equal(type, "object", name)
    for (const [field, of] of Object.entries(properties))
      assert.match(String(of.type ?? (of.enum && "string")), /^(string|integer|number|boolean|array|object)$/, field)
    assert.equal((await checkArguments(parameters, works[name] as never)).ok, true, name)
    for (const field of (parameters["required"] ?? []) as readonly string[]) {
      const { [field]: _left, ...rest } = works[name] as Record<string, unknown>
      assert.equal((await checkArguments(parameters, rest)).ok, false, `${name} without ${field}`)
    }
  }
  const sent = list.map(({ name, description, parameters }) => ({ name, description, parameters }))
  assert.ok(JSON.stringify(sent).length < 3500)
})

test("[TOOLDEF-12] convertible arguments are converted; nothing is converted to text", async () => {
  const checked = await checkArguments(all.read.parameters, { path: "a", offset: "10" })
  assert.deepEqual(checked, { ok: true, value: { path: "a", offset: 10 } })
  for (const path of [5, null, ["a"]]) assert.equal((await checkArguments(all.read.parameters, { path })).ok, false)
})

/** A failing call of each tool, and the advice in its message. */
const fails: Readonly<Record<ToolName, readonly [args: object, next: RegExp]>> = {
  read: [{ path: "nix" }, /Check the path with ls or find/],
  write: [{ path: "nix/..", content: "" }, /Give a file; ls lists a directory/],
  edit: [{ path: "a.txt", edits: [{ oldText: "nix", newText: "b" }] }, /read the file again/],
  bash: [{ command: " " }, /Give a command to run/],
  grep: [{ pattern: "(" }, /Escape special characters with \\, or set literal: true/],
  find: [{ pattern: "*", path: "nix" }, /Check it with ls/],
  ls: [{ path: "nix" }, /Check it with find, or list its parent/],
}

test("[TOOLDEF-11] a failed tool names the next step", async (t) => {
  const here = place(t)
  here.put("a.txt", "one")
  for (const [name, tool] of Object.entries(createAllTools(here.cwd))) {
    const [args, next] = fails[name as ToolName]
    const result = await tool.execute("c", args as never, context())
    assert.equal(result.isError, true, name)
    assert.match(messages(result), next, name)
  }
})

test("[TOOLDEF-13] each tool works alone, without session and model", async (t) => {
  const here = place(t)
  here.put("a.txt", "one")
  const does: Readonly<Record<ToolName, RegExp>> = {
    read: /^one$/,
    write: /^Successfully wrote 3 bytes to a\.txt$/,
    edit: /^Successfully replaced/,
    bash: /^one$/,
    grep: /^a\.txt:1: one$/,
    find: /^a\.txt/,
    ls: /^a\.txt$/,
  }
  for (const [name, tool] of Object.entries(createAllTools(here.cwd))) {
    here.put("a.txt", "one")
    const result = await tool.execute("c", works[name] as never, context())
    assert.equal(result.isError, false, `${name}: ${messages(result)}`)
    assert.match(messages(result), does[name as ToolName], name)
  }
})

const works: Readonly<Record<string, object>> = {
  read: { path: "a.txt" },
  write: { path: "a.txt", content: "two" },
  edit: { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] },
  bash: { command: "cat a.txt" },
  grep: { pattern: "one" },
  find: { pattern: "*" },
  ls: {},
}

/** A host that aborts the call at its n-th request. */
function abortingHost(after: number, controller: AbortController) {
  const host = createMemoryHost({ cwd: "/w", files: { "/w/a.txt": "one" } })
  let asked = 0
  const counted = Object.entries(host).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member]
    return [
      name,
      (...args: readonly unknown[]) => {
        if (++asked === after) controller.abort()
        return Reflect.apply(member, host, args)
      },
    ]
  })
  return { host, counted: Object.fromEntries(counted) as Host, asked: () => asked }
}

test("[TOOLDEF-10] an abort before the start and at every step ends every tool and leaves no listener or partial change", async () => {
  for (const tool of list) {
    const result = await tool.execute("c", fails[tool.name as ToolName][0] as never, abortedContext())
    assert.match(messages(result), /aborted$/, tool.name)
    assert.equal(result.status, "aborted", tool.name)
  }
  for (const [name, create] of Object.entries(allTools)) {
    let aborts = 0
    for (let after = 1; ; after++) {
      const controller = new AbortController()
      const { host, counted, asked } = abortingHost(after, controller)
      const tool: Tool = create("/w", { host: counted, rgPath: "/rg" } as object)
      const context = { signal: controller.signal, onProgress() {} }
      const result = await tool.execute("c", works[name] as never, context)
      assert.equal(getEventListeners(controller.signal, "abort").length, 0, name)
      if (asked() < after) break
      const changed = Buffer.from(await host.readRange("/w/a.txt", 0)).toString() === "two"
      if (result.status === "aborted") aborts++
      // Changes are reported as done, and an aborted call changes nothing.
      if (name === "write" || name === "edit") assert.equal(result.status === "aborted", !changed, `${name} ${after}`)
    }
    assert.ok(aborts > 0, name)
  }
})

test("which tools run in parallel, and which may be interrupted", () => {
  const names = (which: (tool: Tool) => boolean) => list.filter(which).map((tool) => tool.name)
  assert.deepEqual(
    names((tool) => tool.readOnly),
    ["read", "grep", "find", "ls"],
  )
  assert.deepEqual(
    names((tool) => !tool.interruptible),
    ["write", "edit"],
  )
  assert.deepEqual(
    names((tool) => tool.keepsTime === true),
    ["bash"],
  )
})

test("titles are one line of at most 120 characters", () => {
  assert.equal(all.bash.title({ command: "npm test\necho" }), "npm test ...")
  assert.equal(all.edit.title({ path: "src/a.ts" }), "src/a.ts")
  assert.equal(all.grep.title({ pattern: "x".repeat(500) }).length, 120)
  assert.equal(all.ls.title({}), ".")
  assert.equal(all.read.title({ path: 5 }), "")
})
