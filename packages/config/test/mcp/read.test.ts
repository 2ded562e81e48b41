import assert from "node:assert/strict"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf } from "@gong/spec"
import { isServerName, readServers } from "../../src/mcp/read.ts"
import { folder } from "@gong/testing/folder"
import { trust } from "../trust/trusted.ts"

const server = { command: "true" }
const file = (servers: object): string => JSON.stringify({ mcpServers: servers })

/** Names of the user's and the repository's servers with their level, and the lines. */
async function read(t: TestContext, user: string | null, project: object) {
  const home = folder(t, user === null ? {} : { "mcp.json": user })
  const root = folder(t, { ".mcp.json": file(project) })
  const trusted = await trust(root)
  const { servers, lines } = await readServers(home, trusted, {})
  return {
    names: servers.map(({ name, level, disabled }) => `${level} ${name}${disabled ? " off" : ""}`),
    lines: lines.map((line) => (typeof line === "string" ? line : englishOf(line)).replace(join(root, "/"), "")),
  }
}

test("a repository's server never takes a name of the user's file: in use, off, invalid, or in another case", async (t) => {
  for (const [name, entry] of Object.entries({
    used: server,
    off: { ...server, disabled: true },
    invalid: { ...server, timeout: -1 },
    unset: { ...server, env: { A: "${NOT_SET}" } },
  }))
    for (const own of ["math", "MATH"]) {
      const { names, lines } = await read(t, file({ math: entry }), { [own]: server, other: server })
      assert.deepEqual(
        names.filter((one) => one.startsWith("project")),
        ["project other"],
        `${name} ${own}`,
      )
      assert.match(lines.at(-1) ?? "", new RegExp(`the MCP server "${own}" is left out: .*mcp\\.json has this name`))
    }
})

test("with an unreadable file of the user no server of a repository is used", async (t) => {
  for (const text of ["{ broken", "[]", '{"mcpServers": []}'])
    assert.deepEqual((await read(t, text, { math: server })).names, [], text)
  assert.deepEqual((await read(t, null, { math: server })).names, ["project math"])
})

test("the files of a repository are read in order; of equal names the first counts, and each problem has its line", async (t) => {
  const home = folder(t, { "mcp.json": file({ own: { ...server, enabled: false } }) })
  const root = folder(t, {
    ".mcp.json": file({ both: { command: "later" }, last: server }),
    ".gong/mcp.json": `{"mcpServers": {\n"both": {"command": "first"},\n"bad": {"command": "x",\n"args": ["a", 1]}}}`,
  })
  const { servers, lines } = await readServers(home, await trust(root), {})
  assert.deepEqual(
    servers.map(({ name, level, place, entry, disabled }) => [name, level, place, entry.command, disabled]),
    [
      ["own", "user", join(home, "mcp.json"), "true", true],
      ["both", "project", join(root, ".gong/mcp.json"), "first", false],
      ["last", "project", join(root, ".mcp.json"), "true", false],
    ],
  )
  const [bad = "", twice = "", ...more] = lines.map((line) => (typeof line === "string" ? line : englishOf(line)))
  assert.equal(
    bad.replace(root, ""),
    'gong: /.gong/mcp.json:4: the MCP server "bad" is left out: "args.1" must be string.',
  )
  assert.equal(
    twice.replaceAll(root, ""),
    'gong: /.mcp.json: the MCP server "both" is left out: /.gong/mcp.json has this name.',
  )
  assert.deepEqual(more, [])
})

test("at most 128 servers are used, of all files together", async (t) => {
  const many = (prefix: string, count: number) =>
    file(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, server])))
  const all = await read(t, many("a", 127), JSON.parse(many("b", 1)).mcpServers)
  assert.deepEqual([all.names.length, all.lines], [128, []])
  const over = await read(t, many("a", 127), JSON.parse(many("b", 2)).mcpServers)
  assert.equal(over.names.length, 128)
  assert.deepEqual(over.lines, ['gong: .mcp.json: the MCP server "b1" is left out: more than 128 servers.'])
})

test("a file without servers has none, and an untrusted folder is not read", async (t) => {
  for (const text of ["{}", '{"mcpServers": {}}', ""]) assert.deepEqual((await read(t, text, {})).names, [], text)
  const { servers, lines } = await readServers(folder(t), null, {})
  assert.deepEqual([servers, lines], [[], []])
  const broken = folder(t, { "mcp.json/x": "" })
  const unreadable = await readServers(broken, await trust(folder(t, { ".mcp.json": file({ math: server }) })), {})
  assert.deepEqual(unreadable.servers, [])
  assert.match(
    unreadable.lines.map((line) => (typeof line === "string" ? line : englishOf(line))).join(),
    /mcp\.json is not a regular file/,
  )
  assert.match((await read(t, "[]", {})).lines.join(), /servers must be in an object/)
})

test("a server's name has no two underscores in a row and at most 32 characters", () => {
  for (const name of ["github", "my-server", "a_b", "a".repeat(32)]) assert.ok(isServerName(name), name)
  for (const name of ["", "a__b", "_a", "a_", "a.b", "a b", "a/b", "\u00e9", "a".repeat(33)])
    assert.ok(!isServerName(name), name)
})
