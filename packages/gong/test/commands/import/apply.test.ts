import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const hook = { type: "command", command: "a" }
const claude = {
  model: "claude-sonnet-4-5",
  permissions: { allow: ["Bash(make)", "Bash(make)", "Bash(ls)"], deny: ["Read(./.env)"], defaultMode: "plan" },
  hooks: { Stop: [{ hooks: [hook, hook] }], PreToolUse: [{ matcher: "Bash", hooks: [hook] }] },
}

test("existing settings, rules, hooks, servers and files are reported and not changed", async (t) => {
  const program = openProgram(t)
  const { home, gongHome } = program
  program.write({
    [`${home}/.claude/settings.json`]: jsonLines(claude),
    [`${home}/.claude/commands/same.md`]: "same\n",
    [`${home}/.claude/commands/other.md`]: "theirs\n",
    [`${home}/.claude.json`]: jsonLines({
      mcpServers: { a: { command: "a" }, b: { command: "b" }, c: { command: "c" } },
    }),
    [`${gongHome}/settings.json`]: jsonLines({
      model: "openai/gpt-5.1",
      permission: "plan",
      rules: { allow: ["bash(ls)"], deny: ["read(.env)"] },
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [hook] }],
        Stop: [{ matcher: "x", hooks: [hook] }, 1, { hooks: 1 }],
      },
    }),
    [`${gongHome}/prompts/same.md`]: "same\n",
    [`${gongHome}/prompts/other.md`]: "mine\n",
    [`${gongHome}/mcp.json`]: jsonLines({ mcpServers: { a: { command: "a" }, b: { command: "mine" } } }),
  })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json", "--dry-run"])), [
    "taken rules: allow bash(make) <- ~/.claude/settings.json:5: $GONG/settings.json",
    "taken rules: deny read(.env/**) <- ~/.claude/settings.json:10: $GONG/settings.json",
    "taken hooks: Stop (a) <- ~/.claude/settings.json:18: $GONG/settings.json",
    "taken mcp: c <- ~/.claude.json:9: $GONG/mcp.json",
    "there commands: /other <- ~/.claude/commands/other.md: $GONG/prompts/other.md exists and is not changed.",
    "there commands: /same <- ~/.claude/commands/same.md: $GONG/prompts/same.md is identical.",
    "there settings: model claude-sonnet-4-5 <- ~/.claude/settings.json:2: it has another value: openai/gpt-5.1",
    "there rules: allow bash(make) <- ~/.claude/settings.json:6: it is in the list already.",
    "there rules: allow bash(ls) <- ~/.claude/settings.json:7: it is in the list already.",
    "there rules: deny read(.env) <- ~/.claude/settings.json:10: it is in the list already.",
    "there rules: defaultMode plan <- ~/.claude/settings.json:12: it has this value already.",
    "there hooks: Stop (a) <- ~/.claude/settings.json:22: it is in the list already.",
    "there hooks: PreToolUse Bash (a) <- ~/.claude/settings.json:33: it is in the list already.",
    "there mcp: a <- ~/.claude.json:3: it has this value already.",
    'there mcp: b <- ~/.claude.json:6: it has another value: {"command":"mine"}',
  ])
  const before = program.read(`${gongHome}/settings.json`)
  const { out } = await program.gong(["import", "--from", "claude"])
  assert.deepEqual(program.plain(out).split("\n"), [
    "imported (4)",
    "  rules  allow bash(make)    $GONG/settings.json",
    "  rules  deny read(.env/**)  $GONG/settings.json",
    "  hooks  Stop (a)            $GONG/settings.json",
    "  mcp    c                   $GONG/mcp.json (stored as disabled)",
    "",
    "already present (11)",
    "  commands  /other                   ~/.claude/commands/other.md: $GONG/prompts/other.md exists and is not changed.",
    "  commands  /same                    ~/.claude/commands/same.md: $GONG/prompts/same.md is identical.",
    "  settings  model claude-sonnet-4-5  ~/.claude/settings.json:2: it has another value: openai/gpt-5.1",
    "  rules     allow bash(make)         ~/.claude/settings.json:6: it is in the list already.",
    "  rules     allow bash(ls)           ~/.claude/settings.json:7: it is in the list already.",
    "  rules     deny read(.env)          ~/.claude/settings.json:10: it is in the list already.",
    "  rules     defaultMode plan         ~/.claude/settings.json:12: it has this value already.",
    "  hooks     Stop (a)                 ~/.claude/settings.json:22: it is in the list already.",
    "  hooks     PreToolUse Bash (a)      ~/.claude/settings.json:33: it is in the list already.",
    "  mcp       a                        ~/.claude.json:3: it has this value already.",
    '  mcp       b                        ~/.claude.json:6: it has another value: {"command":"mine"}',
    "",
  ])
  assert.notEqual(program.read(`${gongHome}/settings.json`), before)
  assert.deepEqual(
    [JSON.parse(program.read(`${gongHome}/settings.json`)), JSON.parse(program.read(`${gongHome}/mcp.json`))],
    [
      {
        model: "openai/gpt-5.1",
        permission: "plan",
        rules: { allow: ["bash(ls)", "bash(make)"], deny: ["read(.env)", "read(.env/**)"] },
        hooks: {
          PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "a" }] }],
          Stop: [
            { matcher: "x", hooks: [{ type: "command", command: "a" }] },
            1,
            { hooks: 1 },
            { hooks: [{ type: "command", command: "a" }] },
          ],
        },
      },
      { mcpServers: { a: { command: "a" }, b: { command: "mine" }, c: { command: "c", disabled: true } } },
    ],
  )
  assert.equal((await program.gong(["import", "--from", "claude"])).out.split("\n").at(-2), "Nothing was written.")
  assert.equal(
    (await program.gong(["import", "--from", "claude", "--dry-run"])).out.split("\n").at(-2),
    "Nothing was written (--dry-run).",
  )
})

