import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const stored = (program: ReturnType<typeof openProgram>, path: string): unknown =>
  (JSON.parse(program.read(path)) as { readonly mcpServers: unknown }).mcpServers

test("servers of Gemini CLI: an httpUrl is an HTTP server, a url one over SSE; its own fields are left out", async (t) => {
  const program = openProgram(t)
  const mcpServers = {
    both: { httpUrl: "https://a.example/", url: "https://b.example/", timeout: 5, trust: true },
    sse: { url: "https://b.example/", headers: { A: "b" } },
    local: { command: "run", args: ["x"], trust: false },
    odd: { httpUrl: 1, command: "run" },
    none: 1,
  }
  program.write({ [`${program.home}/.gemini/settings.json`]: jsonLines({ mcpServers }) })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "gemini", "--json"])), [
    "taken mcp: both <- ~/.gemini/settings.json:3: $GONG/mcp.json (stored as disabled)",
    "taken mcp: sse <- ~/.gemini/settings.json:9: $GONG/mcp.json (stored as disabled)",
    "taken mcp: local <- ~/.gemini/settings.json:15: $GONG/mcp.json (stored as disabled)",
    "taken mcp: odd <- ~/.gemini/settings.json:22: $GONG/mcp.json (stored as disabled)",
    "left mcp: none <- ~/.gemini/settings.json:26: it is not an object.",
  ])
  assert.deepEqual(stored(program, `${program.gongHome}/mcp.json`), {
    both: { type: "http", url: "https://a.example/", disabled: true },
    sse: { type: "sse", url: "https://b.example/", headers: { A: "b" }, disabled: true },
    local: { command: "run", args: ["x"], disabled: true },
    odd: { command: "run", disabled: true },
  })
})

test("servers of Cursor and VS Code are read from the user's files, or those of the repository", async (t) => {
  const program = openProgram(t)
  const { home, repo } = program
  const server = (name: string) => ({
    [name]: { command: name, args: ["${env:A}"], nested: { list: ["${env:B}", 1] } },
  })
  program.write({
    [`${home}/.cursor/mcp.json`]: jsonLines({ mcpServers: server("cursor-user") }),
    [`${repo}/.cursor/mcp.json`]: jsonLines({ mcpServers: server("cursor-project") }),
    [`${home}/.config/Code/User/mcp.json`]: jsonLines({ servers: server("code-user") }),
    [`${repo}/.vscode/mcp.json`]: jsonLines({ servers: server("code-project"), mcpServers: server("other") }),
    [`${repo}/.gemini/settings.json`]: jsonLines({ mcpServers: server("gemini-project") }),
  })
  const converted = (...names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, { command: name, args: ["${A}"], nested: { list: ["${B}", 1] }, disabled: true }]),
    )
  for (const from of ["cursor", "vscode"]) await program.gong(["import", "--from", from])
  assert.deepEqual(stored(program, `${program.gongHome}/mcp.json`), converted("cursor-user", "code-user"))
  for (const from of ["cursor", "vscode", "gemini"]) await program.gong(["import", "--from", from, "--project"])
  assert.deepEqual(
    stored(program, `${repo}/.gong/mcp.json`),
    converted("cursor-project", "code-project", "gemini-project"),
  )
})

test("without a file the searched one is named; with one that has no servers nothing is imported", async (t) => {
  const program = openProgram(t)
  for (const [from, more, text] of [
    ["gemini", [], "no configuration of Gemini CLI was found in ~/.gemini/settings.json."],
    ["cursor", [], "no configuration of Cursor was found in ~/.cursor/mcp.json."],
    ["vscode", [], "no configuration of VS Code was found in ~/.config/Code/User/mcp.json."],
    ["vscode", ["--project"], "no configuration of VS Code was found in $REPO/.vscode/mcp.json."],
  ] as const) {
    const { status, err } = await program.gong(["import", "--from", from, ...more])
    assert.equal(status, 2)
    assert.ok(program.plain(err).startsWith(`gong: ${text}`), program.plain(err))
  }
})

test("a command line that asks for a value or contains a key is not imported", async (t) => {
  const program = openProgram(t)
  const servers = {
    asks: { command: "x", env: { A: "${input:key}" } },
    key: { command: "x", args: ["--token", "ghp_0123456789ab"] },
    short: { command: "x", args: ["ghp_0123456789a"] },
    url: { url: "https://x.example/?secret=abcdefgh" },
  }
  program.write({ [`${program.home}/.config/Code/User/mcp.json`]: jsonLines({ servers }) })
  const key = "its command line seems to contain a key. Put the key into a variable first."
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "vscode", "--json"])), [
    "taken mcp: short <- ~/.config/Code/User/mcp.json:16: $GONG/mcp.json (stored as disabled)",
    "left mcp: asks <- ~/.config/Code/User/mcp.json:3: it asks for a value at its start, which Gong does not.",
    `left mcp: key <- ~/.config/Code/User/mcp.json:9: ${key}`,
    `left mcp: url <- ~/.config/Code/User/mcp.json:22: ${key}`,
  ])
})
