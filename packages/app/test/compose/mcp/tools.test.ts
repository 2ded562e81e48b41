import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf, type Tool, type ToolContext } from "@gong/spec"
import type { McpServer } from "@gong/mcp"
import { mcpTool } from "../../../src/compose/mcp/tools/mcp-tool.ts"
import { type OfferDeps, toolsOf } from "../../../src/compose/mcp/tools/offer.ts"
import type { Member } from "../../../src/compose/mcp/pool.ts"
import { resourceRule, resourceTool } from "../../../src/compose/mcp/tools/resource-tool.ts"
import { type OfferedTool, serverTool, unknownTool } from "../../../src/compose/mcp/tools/server-tools.ts"

const deps = { imageMaxBytes: 1000, session: "this" }
const context = { signal: new AbortController().signal, onProgress: () => undefined } as unknown as ToolContext

interface ServerParts {
  readonly calls?: unknown[]
  readonly result?: unknown
  readonly listed?: readonly unknown[]
}

/** A server that records its calls. */
function server(name: string, { calls = [], result, listed = [] }: ServerParts = {}): McpServer {
  const recorded =
    (verb: string, answer: unknown) =>
    async (...args: readonly unknown[]) => {
      calls.push([verb, ...args.slice(0, -1)])
      return answer
    }
  const text = { content: [{ type: "text", text: "done" }] }
  return {
    name,
    call: recorded("call", result ?? text),
    resources: recorded("list", listed),
    resource: recorded("read", { contents: [{ uri: "a://b", text: "of it" }] }),
  } as unknown as McpServer
}

function offered(
  name: string,
  description = "d",
  own = server("math"),
  schema: Readonly<Record<string, unknown>> = { type: "object" },
): OfferedTool {
  return { server: own, local: true, tool: { name, exposed: `${own.name}__${name}`, description, schema } }
}

const run = async (tool: Tool, args: object) => {
  const result = await tool.execute("c", args as never, context)
  return [textOf(result), result.isError]
}

test("a tool of a server: its name in rules, alias, title, preview and result", async () => {
  const calls: unknown[] = []
  const one = offered("add", "Adds.", server("math", { calls }))
  const tool = serverTool(one, deps)
  assert.deepEqual(
    [tool.name, tool.label, tool.description, tool.effect],
    ["math__add", "math__add", "Adds.", "execute"],
  )
  assert.deepEqual([tool.readOnly, tool.interruptible, tool.keepsTime, tool.foreignSchema], [false, true, true, true])
  assert.deepEqual([tool.serverTool?.({}), tool.aliases], ["math__add", ["mcp__math__add"]])
  assert.equal(serverTool({ ...one, local: false }, deps).effect, "network")
  assert.deepEqual([tool.title({}), tool.title({ a: 1 })], ["", '{"a":1}'])
  const long = (length: number) => tool.title({ a: "x".repeat(length - '{"a":""}'.length) })
  assert.deepEqual([long(120).length, long(121).length], [120, 120])
  assert.deepEqual([long(120).endsWith('"}'), long(121).endsWith("xxx...")], [true, true])
  assert.deepEqual(await tool.preview?.({ a: 1 } as never, context as never), {
    ok: true,
    preview: { kind: "server", server: "math", tool: "add", arguments: '{"a":1}' },
  })
  const result = await tool.execute("c", { a: 1 } as never, context)
  assert.deepEqual([textOf(result), result.isError], ["done", false])
  assert.deepEqual([result.details?.["server"], result.details?.["tool"]], ["math", "add"])
  assert.deepEqual(calls, [["call", "add", { a: 1 }]])
  const failing = server("math", { result: { isError: true, content: [{ type: "text", text: "no" }] } })
  assert.deepEqual(await run(serverTool(offered("x", "", failing), deps), {}), ["no", true])
})

function finder(tools: readonly OfferedTool[], more: Partial<Parameters<typeof mcpTool>[0]> = {}): Tool {
  return mcpTool({ ...deps, tools: () => tools, described: tools, unlisted: [], list: async () => [], ...more })
}

