import assert from "node:assert/strict"
import { test } from "node:test"
import { commandOf, hookOf, providerOf, rendererOf, resourcesOf, toolOf } from "../../src/worker/registrations.ts"

const run = () => ""
const tool = { name: "a", description: "One.\nTwo.", parameters: { type: "object" }, execute: run }
const command = { name: "a", about: "b", run }
const provider = { name: "a", models: { m: {} }, baseUrl: "https://h" }

/** Each value is refused with this text. */
function refused(make: (given: never) => unknown, rows: readonly (readonly [given: unknown, text: string | RegExp])[]) {
  for (const [given, text] of rows)
    assert.throws(
      () => make(given as never),
      typeof text === "string" ? { message: text } : text,
      JSON.stringify(given),
    )
}

test("the registration of a tool is plain data, with defaults for omitted fields", () => {
  const least = {
    name: "a",
    label: "a",
    description: "One.\nTwo.",
    parameters: { type: "object" },
    title: null,
    promptSnippet: "One.",
    promptGuidelines: [],
    readOnly: false,
    interruptible: false,
  }
  assert.deepEqual(toolOf(tool as never), least)
  const more = {
    label: "A",
    title: "the {path}",
    promptSnippet: "snip",
    promptGuidelines: ["g"],
    readOnly: true,
    interruptible: true,
    effect: "read",
    paths: [{ argument: "path", holds: "tree" }],
    aliases: ["Read"],
    summary: "lines",
  }
  assert.deepEqual(toolOf({ ...tool, ...more } as never), { ...least, ...more })
  assert.deepEqual(toolOf({ ...tool, readOnly: 1, interruptible: "yes" } as never), least)
  for (const effect of ["none", "read", "write", "execute", "network"])
    assert.equal(toolOf({ ...tool, effect } as never).effect, effect)
  for (const holds of ["file", "folder", "tree"])
    assert.deepEqual(toolOf({ ...tool, paths: [{ argument: "p", holds }] } as never).paths?.[0]?.holds, holds)
  assert.equal(toolOf({ ...tool, effect: "read", readOnly: true } as never).readOnly, true)
  assert.deepEqual(toolOf({ ...tool, aliases: [], paths: [] } as never), { ...least, aliases: [], paths: [] })
})

test("an invalid tool is refused with its name", () => {
  const slip = (more: object) => ({ ...tool, ...more })
  const paths = 'gong.tool(): "a": "paths" is a list of {argument: NAME, holds: file or folder or tree}'
  refused(toolOf, [
    ...[null, "text", [tool], undefined].map((one) => [one, "gong.tool(tool): tool is an object"] as const),
    ...["", 1, undefined].map((name) => [slip({ name }), 'gong.tool(): "name" is text'] as const),
    ...["", 1, undefined].map(
      (description) => [slip({ description }), 'gong.tool(): "a": "description" is text'] as const,
    ),
    ...[null, {}, [], { type: "array" }, "x"].map(
      (parameters) => [slip({ parameters }), /"a": "parameters" is a JSON Schema/] as const,
    ),
    [slip({ execute: "run" }), 'gong.tool(): "a": "execute" is a function'],
    ...["text", [1], [""]].map(
      (promptGuidelines) => [slip({ promptGuidelines }), /"promptGuidelines" is a list of texts/] as const,
    ),
    [slip({ effect: "reads" }), 'gong.tool(): "a": "effect" is one of none, read, write, execute, network'],
    ...["write", "execute"].map(
      (effect) =>
        [slip({ effect, readOnly: true }), `gong.tool(): "a": "effect" is ${effect}, so it is not "readOnly"`] as const,
    ),
    ...[
      "p",
      ["p"],
      [{ argument: "", holds: "file" }],
      [{ argument: "p" }],
      [{ argument: "p", holds: "disk" }],
      [null],
    ].map((one) => [slip({ paths: one }), paths] as const),
    ...["Read", [1], [""]].map((aliases) => [slip({ aliases }), /"aliases" is a list of names/] as const),
    ...["", 1].map((summary) => [slip({ summary }), /"summary" is the name of a field of details/] as const),
  ])
})

test("a command needs a name without a slash, a description and a function", () => {
  assert.deepEqual(commandOf(command as never), { name: "a", about: "b", value: null })
  assert.deepEqual(commandOf({ ...command, name: "工7-x", value: "FILE" } as never), {
    name: "工7-x",
    about: "b",
    value: "FILE",
  })
  refused(commandOf, [
    ...[null, "x", []].map((one) => [one, "gong.command(command): command is an object"] as const),
    ...["", "/a", "a/b", "a b", "-a", 1].map(
      (name) => [{ ...command, name }, 'gong.command(): "name" is a word without a slash'] as const,
    ),
    [{ ...command, about: "" }, 'gong.command(): "a": "about" is text'],
    [{ ...command, run: 1 }, 'gong.command(): "a": "run" is a function'],
  ])
})

