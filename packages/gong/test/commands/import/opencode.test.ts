import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const config = {
  $schema: "x",
  model: "box/m",
  theme: "dark",
  permission: {
    bash: { "*": "allow", "git push *": "deny", "npm *": "ask" },
    edit: "deny",
    skill: "deny",
    webfetch: "odd",
  },
  mcp: {
    local: {
      type: "local",
      command: ["run", "-x", 1],
      environment: { A: "{env:B} and {env:C_D}", N: 1 },
      enabled: true,
    },
    off: { type: "local", command: ["run"], enabled: false },
    remote: { type: "remote", url: "https://x.example", headers: { Authorization: "Bearer {env:TOKEN}" } },
    bad: "x",
    none: { type: "local" },
  },
  command: {
    fix: { template: "Fix $1", description: 'say: "x"', agent: "a", model: "m" },
    empty: {},
    "a b": { template: "x" },
    n: 1,
  },
  instructions: ["docs/a.md", 1],
  provider: {
    box: {
      npm: "@ai-sdk/openai-compatible",
      name: "Box",
      options: { baseURL: "http://10.0.0.2/v1", apiKey: "{env:BOX}", headers: { A: "1" }, timeout: 5 },
      models: {
        m: {
          name: "M",
          limit: { context: 8000, output: 1000 },
          reasoning: true,
          modalities: { input: ["text", "image"] },
          attachment: true,
          cost: { input: 1, output: 2, cache_read: 3, cache_write: 4 },
        },
        n: { modalities: { input: ["text"] } },
        o: 1,
      },
      odd: 1,
    },
    wire: { npm: "@ai-sdk/odd", options: { baseURL: "http://10.0.0.2/v1", apiKey: "sk" } },
    bare: { options: { baseURL: "http://10.0.0.2/v1" } },
    claude: { npm: "@ai-sdk/anthropic", options: { baseURL: "http://10.0.0.2", apiKey: "{env:X} " } },
    text: 1,
  },
}