test("the finder calls a tool by its full name, and reports an unknown one", async () => {
  const calls: unknown[] = []
  const tool = finder([offered("add", "Adds.", server("math", { calls }))])
  assert.deepEqual(await run(tool, { tool: "math__add", arguments: { a: 1 } }), ["done", false])
  assert.deepEqual(await run(tool, { tool: "math__add", arguments: "x", query: "add" }), ["done", false])
  assert.deepEqual(calls, [
    ["call", "add", { a: 1 }],
    ["call", "add", {}],
  ])
  assert.deepEqual(await run(tool, { tool: "math__sub" }), [unknownTool("math__sub"), true])
  assert.equal(unknownTool("x"), "There is no tool x on any MCP server. Call this tool with a query to find one.")
  assert.deepEqual(await tool.preview?.({ tool: "math__add", arguments: { a: 1 } } as never, context as never), {
    ok: true,
    preview: { kind: "server", server: "math", tool: "add", arguments: '{"a":1}' },
  })
  assert.deepEqual(await tool.preview?.({ tool: 7 } as never, context as never), {
    ok: false,
    message: unknownTool("7"),
  })
})

test("the name of a call of the finder in rules; what is no full name is covered by no rule for a tool", () => {
  const { serverTool: ruleOf } = finder([])
  for (const [tool, name] of [
    [undefined, null],
    ["math__add", "math__add"],
    ["a-b__c", "a-b__c"],
    ["add", "__unknown"],
    ["math__add*", "__unknown"],
    ["a b__c", "__unknown"],
    ["", "__unknown"],
    [`__${"a".repeat(62)}`, `__${"a".repeat(62)}`],
    [`__${"a".repeat(63)}`, "__unknown"],
    [7, "__unknown"],
    [null, "__unknown"],
  ] as const)
    assert.equal(ruleOf?.({ tool }), name, JSON.stringify(tool))
})

test("the title of a call of the finder is its tool with the arguments, or the query", () => {
  const { title, readOnly, interruptible, keepsTime } = finder([])
  assert.deepEqual([readOnly, interruptible, keepsTime], [false, true, true])
  for (const [args, expected] of [
    [{ tool: "math__add", arguments: { a: 1 } }, 'math__add {"a":1}'],
    [{ tool: "math__add" }, "math__add"],
    [{ query: "two words" }, "two words"],
    [{}, ""],
    [{ query: 7 }, ""],
  ] as const)
    assert.equal(title(args), expected)
  assert.equal(title({ tool: "math__add", arguments: { a: "x".repeat(200) } }).length, 120)
})

test("a query finds tools by words of their names and purposes, the best first, with their schemas", async () => {
  const tools = [
    offered("read_file", "Reads a text."),
    offered("list", "Lists each file."),
    offered("file_of_text", "Makes a file with text."),
    offered("add", "Adds."),
  ]
  const names = async (query: unknown, of = tools) => {
    const [text = ""] = await run(finder(of), { query })
    return String(text).match(/^math__\w+$/gm) ?? [text]
  }
  assert.deepEqual(await names("FILE text"), ["math__file_of_text", "math__read_file", "math__list"])
  assert.deepEqual(await names("adds"), ["math__add"])
  assert.deepEqual(
    await names(""),
    tools.map(({ tool }) => tool.exposed),
  )
  assert.deepEqual(
    await names("a ! -"),
    tools.map(({ tool }) => tool.exposed),
    "single letters are no words",
  )
  assert.deepEqual(
    await names(undefined),
    tools.map(({ tool }) => tool.exposed),
  )
  assert.deepEqual(await names("nothing"), ['No tool matches "nothing".'])
  const [text] = await run(finder(tools), { query: "adds" })
  assert.equal(text, 'math__add\nAdds.\n{"type":"object"}')
  const many = (count: number) => Array.from({ length: count }, (_, at) => offered(`t${at}`, "same"))
  assert.equal((await names("same", many(10))).length, 10)
  const [over] = await run(finder(many(12)), { query: "same" })
  assert.match(String(over), /\n\n2 more tools match; use more precise words\.$/)
  assert.doesNotMatch(String((await run(finder(many(10)), { query: "same" }))[0]), /more tools/)
  const words = Array.from({ length: 20 }, (_, at) => `word${at}x`).join(" ")
  assert.deepEqual(await names(`${words} adds`), [`No tool matches ${JSON.stringify(`${words} adds`)}.`])
  const large = [offered("big", "z".repeat(30_000))]
  assert.equal(String((await run(finder(large), { query: "" }))[0]).length, 24_000)
})

