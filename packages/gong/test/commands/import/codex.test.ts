import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const config = `model = "big"
model_provider = "corp"
model_reasoning_effort = "none"
approval_policy = "on-request"
sandbox_mode = "danger-full-access"
notify = ["say"]
other = 1
mcp_servers.odd = 1

[model_providers.corp]
base_url = "https://llm.corp.example/v1"
wire_api = "chat"
env_key = "1BAD"
http_headers = { "X-Org" = "o", "X-Api-Key" = "k" }
extra = true

[model_providers.proxy]
base_url = "https://p.example/v1"
wire_api = "toString"

[model_providers.none]

[model_providers.custom]
base_url = "https://p.example/v1"

[model_providers.numbers]
base_url = "https://p.example/v1"
http_headers = { A = 1 }

[model_providers.openai]
wire_api = 7

[model_providers.anthropic]
wire_api = "responses"
env_key = "A_KEY"

[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"
http_headers = { "X-A" = "1" }

[mcp_servers.plain]
command = "run"

[projects."/a"]
trust_level = "trusted"
[projects."/b"]
trust_level = "trusted"
`

test("each line of Codex' configuration is listed with file and line", async (t) => {
  const program = openProgram(t)
  const { home } = program
  program.write({
    [`${home}/.codex/config.toml`]: config,
    [`${home}/.codex/hooks.json`]: jsonLines({ hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }] }] } }),
    [`${home}/.codex/AGENTS.md`]: "second\n",
    [`${home}/.codex/AGENTS.override.md`]: "first\n",
    [`${home}/.codex/rules/a.rules`]: 'prefix_rule(pattern=["make"], decision="allow")\n',
    [`${home}/.codex/rules/b.txt`]: 'prefix_rule(pattern=["no"], decision="allow")\n',
    [`${home}/.codex/prompts/p.md`]: "P $ARGUMENTS $FILE $OTHER $FILE \\$NOT $$NOT $lower\n",
    [`${home}/.codex/skills/s/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${home}/.codex/auth.json`]: "{}",
  })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "codex", "--json"])), [
    "taken commands: /p <- ~/.codex/prompts/p.md: $GONG/prompts/p.md ($FILE, $OTHER is unchanged: Gong has no named arguments)",
    "taken skills: s <- ~/.codex/skills/s: $GONG/skills/s",
    "taken instructions: AGENTS.override.md <- ~/.codex/AGENTS.override.md: $GONG/AGENTS.md (referenced by Gong's AGENTS.md)",
    "taken models: corp <- ~/.codex/config.toml:10: $GONG/models.json (its key is not copied: gong login corp; headers with keys were not copied)",
    "taken models: anthropic <- ~/.codex/config.toml:33: $GONG/models.json (its key is read from A_KEY)",
    "taken settings: model big <- ~/.codex/config.toml:1: $GONG/settings.json",
    "taken settings: model_reasoning_effort none <- ~/.codex/config.toml:3: $GONG/settings.json",
    "taken hooks: Stop (a) <- ~/.codex/hooks.json:6: $GONG/settings.json",
    "taken rules: allow bash(make *) <- ~/.codex/rules/a.rules:1: $GONG/settings.json",
    "taken mcp: docs <- ~/.codex/config.toml:37: $GONG/mcp.json (stored as disabled)",
    "taken mcp: plain <- ~/.codex/config.toml:42: $GONG/mcp.json (stored as disabled)",
    "there rules: approval_policy on-request <- ~/.codex/config.toml:4: it is the default of Gong.",
    "left models: corp extra true <- ~/.codex/config.toml:15: Gong has no equivalent.",
    "left models: proxy <- ~/.codex/config.toml:17: Gong does not support the wire format toString, only openai-completions, openai-responses, anthropic-messages, google-generative-ai.",
    "left models: none <- ~/.codex/config.toml:21: it has no base URL.",
    "left models: custom <- ~/.codex/config.toml:23: this is not a valid name of a provider.",
    "left models: numbers <- ~/.codex/config.toml:26: its headers must be strings.",
    "left models: openai <- ~/.codex/config.toml:30: Gong does not support the wire format 7, only openai-completions, openai-responses, anthropic-messages, google-generative-ai.",
    "left settings: sandbox_mode danger-full-access <- ~/.codex/config.toml:5: Gong does not import this: --sandbox off, or gong config set sandbox off",
    'left settings: notify ["say"] <- ~/.codex/config.toml:6: use a "Stop" hook in settings.json (docs/hooks.md)',
    "left settings: other 1 <- ~/.codex/config.toml:7: Gong has no equivalent.",
    "left mcp: odd <- ~/.codex/config.toml:8: it is not an object.",
    "left settings: trusted folders (2) <- ~/.codex/config.toml:45: trust is not imported: gong trust",
    "left keys: the login <- ~/.codex/auth.json: keys are not copied: gong login openai",
  ])
  const file = (name: string): unknown => JSON.parse(program.plain(program.read(`${program.gongHome}/${name}`)))
  assert.deepEqual(
    [file("settings.json"), file("models.json"), file("mcp.json")],
    [
      {
        model: "corp/big",
        thinking: "off",
        hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }] }] },
        rules: { allow: ["bash(make *)"] },
      },
      {
        providers: {
          corp: { baseUrl: "https://llm.corp.example/v1", api: "openai-completions", headers: { "X-Org": "o" } },
          anthropic: { api: "openai-responses", keys: ["A_KEY"] },
        },
      },
      {
        mcpServers: {
          docs: {
            url: "https://docs.example/mcp",
            headers: { "X-A": "1", Authorization: "Bearer ${DOCS_TOKEN}" },
            disabled: true,
          },
          plain: { command: "run", disabled: true },
        },
      },
    ],
  )
  assert.equal(program.plain(program.read(`${program.gongHome}/AGENTS.md`)), "@~/.codex/AGENTS.override.md\n")
  assert.equal(
    program.plain(program.read(`${program.gongHome}/prompts/p.md`)),
    "P $ARGUMENTS $FILE $OTHER $FILE \\$NOT \\$NOT $lower\n",
  )
})

