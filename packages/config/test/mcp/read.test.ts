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

test("a server's name has no two underscores in a row and at most 32 characters", () => {
  for (const name of ["github", "my-server", "a_b", "a".repeat(32)]) assert.ok(isServerName(name), name)
  for (const name of ["", "a__b", "_a", "a_", "a.b", "a b", "a/b", "\u00e9", "a".repeat(33)])
    assert.ok(!isServerName(name), name)
})
