import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExtensionApi } from "../../src/api.ts"
import { registrarOf } from "../../src/worker/registrar.ts"

function open() {
  const extension = { id: 0, name: "x", path: "/x.ts", folder: "/", boundary: null, settings: {} }
  const begin = { gong: "0", cwd: "/", workspace: "/", cache: null, memory: null, extensions: [extension] }
  return registrarOf(extension, begin, () => undefined)
}

test("an invalid registration is refused at its line, with the valid values", () => {
  const slips: readonly (readonly [(gong: ExtensionApi) => void, RegExp])[] = [
    [
      (gong) => gong.on("tool.end" as "tool.stop", () => 1),
      /there is no event "tool\.end"; session\.start, .*tool\.stop/,
    ],
    [(gong) => gong.on("tool.stop", "look" as never), /gong\.on\("tool\.stop", look\): look is a function/],
    [(gong) => gong.renderer({ tool: "ls" } as never), /"ls": "render" is a function/],
    [(gong) => gong.provider({ name: "A b", models: {} } as never), /"name" is 1 to 64 of/],
    [(gong) => gong.provider({ name: "a", models: {} } as never), /"a": "models" has a model/],
    [
      (gong) => gong.provider({ name: "a", models: { m: {} } } as never),
      /"baseUrl" says where it is asked, or "stream"/,
    ],
    [
      (gong) => gong.provider({ name: "a", models: { m: {} }, headers: {}, stream: () => [] } as never),
      /"headers" is for a wire format that Gong speaks/,
    ],
  ]
  const tool = { name: "a", description: "d", parameters: { type: "object" }, execute: () => "" }
  const declares = (more: object) => (gong: ExtensionApi) => gong.tool({ ...tool, ...more } as never)
  const declarations: typeof slips = [
    [declares({ effect: "reads" }), /"a": "effect" is one of none, read, write, execute, network/],
    [declares({ effect: "execute", readOnly: true }), /"a": "effect" is execute, so it is not "readOnly"/],
    [declares({ paths: ["path"] }), /"a": "paths" is a list of \{argument: NAME, holds: file or folder or tree\}/],
    [declares({ paths: [{ argument: "path", holds: "disk" }] }), /"a": "paths" is a list/],
    [declares({ aliases: "Read" }), /"a": "aliases" is a list of names/],
    [declares({ summary: 1 }), /"a": "summary" is the name of a field/],
  ]
  for (const [slip, text] of [...slips, ...declarations]) assert.throws(() => slip(open().api), text)
  const { api, close } = open()
  api.on("tool.stop", () => 1)
  assert.deepEqual(close().registrations.events, ["tool.stop"])
  assert.throws(() => api.on("tool.stop", () => 1), /works only while the extension is loaded/)
})

const run = () => ""
const tool = (name: string) => ({ name, description: "d", parameters: { type: "object" }, execute: run }) as never
const command = (name: string) => ({ name, about: "b", run }) as never
const provider = (name: string) => ({ name, models: { m: {} }, baseUrl: "https://h" }) as never
const renderer = (name: string) => ({ tool: name, render: run }) as never

test("a hundred of each kind can be registered, and each name once", () => {
  for (const [what, add] of [
    ["tool", (gong: ExtensionApi, at: number) => gong.tool(tool(`n${at}`))],
    ["command", (gong: ExtensionApi, at: number) => gong.command(command(`n${at}`))],
    ["provider", (gong: ExtensionApi, at: number) => gong.provider(provider(`n${at}`))],
    ["renderer", (gong: ExtensionApi, at: number) => gong.renderer(renderer(`n${at}`))],
    ["hook", (gong: ExtensionApi) => gong.hook({ beforeStop: run } as never)],
    ["on", (gong: ExtensionApi) => gong.on("tool.stop", run)],
    ["resources", (gong: ExtensionApi, at: number) => gong.resources({ skills: [`s${at}`] })],
  ] as const) {
    const { api } = open()
    for (let at = 0; at < 100; at++) add(api, at)
    assert.throws(() => add(api, 100), { message: `gong.${what}(): 100 are the most` }, what)
    if (what === "hook" || what === "on" || what === "resources") continue
    const twice = open().api
    add(twice, 1)
    assert.throws(() => add(twice, 1), { message: `gong.${what}(): there is "n1" already` }, what)
  }
  const many = (count: number) => ({ themes: Array.from({ length: count }, (_, at) => `t${at}`) })
  open().api.resources(many(100))
  assert.throws(() => open().api.resources(many(101)), /100 are the most/)
})

