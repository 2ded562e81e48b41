import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const settings = {
  $schema: "x",
  model: "sonnet",
  disableAllHooks: false,
  hooks: {
    Stop: [{ hooks: [{ type: "command", command: "a" }, "b"] }, { matcher: "*" }],
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "c" }] }],
    Notification: 1,
    Later: [],
  },
  permissions: {
    allow: ["Bash(make)", 1, "Nope(x)"],
    deny: ["Read(/a)"],
    ask: ["Bash(git push)", 2],
    defaultMode: "acceptEdits",
    additionalDirectories: ["../b"],
    other: true,
  },
  env: { MY_TOKEN: "t", A_KEY: 1, passwd: "x", secret: "y", PLAIN: { a: 1 } },
  apiKeyHelper: "pass",
  long: "x".repeat(61),
  sixty: "y".repeat(60),
}

test("each setting of Claude Code's home is listed with file and line", async (t) => {
  const program = openProgram(t)
  const { home } = program
  program.write({
    [`${home}/.claude/settings.json`]: jsonLines(settings),
    [`${home}/.claude/settings.local.json`]: jsonLines({ model: "local" }),
    [`${home}/.claude/plugins/one/x.txt`]: "",
    [`${home}/.claude/plugins/two.js`]: "",
    [`${home}/.claude/.credentials.json`]: "{}",
    [`${home}/.claude.json`]: jsonLines({
      primaryApiKey: "k",
      mcpServers: { a: { command: "a" }, b: {} },
      projects: 1,
    }),
    "AGENTS.md": "x\n",
    ".mcp.json": jsonLines({ mcpServers: { shared: { command: "s" } } }),
  })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json"])), [
    "taken hooks: Stop (a) <- ~/.claude/settings.json:9: $GONG/settings.json",
    "taken hooks: PreToolUse Bash (c) <- ~/.claude/settings.json:24: $GONG/settings.json",
    "taken rules: allow bash(make) <- ~/.claude/settings.json:36: $GONG/settings.json",
    "taken rules: deny read(~/.claude/a) <- ~/.claude/settings.json:41: $GONG/settings.json",
    "taken rules: deny read(~/.claude/a/**) <- ~/.claude/settings.json:41: $GONG/settings.json",
    "taken mcp: a <- ~/.claude.json:4: $GONG/mcp.json (stored as disabled)",
    "left settings: model sonnet <- ~/.claude/settings.json:3: Gong does not know this model of anthropic. Did you mean gong config set model anthropic/claude-sonnet-4-5",
    "left settings: disableAllHooks false <- ~/.claude/settings.json:4: Gong has no equivalent.",
    'left hooks: Stop (b) <- ~/.claude/settings.json:13: a hook is {"type": "command", "command": "..."}.',
    'left hooks: Stop <- ~/.claude/settings.json:16: each entry of "Stop" is {"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}.',
    'left hooks: Notification <- ~/.claude/settings.json:31: "Notification" must be a list, [{"matcher": "...", "hooks": [...]}].',
    'left hooks: Later <- ~/.claude/settings.json:32: there is no hook event "Later" in this version; there are PreToolUse, PostToolUse, UserPromptSubmit, Stop, SubagentStop, SessionStart, SessionEnd, PreCompact, PreSwitch, Notification.',
    "left rules: allow Nope(x) <- ~/.claude/settings.json:37: Gong has no tool Nope.",
    "left rules: ask Bash(git push) <- ~/.claude/settings.json:44: Gong has no such rules; the level ask always asks.",
    "left rules: defaultMode acceptEdits <- ~/.claude/settings.json:47: the closest level is auto, which also runs commands in the sandbox: gong config set permission auto",
    'left rules: additionalDirectories ["../b"] <- ~/.claude/settings.json:48: folders are given per session: --add-dir DIR',
    "left rules: other true <- ~/.claude/settings.json:51: Gong has no equivalent.",
    "left keys: MY_TOKEN <- ~/.claude/settings.json:54: keys are not copied: gong login",
    "left keys: A_KEY <- ~/.claude/settings.json:55: keys are not copied: gong login",
    "left keys: passwd <- ~/.claude/settings.json:56: keys are not copied: gong login",
    "left keys: secret <- ~/.claude/settings.json:57: keys are not copied: gong login",
    'left settings: env PLAIN={"a":1} <- ~/.claude/settings.json:58: Gong does not set variables; export it in your shell.',
    'left keys: apiKeyHelper <- ~/.claude/settings.json:62: keys are not copied: "apiKeyCommand" in auth.json runs a program (docs/keys.md)',
    "left settings: long xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... <- ~/.claude/settings.json:63: Gong has no equivalent.",
    "left settings: sixty yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy <- ~/.claude/settings.json:64: Gong has no equivalent.",
    "left extensions: one <- ~/.claude/plugins/one: Gong does not run plugins of Claude Code.",
    "left extensions: two.js <- ~/.claude/plugins/two.js: Gong does not run plugins of Claude Code.",
    "left mcp: b <- ~/.claude.json:7: it has neither a command nor a url.",
    "left keys: primaryApiKey <- ~/.claude.json:2: keys are not copied: gong login anthropic",
    "left keys: the login <- ~/.claude/.credentials.json: keys are not copied: gong login anthropic",
  ])
  assert.deepEqual(JSON.parse(program.plain(program.read(`${program.gongHome}/settings.json`))), {
    hooks: {
      Stop: [{ hooks: [{ type: "command", command: "a" }] }],
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "c" }] }],
    },
    rules: { allow: ["bash(make)"], deny: ["read(~/.claude/a)", "read(~/.claude/a/**)"] },
  })
})