test("a project of Codex: hooks and allow rules need trust, and its instructions are read in place", async (t) => {
  const program = openProgram(t)
  program.write({
    ".codex/hooks.json": jsonLines({ hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }] }] } }),
    ".codex/rules/a.rules": 'prefix_rule(pattern=["make"], decision="allow")\n',
    ".codex/auth.json": "{}",
    ".codex/AGENTS.md": "not here\n",
    "AGENTS.md": "x\n",
  })
  const project = ["import", "--from", "codex", "--project", "--json", "--dry-run"]
  assert.deepEqual(rowsOf(program, await program.gong(project)), [
    "there instructions: AGENTS.md <- $REPO/AGENTS.md: Gong reads it in place.",
    "left hooks: hooks <- $REPO/.codex/hooks.json:2: this folder is not trusted; check them, then use --trust yes",
    "left rules: allow make <- $REPO/.codex/rules/a.rules:1: an untrusted folder cannot add allow rules.",
  ])
  assert.deepEqual(rowsOf(program, await program.gong([...project, "--trust", "yes"])), [
    "taken hooks: Stop (a) <- $REPO/.codex/hooks.json:6: $REPO/.gong/settings.json",
    "taken rules: allow bash(make *) <- $REPO/.codex/rules/a.rules:1: $GONG/permissions.json",
    "there instructions: AGENTS.md <- $REPO/AGENTS.md: Gong reads it in place.",
  ])
  const env = { CODEX_HOME: `${program.root}/cx` }
  program.write({ [`${program.root}/cx/auth.json`]: "{}" })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "codex", "--json"], { env })), [
    "left keys: the login <- $ROOT/cx/auth.json: keys are not copied: gong login openai",
  ])
})