test("a search starts the servers that were never started, and reports those that fail", async () => {
  const tool = finder([offered("add", "Adds.")], {
    unlisted: ["a", "b"],
    list: async () => ["a is not available: no.", "b is not available: no."],
  })
  const [text] = await run(tool, { query: "adds" })
  assert.equal(text, 'a is not available: no.\n\nb is not available: no.\n\nmath__add\nAdds.\n{"type":"object"}')
  assert.match(tool.description, /^Not started yet, a query starts them: a, b\.$/m)
  assert.doesNotMatch(finder([]).description, /Not started/)
  const many = finder([], { unlisted: ["a".repeat(600)] }).description.split("\n")
  assert.deepEqual([many.length, many[1]?.length], [2, 500])
})

test("the finder lists tools with their purpose, by name, by number, as the length permits", () => {
  const lines = (tools: readonly OfferedTool[]) => finder(tools).description.split("\n").slice(1)
  assert.deepEqual(lines([]), [])
  assert.deepEqual(lines([offered("add", "Adds.\nMore.")]), ["math__add: Adds. More."])
  const others = server("other")
  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) =>
      offered(`t${at}`.padEnd(length, "x"), "p".repeat(100), at % 2 ? others : undefined),
    )
  const named = lines(many(40, 10))
  assert.equal(named.length, 2)
  assert.match(named[0] ?? "", /^math: t0x{8} t2x{8} /)
  assert.match(named[1] ?? "", /^other: t1x{8} /)
  assert.deepEqual(lines(many(400, 10)), ["math: 200 tools", "other: 200 tools"])
  const servers = Array.from({ length: 200 }, (_, at) => offered("a", "p".repeat(80), server(`s${at}`.padEnd(30, "x"))))
  assert.deepEqual(lines(servers), ["200 tools of 200 servers"])
})

test("resources of servers are listed and read by a tool of their own", async () => {
  const calls: unknown[] = []
  const listed = [
    { uri: "a://1", name: "One", description: "first" },
    { uri: "a://2", name: 7 },
    "x",
    { name: "no uri" },
  ]
  const servers = [server("docs", { calls, listed }), server("empty", { calls })]
  const tool = resourceTool(() => servers, deps)
  assert.match(tool.description, /^List or read the resources of an MCP server \(docs, empty\)\./)
  assert.deepEqual(
    [tool.name, tool.effect, tool.readOnly, tool.interruptible],
    ["mcp_resource", "network", false, true],
  )
  assert.deepEqual(await run(tool, { server: "docs" }), ["a://1 One first\na://2", false])
  assert.deepEqual(await run(tool, { server: "empty" }), ["The server has no resources.", false])
  assert.deepEqual(await run(tool, { server: "docs", uri: "a://b" }), ["of it", false])
  assert.deepEqual(await run(tool, { server: "none" }), ['There is no MCP server "none" with resources.', true])
  assert.deepEqual(calls, [["list"], ["list"], ["read", "a://b"]])
  const many = (count: number) =>
    server("docs", { listed: Array.from({ length: count }, (_, at) => ({ uri: `a://${at}` })) })
  const text = async (count: number) =>
    String(
      (
        await run(
          resourceTool(() => [many(count)], deps),
          { server: "docs" },
        )
      )[0],
    )
  assert.equal((await text(200)).split("\n").length, 200)
  assert.match(await text(201), /\na:\/\/199\n1 more$/)
})