test("registrations keep their order, and functions are called with their arguments", async () => {
  const { api, close } = open()
  const seen: unknown[] = []
  const signal = new AbortController().signal
  const context = { signal, interactive: false } as never
  api.tool({
    ...(tool("a") as object),
    execute: (args: unknown, given: unknown) => (seen.push([args, given === context]), "t"),
  } as never)
  api.command({
    ...(command("b") as object),
    run: (rest: unknown, given: unknown) => (seen.push([rest, given === context]), "c"),
  } as never)
  api.renderer({ tool: "ls", render: (call: unknown, more: object) => (seen.push([call, more]), "r") } as never)
  api.provider(provider("p"))
  api.provider({
    name: "q",
    models: { m: {} },
    stream: (request: unknown, more: object) => (seen.push([request, more]), "s"),
  } as never)
  api.hook({
    beforeStop(this: object, ...args: unknown[]) {
      seen.push([Object.keys(this), ...args])
      return "h"
    },
  } as never)
  api.on("tool.stop", (event: unknown) => void seen.push(["one", event]))
  api.on("tool.stop", (event: unknown) => void seen.push(["two", event]))
  api.resources({ prompts: ["x"] })
  const { registrations, functionOf } = close()
  assert.deepEqual(
    [registrations.tools, registrations.commands, registrations.providers].map((all) => all.map(({ name }) => name)),
    [["a"], ["b"], ["p", "q"]],
  )
  assert.deepEqual(
    [registrations.renderers, registrations.events, registrations.hooks.length],
    [["ls"], ["tool.stop"], 1],
  )
  assert.deepEqual(registrations.resources, { skills: [], prompts: ["/x"], themes: [] })
  const call = (target: Parameters<typeof functionOf>[0], ...args: readonly unknown[]) =>
    functionOf(target)?.(args, context)
  assert.equal(call({ kind: "tool", key: "a" }, { x: 1 }), "t")
  assert.equal(call({ kind: "command", key: "b" }, 7), "c")
  assert.equal(call({ kind: "renderer", key: "ls" }, { id: 1 }), "r")
  const bytes = new TextEncoder().encode('{"model":"m"}')
  assert.equal(call({ kind: "provider", key: "q" }, bytes, "key"), "s")
  assert.equal(call({ kind: "provider", key: "q" }, bytes, undefined), "s")
  assert.equal(call({ kind: "hook", key: 0, callback: "beforeStop" }, "x"), "h")
  await call({ kind: "event", key: "tool.stop" }, { n: 1 })
  assert.equal(await call({ kind: "event", key: "tool.start" }), undefined)
  assert.deepEqual(seen, [
    [{ x: 1 }, true],
    ["7", true],
    [{ id: 1 }, { signal }],
    [{ model: "m" }, { signal, key: "key" }],
    [{ model: "m" }, { signal, key: null }],
    [["beforeStop"], "x", { signal }],
    ["one", { n: 1 }],
    ["two", { n: 1 }],
  ])
  for (const target of [
    { kind: "tool", key: "b" },
    { kind: "command", key: "a" },
    { kind: "renderer", key: "a" },
    { kind: "provider", key: "p" },
    { kind: "provider", key: "a" },
    { kind: "hook", key: 1, callback: "beforeStop" },
    { kind: "hook", key: 0, callback: "onInput" },
  ] as const)
    assert.equal(functionOf(target), null, JSON.stringify(target))
})

test("the API has the folders and settings of the extension, and say() sends notices", () => {
  const printed: unknown[] = []
  const extension = { id: 0, name: "x", path: "/f/x.ts", folder: "/f", boundary: null, settings: { a: 1 } }
  const begin = { gong: "1.2", cwd: "/w/s", workspace: "/w", cache: null, memory: null, extensions: [extension] }
  const { api } = registrarOf(extension, begin, (level, text) => void printed.push([level, text]))
  assert.deepEqual([api.gong, api.name, api.cwd, api.workspace, api.settings], ["1.2", "x", "/w/s", "/w", { a: 1 }])
  api.say("a")
  api.say("b", "warn")
  api.say(3 as never, "other" as never)
  assert.deepEqual(printed, [
    ["info", "a"],
    ["warn", "b"],
    ["info", "3"],
  ])
  assert.ok(Object.isFrozen(api))
})
