import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

test("the folders of opencode, of the user and of a project", async (t) => {
  const program = openProgram(t)
  const { home, root } = program
  const skill = "---\nname: s\ndescription: d\n---\nb\n"
  const files = (folder: string) => ({
    [`${folder}/opencode.jsonc`]: jsonLines({ theme: "x" }),
    [`${folder}/command/a.md`]: "---\nagent: x\n---\nA !`ls`\n",
    [`${folder}/commands/b.md`]: "---\ndescription: x\n---\nB !`ls`\n",
    [`${folder}/skill/a/SKILL.md`]: skill,
    [`${folder}/skills/b/SKILL.md`]: skill,
    [`${folder}/agent/a.md`]: "x\n",
    [`${folder}/agents/b.md`]: "x\n",
    [`${folder}/plugin/a.ts`]: "",
    [`${folder}/plugins/b.ts`]: "",
    [`${folder}/tool/c.ts`]: "",
    [`${folder}/tools/d.ts`]: "",
    [`${folder}/AGENTS.md`]: "x\n",
  })
  program.write({
    ...files(`${home}/.config/opencode`),
    ...files(".opencode"),
    ...files(`${root}/cfg/opencode`),
    [`${home}/.local/share/opencode/auth.json`]: "{}",
    [`${root}/data/opencode/auth.json`]: "{}",
    "opencode.json": jsonLines({ permission: "ask" }),
    "AGENTS.md": "x\n",
  })
  const opencode = ["import", "--from", "opencode", "--json", "--dry-run"]
  assert.deepEqual(rowsOf(program, await program.gong(opencode)), [
    "taken commands: /a <- ~/.config/opencode/command/a.md: $GONG/prompts/a.md (!`...` is not run but sent as text; its tools and model are ignored)",
    "taken commands: /b <- ~/.config/opencode/commands/b.md: $GONG/prompts/b.md (!`...` is not run but sent as text)",
    "taken skills: a <- ~/.config/opencode/skill/a: $GONG/skills/a",
    "taken skills: b <- ~/.config/opencode/skills/b: $GONG/skills/b",
    "taken agents: a <- ~/.config/opencode/agent/a.md: $GONG/agents/a.md (stored for a later version)",
    "taken agents: b <- ~/.config/opencode/agents/b.md: $GONG/agents/b.md (stored for a later version)",
    "taken instructions: AGENTS.md <- ~/.config/opencode/AGENTS.md: $GONG/AGENTS.md (referenced by Gong's AGENTS.md)",
    "left settings: theme x <- ~/.config/opencode/opencode.jsonc:2: Gong has no equivalent.",
    "left extensions: a.ts <- ~/.config/opencode/plugin/a.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: b.ts <- ~/.config/opencode/plugins/b.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: c.ts <- ~/.config/opencode/tool/c.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: d.ts <- ~/.config/opencode/tools/d.ts: Gong does not run plugins and tools of opencode.",
    "left keys: the keys <- ~/.local/share/opencode/auth.json: keys are not copied: gong login",
  ])
  assert.deepEqual(rowsOf(program, await program.gong([...opencode, "--project"])), [
    "taken commands: /a <- $REPO/.opencode/command/a.md: $REPO/.gong/prompts/a.md (!`...` is not run but sent as text; its tools and model are ignored)",
    "taken commands: /b <- $REPO/.opencode/commands/b.md: $REPO/.gong/prompts/b.md (!`...` is not run but sent as text)",
    "taken skills: a <- $REPO/.opencode/skill/a: $REPO/.gong/skills/a",
    "taken skills: b <- $REPO/.opencode/skills/b: $REPO/.gong/skills/b",
    "taken agents: a <- $REPO/.opencode/agent/a.md: $REPO/.gong/agents/a.md (stored for a later version)",
    "taken agents: b <- $REPO/.opencode/agents/b.md: $REPO/.gong/agents/b.md (stored for a later version)",
    "there instructions: AGENTS.md <- $REPO/AGENTS.md: Gong reads it in place.",
    "left rules: permission ask <- $REPO/opencode.json:2: it corresponds to the level ask: gong config set permission ask",
    "left settings: theme x <- $REPO/.opencode/opencode.jsonc:2: Gong has no equivalent.",
    "left extensions: a.ts <- $REPO/.opencode/plugin/a.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: b.ts <- $REPO/.opencode/plugins/b.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: c.ts <- $REPO/.opencode/tool/c.ts: Gong does not run plugins and tools of opencode.",
    "left extensions: d.ts <- $REPO/.opencode/tools/d.ts: Gong does not run plugins and tools of opencode.",
  ])
  const env = { XDG_CONFIG_HOME: `${root}/cfg`, XDG_DATA_HOME: `${root}/data` }
  assert.equal(
    rowsOf(program, await program.gong(opencode, { env })).at(-1),
    "left keys: the keys <- $ROOT/data/opencode/auth.json: keys are not copied: gong login",
  )
})

test("instructions and keys that are not there are no items", async (t) => {
  const program = openProgram(t)
  program.write({
    ".opencode/command/a.md": "a",
    ".codex/config.toml": 'theme = "x"\n',
    ".claude/commands/a.md": "a",
    [`${program.home}/.config/opencode/command/a.md`]: "a",
  })
  for (const agent of ["opencode", "codex", "claude"]) {
    const rows = rowsOf(program, await program.gong(["import", "--from", agent, "--json", "--dry-run", "--project"]))
    assert.equal(
      rows.some((row) => /AGENTS\.md|CLAUDE\.md/.test(row)),
      false,
      rows.join("\n"),
    )
  }
  const own = rowsOf(program, await program.gong(["import", "--from", "opencode", "--json", "--dry-run"]))
  assert.deepEqual(own, ["taken commands: /a <- ~/.config/opencode/command/a.md: $GONG/prompts/a.md"])
})