test("each part of opencode's configuration is listed with file and line", async (t) => {
  const program = openProgram(t)
  const folder = `${program.home}/.config/opencode`
  program.write({ [`${folder}/opencode.json`]: jsonLines(config) })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "opencode", "--json"])), [
    "taken commands: /fix <- ~/.config/opencode/opencode.json:49: $GONG/prompts/fix.md",
    "taken models: box <- ~/.config/opencode/opencode.json:66: $GONG/models.json (its key is read from BOX)",
    "taken models: bare <- ~/.config/opencode/opencode.json:117: $GONG/models.json (its key is not copied: gong login bare)",
    "taken models: claude <- ~/.config/opencode/opencode.json:122: $GONG/models.json (its key is not copied: gong login claude)",
    "taken settings: model m <- ~/.config/opencode/opencode.json:3: $GONG/settings.json",
    "taken rules: deny bash(git push *) <- ~/.config/opencode/opencode.json:8: $GONG/settings.json",
    "taken rules: deny edit <- ~/.config/opencode/opencode.json:11: $GONG/settings.json",
    "taken mcp: local <- ~/.config/opencode/opencode.json:16: $GONG/mcp.json (stored as disabled)",
    "taken mcp: off <- ~/.config/opencode/opencode.json:29: $GONG/mcp.json (stored as disabled)",
    "taken mcp: remote <- ~/.config/opencode/opencode.json:36: $GONG/mcp.json (stored as disabled)",
    "left models: box odd 1 <- ~/.config/opencode/opencode.json:108: Gong has no equivalent.",
    "left models: box timeout 5 <- ~/.config/opencode/opencode.json:75: Gong has no equivalent.",
    "left models: wire <- ~/.config/opencode/opencode.json:110: Gong does not support the wire format @ai-sdk/odd, only openai-completions, openai-responses, anthropic-messages, google-generative-ai.",
    "left models: text <- ~/.config/opencode/opencode.json:129: it has no base URL.",
    "left settings: theme dark <- ~/.config/opencode/opencode.json:4: Gong has no equivalent.",
    'left rules: bash * allow <- ~/.config/opencode/opencode.json:7: it contains the ask rule "npm *", which Gong does not support.',
    "left rules: bash npm * ask <- ~/.config/opencode/opencode.json:9: Gong has no such rules; the level ask always asks.",
    "left rules: skill * deny <- ~/.config/opencode/opencode.json:12: Gong has no rule for skill.",
    "left rules: webfetch * odd <- ~/.config/opencode/opencode.json:13: it is not an action.",
    "left mcp: bad <- ~/.config/opencode/opencode.json:43: it is not an object.",
    "left mcp: none <- ~/.config/opencode/opencode.json:44: it has neither a command nor a url.",
    "left commands: /empty <- ~/.config/opencode/opencode.json:55: it has no template.",
    "left commands: /a b <- ~/.config/opencode/opencode.json:56: this is not a valid file name.",
    "left commands: /n <- ~/.config/opencode/opencode.json:59: it has no template.",
    "left instructions: docs/a.md <- ~/.config/opencode/opencode.json:61: import it in AGENTS.md: @docs/a.md",
  ])
  const file = (name: string): unknown => JSON.parse(program.plain(program.read(`${program.gongHome}/${name}`)))
  assert.deepEqual(
    [file("settings.json"), file("models.json"), file("mcp.json")],
    [
      { model: "box/m", rules: { deny: ["bash(git push *)", "edit"] } },
      {
        providers: {
          box: {
            name: "Box",
            baseUrl: "http://10.0.0.2/v1",
            api: "openai-completions",
            keys: ["BOX"],
            headers: { A: "1" },
            models: {
              m: {
                contextWindow: 8000,
                maxOutput: 1000,
                reasoning: true,
                price: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
              },
              n: {},
              o: {},
            },
          },
          bare: { baseUrl: "http://10.0.0.2/v1" },
          claude: { baseUrl: "http://10.0.0.2", api: "anthropic-messages" },
        },
      },
      {
        mcpServers: {
          local: { command: "run", args: ["-x"], env: { A: "${B} and ${C_D}", N: "1" }, disabled: true },
          off: { command: "run", args: [], disabled: true },
          remote: { url: "https://x.example", headers: { Authorization: "Bearer ${TOKEN}" }, disabled: true },
        },
      },
    ],
  )
  assert.equal(program.read(`${program.gongHome}/prompts/fix.md`), '---\ndescription: "say: \\"x\\""\n---\n\nFix $1\n')
})

test("a model of opencode needs a provider, and a global permission becomes a level", async (t) => {
  const found: unknown[] = []
  for (const one of [
    { model: "x" },
    { model: "/x" },
    { model: 1 },
    { model: "a/b" },
    { model: "openai/gpt-5.1" },
    { permission: "ask" },
    { permission: "allow" },
    { permission: 1 },
    { small_model: "x" },
  ]) {
    const program = openProgram(t)
    program.write({ [`${program.home}/.config/opencode/opencode.json`]: jsonLines(one) })
    found.push(...rowsOf(program, await program.gong(["import", "--from", "opencode", "--json"])))
  }
  assert.deepEqual(found, [
    "left settings: model x <- ~/.config/opencode/opencode.json:2: it is not PROVIDER/ID.",
    "left settings: model /x <- ~/.config/opencode/opencode.json:2: it is not PROVIDER/ID.",
    "left settings: model 1 <- ~/.config/opencode/opencode.json:2: it is not PROVIDER/ID.",
    "left settings: model b <- ~/.config/opencode/opencode.json:2: Gong does not know the provider a.",
    "taken settings: model gpt-5.1 <- ~/.config/opencode/opencode.json:2: $GONG/settings.json",
    "left rules: permission ask <- ~/.config/opencode/opencode.json:2: it corresponds to the level ask: gong config set permission ask",
    "left rules: permission allow <- ~/.config/opencode/opencode.json:2: --yolo, or gong config set permission full",
    "left rules: permission 1 <- ~/.config/opencode/opencode.json:2: --yolo, or gong config set permission full",
    "left settings: small_model x <- ~/.config/opencode/opencode.json:2: Gong has no equivalent.",
  ])
})