test("a hook has callbacks, a timeout of 1 ms to 60 s, and a list of tools", () => {
  const onStop = { beforeStop: run }
  assert.deepEqual(hookOf(onStop as never), { callbacks: ["beforeStop"], tools: null, timeMs: 5_000 })
  assert.deepEqual(hookOf({ ...onStop, tools: ["a"], timeMs: 60_000 } as never), {
    callbacks: ["beforeStop"],
    tools: ["a"],
    timeMs: 60_000,
  })
  assert.equal(hookOf({ ...onStop, timeMs: 1 } as never).timeMs, 1)
  refused(hookOf, [
    ...[null, "x"].map((one) => [one, "gong.hook(hook): hook is an object"] as const),
    ...["a", [1], [""]].map((tools) => [{ ...onStop, tools }, 'gong.hook(): "tools" is a list of names'] as const),
    ...[0, 60_001, -1, Number.NaN].map(
      (timeMs) => [{ ...onStop, timeMs }, 'gong.hook(): "timeMs" is 1 to 60000'] as const,
    ),
    [{ ...onStop, befourStop: run }, /^Error: gong\.hook\(\): there is no "befourStop"; .*beforeStop/],
    [{ tools: ["a"] }, /^Error: gong\.hook\(\): none of .*beforeStop/],
    [{ beforeStop: 1 }, 'gong.hook(): "beforeStop" is a function'],
  ])
})

test("a renderer names its tool", () => {
  assert.deepEqual(rendererOf({ tool: "ls", render: run } as never), { name: "ls" })
  refused(rendererOf, [
    ...[null, []].map((one) => [one, "gong.renderer(renderer): renderer is an object"] as const),
    ...["", 1].map((name) => [{ tool: name, render: run }, 'gong.renderer(): "tool" is the name of a tool'] as const),
    [{ tool: "ls" }, 'gong.renderer(): "ls": "render" is a function'],
  ])
})

test("a provider has models, and a base URL or a stream function", () => {
  assert.deepEqual(providerOf(provider as never), {
    name: "a",
    facts: { name: "a", models: { m: {} }, baseUrl: "https://h" },
    streams: false,
  })
  const own = { name: "a", label: "A", models: { m: {} }, stream: run }
  assert.deepEqual(providerOf(own as never), { name: "a", facts: { name: "A", models: { m: {} } }, streams: true })
  assert.equal(providerOf({ ...own, baseUrl: "https://h", keys: ["K"] } as never).streams, true)
  assert.equal(providerOf({ ...own, keys: [] } as never).streams, true)
  assert.equal(providerOf({ ...provider, headers: {} } as never).streams, false)
  const longest = `a${"b".repeat(63)}`
  assert.equal(providerOf({ ...provider, name: longest } as never).name, longest)
  refused(providerOf, [
    ...[null, []].map((one) => [one, "gong.provider(provider): provider is an object"] as const),
    ...["", "A", "-a", `${longest}b`, "a b", 1].map(
      (name) => [{ ...provider, name }, 'gong.provider(): "name" is 1 to 64 of a-z 0-9 . _ -'] as const,
    ),
    ...["", 1].map((label) => [{ ...provider, label }, 'gong.provider(): "a": "label" is text'] as const),
    ...[{}, [], "m", undefined].map(
      (models) => [{ ...provider, models }, 'gong.provider(): "a": "models" has a model: {ID: {}}'] as const,
    ),
    [{ ...provider, stream: "x" }, 'gong.provider(): "a": "stream" is a function'],
    ...["", undefined].map(
      (baseUrl) =>
        [
          { ...provider, baseUrl },
          'gong.provider(): "a": "baseUrl" says where it is asked, or "stream" asks it',
        ] as const,
    ),
    ...["api", "headers", "body", "compat"].map(
      (field) =>
        [
          { ...own, [field]: {} },
          `gong.provider(): "a": "${field}" is for a wire format that Gong speaks, and "stream" speaks its own`,
        ] as const,
    ),
    [{ ...own, keys: ["K"] }, 'gong.provider(): "a": "keys" need a "baseUrl": a key is kept for one address'],
  ])
})

test("resources are lists of paths relative to the folder of the extension", () => {
  assert.deepEqual(resourcesOf({} as never, "/x"), { skills: [], prompts: [], themes: [] })
  const given = { skills: ["a", "/b"], prompts: ["./c"], themes: ["../d"] }
  assert.deepEqual(resourcesOf(given, "/x"), { skills: ["/x/a", "/b"], prompts: ["/x/c"], themes: ["/d"] })
  refused(
    (paths) => resourcesOf(paths, "/x"),
    [
      ...[null, []].map(
        (one) => [one, "gong.resources({ skills, prompts, themes }): each is a list of paths"] as const,
      ),
      [{ skill: [] }, 'gong.resources(): there is no "skill"; skills, prompts, themes'],
      ...["a", [1], [""]].map((themes) => [{ themes }, 'gong.resources(): "themes" is a list of paths'] as const),
    ],
  )
})