test("each permission mode of Claude Code is reported; only plan is imported, for the user only", async (t) => {
  const modes = ["default", "plan", "acceptEdits", "bypassPermissions", "dontAsk", "other", "toString", 1]
  const found: unknown[] = []
  for (const place of ["user", "project"])
    for (const defaultMode of modes) {
      const program = openProgram(t)
      const folder = place === "user" ? program.home : program.repo
      program.write({ [`${folder}/.claude/settings.json`]: jsonLines({ permissions: { defaultMode } }) })
      const args = ["import", "--from", "claude", "--json", ...(place === "user" ? [] : ["--project"])]
      found.push(...rowsOf(program, await program.gong(args)))
    }
  assert.deepEqual(found, [
    "there rules: defaultMode default <- ~/.claude/settings.json:3: it is the default of Gong.",
    "taken rules: defaultMode plan <- ~/.claude/settings.json:3: $GONG/settings.json",
    "left rules: defaultMode acceptEdits <- ~/.claude/settings.json:3: the closest level is auto, which also runs commands in the sandbox: gong config set permission auto",
    "left rules: defaultMode bypassPermissions <- ~/.claude/settings.json:3: Gong does not import this: --yolo, or gong config set permission full",
    "left rules: defaultMode dontAsk <- ~/.claude/settings.json:3: Gong asks, or refuses if nobody can answer.",
    "left rules: defaultMode other <- ~/.claude/settings.json:3: Gong has no equivalent.",
    "left rules: defaultMode toString <- ~/.claude/settings.json:3: Gong has no equivalent.",
    "left rules: defaultMode 1 <- ~/.claude/settings.json:3: Gong has no equivalent.",
    "there rules: defaultMode default <- $REPO/.claude/settings.json:3: it is the default of Gong.",
    "left rules: defaultMode plan <- $REPO/.claude/settings.json:3: Gong has no equivalent.",
    "left rules: defaultMode acceptEdits <- $REPO/.claude/settings.json:3: the closest level is auto, which also runs commands in the sandbox: gong config set permission auto",
    "left rules: defaultMode bypassPermissions <- $REPO/.claude/settings.json:3: Gong does not import this: --yolo, or gong config set permission full",
    "left rules: defaultMode dontAsk <- $REPO/.claude/settings.json:3: Gong asks, or refuses if nobody can answer.",
    "left rules: defaultMode other <- $REPO/.claude/settings.json:3: Gong has no equivalent.",
    "left rules: defaultMode toString <- $REPO/.claude/settings.json:3: Gong has no equivalent.",
    "left rules: defaultMode 1 <- $REPO/.claude/settings.json:3: Gong has no equivalent.",
  ])
})

