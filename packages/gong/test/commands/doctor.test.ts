import assert from "node:assert/strict"
import { chmodSync, mkdirSync } from "node:fs"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

/** Without rows that depend on this machine. */
function rows(program: Program, text: string): readonly string[] {
  const ofMachine = /^(ripgrep|images|sandbox) /
  return program
    .plain(text)
    .split("\n")
    .filter((line) => !ofMachine.test(line))
}

test("gong doctor with an empty home, a complete one, and a home that is a file", async (t) => {
  const program = openProgram(t)
  assert.deepEqual(rows(program, (await program.gong(["doctor"])).out), [
    "gong       1.2.3",
    "node       v24.0.0 on linux",
    "home       $GONG (created on first use)",
    "caches     $GONG/cache; of package managers in the sandbox: 0 MB, workspaces 0",
    "sessions   0 in $GONG/sessions",
    "workspace  $REPO",
    "trusted    no: active content of this folder is not loaded",
    "hooks      none",
    "extensions none",
    "mcp        none",
    "skills     0, templates 2, instruction files 0 (gong skills list, gong config prompt)",
    "themes     none",
    "model      none set (-m, GONG_MODEL or the setting model)",
    "keys       none. Store one with gong login, or export ANTHROPIC_API_KEY=...; demo without a key: gong demo",
    "proxy      none",
    "",
  ])
  program.write({
    [`${program.gongHome}/settings.json`]: JSON.stringify({
      model: "openai/gpt-5.1",
      theme: "night",
      hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }], Later: [] },
      nope: 1,
    }),
    [`${program.gongHome}/skills/s/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${program.gongHome}/skills/bad/SKILL.md`]: "---\nname: bad\n---\nb\n",
    [`${program.gongHome}/prompts/p.md`]: "P\n",
    [`${program.gongHome}/themes/night.json`]: '{ "name": "night", "colors": {} }',
    [`${program.gongHome}/themes/day.json`]: '{ "name": "day", "colors": {} }',
    [`${program.gongHome}/sessions/broken/info.json`]: "{",
    "AGENTS.md": "x\n",
    ".gong/SYSTEM.md": "x\n",
  })
  chmodSync(program.gongHome, 0o700)
  const env = {
    HTTPS_PROXY: "http://u:p@proxy.example:3128",
    NO_PROXY: "intern",
    GROQ_API_KEY: "g",
    OPENAI_API_KEY: "o",
  }
  assert.deepEqual(rows(program, (await program.gong(["doctor", "--trust", "yes"], { env })).out), [
    "gong       1.2.3",
    "node       v24.0.0 on linux",
    "home       $GONG",
    "caches     $GONG/cache; of package managers in the sandbox: 0 MB, workspaces 0",
    "sessions   0 in $GONG/sessions",
    "workspace  $REPO",
    "trusted    yes: active content of this folder is loaded",
    "hooks      Stop (true) from $GONG/settings.json",
    "extensions none",
    "mcp        none",
    "skills     1, templates 3, instruction files 1 (gong skills list, gong config prompt)",
    "themes     day $GONG/themes/day.json",
    "           night (active) $GONG/themes/night.json",
    "model      openai/gpt-5.1",
    "keys       openai (OPENAI_API_KEY), groq (GROQ_API_KEY)",
    "proxy      http://proxy.example:3128 (HTTPS_PROXY), except for intern (NO_PROXY) and this machine",
    'gong: $GONG/settings.json:1: unknown setting "nope" is ignored.',
    'gong: $GONG/settings.json:1: there is no hook event "Later" in this version; there are PreToolUse, PostToolUse, UserPromptSubmit, Stop, SubagentStop, SessionStart, SessionEnd, PreCompact, PreSwitch, Notification. Left out; the rest works.',
    "error: $GONG/skills/bad/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.",
    'error: $GONG/themes/day.json:1: there is no "name" in a theme; it is left out.',
    'error: $GONG/themes/night.json:1: there is no "name" in a theme; it is left out.',
    "",
  ])
  assert.deepEqual(
    rows(
      program,
      (await program.gong(["doctor", "-m", "x/y"], { env: { GONG_API_KEY: "x", HTTPS_PROXY: "nope://" } })).out,
    ),
    [
      "gong       1.2.3",
      "node       v24.0.0 on linux",
      "home       $GONG",
      "caches     $GONG/cache; of package managers in the sandbox: 0 MB, workspaces 0",
      "sessions   0 in $GONG/sessions",
      "workspace  $REPO",
      "trusted    no: active content of this folder is not loaded",
      "hooks      Stop (true) from $GONG/settings.json",
      "extensions none",
      "mcp        none",
      "skills     1, templates 3, instruction files 1 (gong skills list, gong config prompt)",
      "themes     day $GONG/themes/day.json",
      "           night (active) $GONG/themes/night.json",
      "model      x/y",
      "keys       GONG_API_KEY, for any provider",
      "proxy      HTTPS_PROXY names no proxy; write http://HOST:PORT or socks5://HOST:PORT",
      "gong: this folder contains 1 system prompt, which was not loaded (not trusted). Trust it for one run: --trust yes; permanently: gong trust",
      'gong: $GONG/settings.json:1: unknown setting "nope" is ignored.',
      'gong: $GONG/settings.json:1: there is no hook event "Later" in this version; there are PreToolUse, PostToolUse, UserPromptSubmit, Stop, SubagentStop, SessionStart, SessionEnd, PreCompact, PreSwitch, Notification. Left out; the rest works.',
      "error: $GONG/skills/bad/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.",
      'error: $GONG/themes/day.json:1: there is no "name" in a theme; it is left out.',
      'error: $GONG/themes/night.json:1: there is no "name" in a theme; it is left out.',
      "",
    ],
  )
  mkdirSync(`${program.root}/plain`)
  program.write({ [`${program.root}/file`]: "" })
  const elsewhere = await program.gong(["doctor", "--bare"], {
    cwd: `${program.root}/plain`,
    env: { GONG_HOME: `${program.root}/file` },
  })
  assert.deepEqual(rows(program, elsewhere.out), [
    "gong       1.2.3",
    "node       v24.0.0 on linux",
    "home       $ROOT/file is not a folder. Move it away, or set GONG_HOME to a folder.",
    "caches     none: $ROOT/file is not a folder. Each start takes longer, and packages are fetched again.",
    "sessions   0 in $ROOT/file/sessions",
    "workspace  $ROOT/plain (no git repository)",
    "trusted    no: active content of this folder is not loaded",
    "hooks      none",
    "extensions none",
    "mcp        none",
    "skills     0, templates 0, instruction files 0 (gong skills list, gong config prompt)",
    "themes     none",
    "model      none set (-m, GONG_MODEL or the setting model)",
    "keys       none. Store one with gong login, or export ANTHROPIC_API_KEY=...; demo without a key: gong demo",
    "proxy      none",
    "",
  ])
})

test("gong doctor and gong --version --json show the version of ripgrep", async (t) => {
  const program = openProgram(t)
  assert.match((await program.gong(["doctor"])).out, /^ripgrep {4}\d+\.\d+\.\d+ \(\/.*rg\)$/m)
  const version = JSON.parse((await program.gong(["--version", "--json"])).out) as Record<string, unknown>
  assert.match(String(version["rg"]), /^\d+\.\d+\.\d+$/)
  assert.deepEqual([version["version"], version["node"], version["platform"]], ["1.2.3", "v24.0.0", "linux"])
})