test("a file that is broken, unwritable or a link out fails only its own items", async (t) => {
  const program = openProgram(t)
  const { home, gongHome, root } = program
  program.write({
    [`${home}/.claude/settings.json`]: jsonLines({ model: "claude-sonnet-4-5" }),
    [`${home}/.claude/commands/p.md`]: "P\n",
    [`${home}/.claude/agents/a.md`]: "A\n",
    [`${home}/.claude/agents/b.md`]: "B\n",
    [`${home}/.claude.json`]: jsonLines({ mcpServers: { a: { command: "a" } } }),
    [`${gongHome}/mcp.json`]: "{ broken",
    [`${root}/elsewhere/x`]: "",
  })
  symlinkSync(`${root}/elsewhere`, `${gongHome}/prompts`)
  symlinkSync(`${root}/elsewhere/settings.json`, `${gongHome}/settings.json`)
  mkdirSync(`${gongHome}/agents`)
  symlinkSync("/nowhere", `${gongHome}/agents/b.md`)
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json"])), [
    "taken agents: a <- ~/.claude/agents/a.md: $GONG/agents/a.md (stored for a later version)",
    "left commands: /p <- ~/.claude/commands/p.md: $GONG/prompts/p.md leads out of $GONG; not written.",
    "left agents: b <- ~/.claude/agents/b.md: $GONG/agents/b.md leads out of $GONG; not written.",
    "left settings: model claude-sonnet-4-5 <- ~/.claude/settings.json:2: $GONG/settings.json leads out of $GONG; not written.",
    "left mcp: a <- ~/.claude.json:3: $GONG/mcp.json:1:3: invalid symbol. Fix it there or move the file away.",
  ])
})

test("skills that Gong does not read in place are copied, except existing or broken ones", async (t) => {
  const program = openProgram(t)
  const { home, gongHome } = program
  const skill = (name: string) => `---\nname: ${name}\ndescription: d\n---\nb\n`
  program.write({
    [`${home}/.codex/skills/new/SKILL.md`]: skill("new"),
    [`${home}/.codex/skills/old/SKILL.md`]: skill("old"),
    [`${home}/.codex/skills/bad/SKILL.md`]: "no skill",
    [`${gongHome}/skills/old/SKILL.md`]: skill("old"),
  })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "codex", "--json", "--dry-run"])), [
    "taken skills: bad <- ~/.codex/skills/bad: $GONG/skills/bad",
    "taken skills: new <- ~/.codex/skills/new: $GONG/skills/new",
    "there skills: old <- ~/.codex/skills/old: $GONG/skills/old exists and is not changed.",
  ])
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "codex", "--json"])), [
    "taken skills: new <- ~/.codex/skills/new: $GONG/skills/new",
    "there skills: old <- ~/.codex/skills/old: $GONG/skills/old exists and is not changed.",
    "left skills: bad <- ~/.codex/skills/bad: ~/.codex/skills/bad: nothing was added. bad/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.",
  ])
  assert.equal(program.read(`${gongHome}/skills/new/SKILL.md`), "---\nname: new\ndescription: d\n---\nb\n")
})

test("commands that cannot become templates are reported with a reason", async (t) => {
  const program = openProgram(t)
  const folder = `${program.home}/.claude/commands`
  const most = 256 * 1024
  program.write({
    [`${folder}/most.md`]: "x".repeat(most),
    [`${folder}/long.md`]: "x".repeat(most + 1),
    [`${folder}/empty.md`]: "---\ndescription: d\n---\n  \n",
    [`${folder}/two words.md`]: "x",
    [`${folder}/sonder(zeichen).md`]: "x",
    [`${folder}/git/..up.md`]: "x",
    [`${folder}/tools.md`]: "---\nallowed-tools: Bash\n---\nx\n",
    [`${folder}/runs.md`]: "run !`ls` and `!`\n",
    [`${folder}/not.md`]: "allowed-tools: x\n",
  })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json"])), [
    "taken commands: /most <- ~/.claude/commands/most.md: $GONG/prompts/most.md",
    "taken commands: /not <- ~/.claude/commands/not.md: $GONG/prompts/not.md",
    "taken commands: /runs <- ~/.claude/commands/runs.md: $GONG/prompts/runs.md (!`...` is not run but sent as text)",
    "taken commands: /tools <- ~/.claude/commands/tools.md: $GONG/prompts/tools.md (its tools and model are ignored)",
    "left commands: /empty <- ~/.claude/commands/empty.md: it is empty.",
    "left commands: /long <- ~/.claude/commands/long.md: it is longer than 262144 bytes.",
    "left commands: /sonder(zeichen) <- ~/.claude/commands/sonder(zeichen).md: this is not a valid file name.",
    "left commands: /two words <- ~/.claude/commands/two words.md: a name with a blank cannot be typed.",
  ])
})
