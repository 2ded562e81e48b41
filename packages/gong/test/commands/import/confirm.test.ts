import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { importFrom } from "@gong/import"
import { servicesOf } from "../../services.ts"
import { openProgram } from "../program.ts"

test("each server is confirmed with its command line or address; without a yes it is not added", async (t) => {
  const services = servicesOf(t)
  const mcpServers = {
    one: { command: "run", args: ["a", "b\u001b[2J"] },
    two: { url: "https://a.example/mcp" },
    three: { command: "no" },
  }
  mkdirSync(join(services.userHome, ".cursor"), { recursive: true })
  writeFileSync(join(services.userHome, ".cursor/mcp.json"), JSON.stringify({ mcpServers }))
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return !question.includes("three")
  }
  const dry = await importFrom(services, { from: "cursor", dryRun: true }, ask)
  assert.ok(dry.ok)
  assert.equal(questions.length, 0, "a dry run asks nothing")
  const done = await importFrom(services, { from: "cursor" }, ask)
  assert.ok(done.ok)
  assert.match(questions[0] ?? "", /^Add the MCP server one: run a b\S*\? \[y\/N\] $/)
  assert.ok(!questions[0]?.includes("\u001b"))
  assert.deepEqual(questions.slice(1), [
    "Add the MCP server two: https://a.example/mcp? [y/N] ",
    "Add the MCP server three: no? [y/N] ",
  ])
  assert.match(done.value, /three +\S+: you did not add it\./)
  const home = services.env["GONG_HOME"] ?? ""
  assert.deepEqual(JSON.parse(readFileSync(join(home, "mcp.json"), "utf8")), {
    mcpServers: { one: mcpServers.one, two: mcpServers.two },
  })
})

test("without an agent the agents are listed", async (t) => {
  const failed = await importFrom(servicesOf(t), {})
  assert.ok(!failed.ok)
  assert.match(
    failed.error.lines.join(" "),
    /which agent\? gong import --from claude\|codex\|pi\|opencode\|gemini\|cursor\|vscode$/,
  )
})

test("an agent without a configuration: the searched places are named, for the user and for the repository", async (t) => {
  const program = openProgram(t)
  for (const [from, more, env, places] of [
    ["claude", [], {}, "Claude Code was found in ~/.claude, ~/.claude.json or ~/.claude/.claude.json"],
    ["claude", ["--project"], {}, "Claude Code was found in $REPO/.claude, ~/.claude.json or ~/.claude/.claude.json"],
    ["codex", [], {}, "Codex was found in ~/.codex"],
    ["codex", [], { CODEX_HOME: "/c" }, "Codex was found in /c"],
    ["pi", [], {}, "Pi was found in ~/.pi/agent"],
    ["pi", [], { PI_CODING_AGENT_DIR: "/p" }, "Pi was found in /p"],
    ["pi", ["--project"], {}, "Pi was found in $REPO/.pi"],
    ["opencode", [], {}, "opencode was found in ~/.config/opencode"],
    ["opencode", [], { XDG_CONFIG_HOME: "/x" }, "opencode was found in /x/opencode"],
    ["gemini", ["--project"], {}, "Gemini CLI was found in $REPO/.gemini/settings.json"],
  ] as const) {
    const { status, err } = await program.gong(["import", "--from", from, ...more], { env })
    assert.equal(status, 2)
    assert.ok(program.plain(err).startsWith(`gong: no configuration of ${places}`), program.plain(err))
  }
})
