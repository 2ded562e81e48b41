import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { rowsOf } from "./rows.ts"

test("the instructions of several agents are joined by @ lines, each once, behind what the user wrote", async (t) => {
  const program = openProgram(t)
  const { home } = program
  program.write({
    [`${home}/.claude/CLAUDE.md`]: "Claude's rules\n",
    [`${home}/.codex/AGENTS.md`]: "Codex' rules\n",
    [`${home}/.config/opencode/AGENTS.md`]: "opencode's rules\n",
    [join(program.gongHome, "AGENTS.md")]: "My own rule.",
  })
  for (const agent of ["claude", "codex", "opencode", "claude"]) await program.gong(["import", "--from", agent])
  const text = readFileSync(join(program.gongHome, "AGENTS.md"), "utf8")
  const paths = [".claude/CLAUDE.md", ".codex/AGENTS.md", ".config/opencode/AGENTS.md"]
  assert.equal(text, ["My own rule.", ...paths.map((path) => `@${home}/${path}`), ""].join("\n"))
})

test("the network of Codex' workspace-write sandbox becomes the setting network", async (t) => {
  for (const [given, network] of [
    ["true", "on"],
    ["false", "off"],
  ] as const) {
    const program = openProgram(t)
    program.write({
      [`${program.home}/.codex/config.toml`]: `[sandbox_workspace_write]\nnetwork_access = ${given}\nwritable_roots = ["/a"]\n`,
    })
    const rows = rowsOf(program, await program.gong(["import", "--from", "codex", "--json"]))
    assert.deepEqual(rows, [
      `taken settings: network_access ${given} <- ~/.codex/config.toml:2: $GONG/settings.json`,
      'left settings: writable_roots ["/a"] <- ~/.codex/config.toml:3: Gong has no equivalent.',
    ])
    assert.match(readFileSync(join(program.gongHome, "settings.json"), "utf8"), new RegExp(`"network": "${network}"`))
  }
})