test("a call for resources: its name in rules, title and preview", async () => {
  const tool = resourceTool(() => [server("docs")], deps)
  assert.equal(resourceRule("docs"), "docs__:resources")
  assert.equal(tool.serverTool?.({ server: "docs" }), "docs__:resources")
  for (const wrong of ["a b", "a__b", 7, undefined]) assert.equal(tool.serverTool?.({ server: wrong }), "__:resources")
  assert.deepEqual(
    [tool.title({ server: "docs", uri: "a://b" }), tool.title({ server: "docs" }), tool.title({ server: 7 })],
    ["docs a://b", "docs", ""],
  )
  const preview = async (args: object) => tool.preview?.(args as never, context as never)
  const of = (name: string, args: string) => ({
    ok: true,
    preview: { kind: "server", server: "docs", tool: name, arguments: args },
  })
  assert.deepEqual(await preview({ server: "docs" }), of("resources/list", "{}"))
  assert.deepEqual(await preview({ server: "docs", uri: "a://b" }), of("resources/read", '{"uri":"a://b"}'))
})

interface MemberParts {
  readonly tools: readonly object[] | null
  readonly on?: boolean
  readonly url?: string
  readonly hasResources?: boolean
}

function member(name: string, { tools, on = true, url, hasResources = false }: MemberParts): Member {
  const own = { ...server(name), tools: () => tools, hasResources }
  return { config: { name, entry: url === undefined ? {} : { url } }, pooled: { server: own }, on } as unknown as Member
}

const definition = (name: string, schema: object = { type: "object" }, description = "d") => ({
  name,
  exposed: `s__${name}`,
  description,
  schema,
})

test("small plain definitions are tools of their own, others are behind the finder; servers that are off have none", () => {
  const offer: OfferDeps = { ...deps, start: async () => null }
  const names = (...members: readonly Member[]) => toolsOf(members, offer).map(({ name }) => name)
  assert.deepEqual(names(), [])
  assert.deepEqual(names(member("s", { tools: [definition("a"), definition("b")] })), ["s__a", "s__b"])
  assert.deepEqual(names(member("s", { tools: [definition("a")], on: false })), [])
  assert.deepEqual(names(member("s", { tools: null })), ["mcp"])
  assert.deepEqual(names(member("s", { tools: null, on: false })), [])
  assert.deepEqual(names(member("s", { tools: [definition("a")] }), member("n", { tools: null })), ["s__a", "mcp"])
  for (const keyword of ["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"])
    assert.deepEqual(names(member("s", { tools: [definition("a", { [keyword]: [] })] })), ["mcp"], keyword)
  const sized = (bytes: number) => {
    const empty = JSON.stringify(["s__a", "", { type: "object" }]).length
    return member("s", { tools: [definition("a", { type: "object" }, "x".repeat(bytes - empty))] })
  }
  assert.deepEqual([names(sized(4096)), names(sized(4097))], [["s__a"], ["mcp"]])
  const resources = member("s", { tools: [], hasResources: true })
  assert.deepEqual([names(resources), names({ ...resources, on: false })], [["mcp_resource"], []])
  const [local, remote] = [
    member("s", { tools: [definition("a")] }),
    member("s", { tools: [definition("a")], url: "x" }),
  ]
  assert.deepEqual(
    [local, remote].map((one) => toolsOf([one], offer)[0]?.effect),
    ["execute", "network"],
  )
})

test("a search starts the servers that are still unlisted and on", async () => {
  const started: string[] = []
  const members = [member("a", { tools: null }), member("b", { tools: null }), member("c", { tools: [] })]
  const start = async ({ config }: Member) => {
    started.push(config.name)
    return config.name === "a" ? "a failed" : null
  }
  const [tool] = toolsOf(members, { ...deps, start })
  assert.ok(tool)
  assert.match(tool.description, /Not started yet, a query starts them: a, b\./)
  assert.deepEqual(await run(tool, { query: "x" }), ['a failed\n\nNo tool matches "x".', false])
  const [, b] = members
  if (b !== undefined) b.on = false
  await run(tool, { query: "x" })
  assert.deepEqual(started, ["a", "b", "a"])
})