test("a project of Claude Code is imported with both settings files and the entries of the state file", async (t) => {
  const program = openProgram(t)
  const { home, repo } = program
  program.write({
    ".claude/settings.json": jsonLines({ hooks: {}, permissions: { allow: ["Bash(make)"], deny: ["Read(/x)"] } }),
    ".claude/settings.local.json": jsonLines({ disableAllHooks: true, hooks: {} }),
    ".claude/commands/git/commit.md": "Commit it.\n",
    ".claude/plugins/p": "",
    ".claude/.credentials.json": "{}",
    ".claude/CLAUDE.md": "not here\n",
    ".mcp.json": jsonLines({ mcpServers: { shared: { command: "s" } } }),
    "AGENTS.md": "x\n",
    "CLAUDE.md": "y\n",
    [`${home}/.claude.json`]: jsonLines({
      primaryApiKey: "k",
      mcpServers: { user: { command: "u" } },
      projects: {
        "/other": { mcpServers: { not: { command: "n" } } },
        [repo]: { mcpServers: { own: { command: "o" } } },
      },
    }),
  })
  const project = ["import", "--from", "claude", "--project", "--json"]
  assert.deepEqual(rowsOf(program, await program.gong([...project, "--dry-run"])), [
    "taken mcp: own <- ~/.claude.json:18: $REPO/.gong/mcp.json",
    "there hooks: hooks <- $REPO/.claude/settings.json:2: Gong reads this in place when the folder is trusted.",
    "there rules: deny Read(/x) <- $REPO/.claude/settings.json:8: Gong reads this in place when the folder is trusted.",
    "there commands: /git-commit <- $REPO/.claude/commands/git/commit.md: Gong reads this in place when the folder is trusted.",
    "there instructions: AGENTS.md <- $REPO/AGENTS.md: Gong reads it in place.",
    "there instructions: CLAUDE.md <- $REPO/CLAUDE.md: Gong reads it in place.",
    "there mcp: shared <- $REPO/.mcp.json:3: Gong reads this in place when the folder is trusted.",
    "left rules: allow Bash(make) <- $REPO/.claude/settings.json:5: an untrusted folder cannot add allow rules.",
    "left settings: disableAllHooks true <- $REPO/.claude/settings.local.json:2: Gong has no equivalent.",
    "left hooks: hooks <- $REPO/.claude/settings.local.json:3: disableAllHooks is set.",
    "left extensions: p <- $REPO/.claude/plugins/p: Gong does not run plugins of Claude Code.",
  ])
  assert.deepEqual(rowsOf(program, await program.gong([...project, "--trust", "yes", "--dry-run"])), [
    "taken rules: allow bash(make) <- $REPO/.claude/settings.json:5: $GONG/permissions.json",
    "taken mcp: own <- ~/.claude.json:18: $REPO/.gong/mcp.json",
    "there hooks: hooks <- $REPO/.claude/settings.json:2: Gong reads this in place when the folder is trusted.",
    "there rules: deny Read(/x) <- $REPO/.claude/settings.json:8: Gong reads this in place when the folder is trusted.",
    "there commands: /git-commit <- $REPO/.claude/commands/git/commit.md: Gong reads this in place when the folder is trusted.",
    "there instructions: AGENTS.md <- $REPO/AGENTS.md: Gong reads it in place.",
    "there instructions: CLAUDE.md <- $REPO/CLAUDE.md: Gong reads it in place.",
    "there mcp: shared <- $REPO/.mcp.json:3: Gong reads this in place when the folder is trusted.",
    "left settings: disableAllHooks true <- $REPO/.claude/settings.local.json:2: Gong has no equivalent.",
    "left hooks: hooks <- $REPO/.claude/settings.local.json:3: disableAllHooks is set.",
    "left extensions: p <- $REPO/.claude/plugins/p: Gong does not run plugins of Claude Code.",
  ])
})

test("a variable names the folder of Claude Code, whose state file may be beside it", async (t) => {
  const program = openProgram(t)
  const { root, home } = program
  program.write({
    [`${root}/cc/settings.json`]: jsonLines({ model: "claude-sonnet-4-5" }),
    [`${root}/cc/.claude.json`]: jsonLines({ mcpServers: { a: { command: "a" } } }),
    [`${home}/.claude.json`]: jsonLines({ mcpServers: { b: { command: "b" } } }),
    [`${home}/.claude/settings.json`]: jsonLines({ model: "claude-opus-4-5" }),
    [`${root}/cc/CLAUDE.md`]: "  \n",
  })
  const env = { CLAUDE_CONFIG_DIR: `${root}/cc` }
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json"], { env })), [
    "taken settings: model claude-sonnet-4-5 <- $ROOT/cc/settings.json:2: $GONG/settings.json",
    "taken mcp: b <- ~/.claude.json:3: $GONG/mcp.json (stored as disabled)",
    "taken mcp: a <- $ROOT/cc/.claude.json:3: $GONG/mcp.json (stored as disabled)",
    "left instructions: CLAUDE.md <- $ROOT/cc/CLAUDE.md: it is empty.",
  ])
  const nothing = await openProgram(t).gong(["import", "--from", "claude"], { env: { CLAUDE_CONFIG_DIR: "/nowhere" } })
  assert.match(
    nothing.err,
    /^gong: no configuration of Claude Code was found in \/nowhere, \S+\/home\/\.claude\.json or \/nowhere\/\.claude\.json\.\n$/,
  )
})
