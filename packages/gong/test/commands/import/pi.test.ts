import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

const provider = (more: object) => ({ baseUrl: "http://127.0.0.1:1/v1", ...more })
const facts = { contextWindow: 1, maxTokens: 100_000_000, reasoning: true }

const models = {
  providers: {
    a: provider({
      name: "A",
      api: "openai-completions",
      apiKey: "$A_KEY",
      headers: { "X-Org": "o", Cookie: "c", Authorization: "a", "X-Token": "t", "X-Secret": "s" },
      models: [
        { id: "m", ...facts, input: ["text", "image"], cost: { input: 0, output: 2, cacheRead: 0, cacheWrite: 4 } },
        { id: "n", contextWindow: 0, maxTokens: 1.5, reasoning: "x", input: ["text"], cost: { input: 1 } },
        { id: "o", contextWindow: 100_000_001, maxTokens: "1", input: "image", cost: { output: 1 } },
        { id: "p", cost: { input: -1, output: 1 } },
        { id: "q", cost: { input: 1, output: 1, cacheRead: -1, cacheWrite: "1" } },
        { id: 1 },
        "x",
      ],
    }),
    b: provider({ apiKey: "${B_KEY}", name: "", models: {} }),
    c: provider({ apiKey: "C_KEY", name: 1 }),
    d: provider({ apiKey: "sk-live" }),
    e: provider({ apiKey: "xC_KEYx", headers: { A: 1 } }),
    f: { baseUrl: "ftp://x/v1" },
    g: { baseUrl: 1 },
    h: {},
    "bad name": provider({}),
    openai: {},
    anthropic: { name: "Mine" },
    i: provider({ api: "odd", later: 1 }),
    j: 1,
  },
}

test("each provider of Pi is listed, with the facts of its models and without its keys", async (t) => {
  const program = openProgram(t)
  program.write({ [`${program.home}/.pi/agent/models.json`]: jsonLines(models) })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "pi", "--json"])), [
    "taken models: a <- ~/.pi/agent/models.json:3: $GONG/models.json (its key is read from A_KEY; headers with keys were not copied)",
    "taken models: b <- ~/.pi/agent/models.json:75: $GONG/models.json (its key is read from B_KEY)",
    "taken models: c <- ~/.pi/agent/models.json:81: $GONG/models.json (its key is read from C_KEY)",
    "taken models: d <- ~/.pi/agent/models.json:86: $GONG/models.json (its key is not copied: gong login d)",
    "taken models: anthropic <- ~/.pi/agent/models.json:108: $GONG/models.json (its key is not copied: gong login anthropic)",
    "left models: e <- ~/.pi/agent/models.json:90: its headers must be strings.",
    "left models: f <- ~/.pi/agent/models.json:97: it has no base URL.",
    "left models: g <- ~/.pi/agent/models.json:100: it has no base URL.",
    "left models: h <- ~/.pi/agent/models.json:103: it has no base URL.",
    "left models: bad name <- ~/.pi/agent/models.json:104: this is not a valid name of a provider.",
    "left models: openai <- ~/.pi/agent/models.json:107: Gong has no equivalent.",
    "left models: i later 1 <- ~/.pi/agent/models.json:114: Gong has no equivalent.",
    "left models: i <- ~/.pi/agent/models.json:111: Gong does not support the wire format odd, only openai-completions, openai-responses, anthropic-messages, google-generative-ai.",
    "left models: j <- ~/.pi/agent/models.json:116: it has no base URL.",
  ])
  assert.deepEqual(JSON.parse(program.read(`${program.gongHome}/models.json`)), {
    providers: {
      a: {
        name: "A",
        baseUrl: "http://127.0.0.1:1/v1",
        api: "openai-completions",
        keys: ["A_KEY"],
        headers: { "X-Org": "o" },
        models: {
          m: {
            contextWindow: 1,
            maxOutput: 100000000,
            reasoning: true,
            images: true,
            price: { input: 0, output: 2, cacheRead: 0, cacheWrite: 4 },
          },
          n: { images: false },
          o: {},
          p: {},
          q: { price: { input: 1, output: 1 } },
        },
      },
      b: { baseUrl: "http://127.0.0.1:1/v1", keys: ["B_KEY"] },
      c: { baseUrl: "http://127.0.0.1:1/v1", keys: ["C_KEY"] },
      d: { baseUrl: "http://127.0.0.1:1/v1" },
      anthropic: { name: "Mine" },
    },
  })
})

test("other files of Pi: read in place, imported, or reported", async (t) => {
  const program = openProgram(t)
  const { home, root } = program
  const files = (folder: string) => ({
    [`${folder}/mcp.json`]: jsonLines({ mcpServers: { a: { command: "a" } } }),
    [`${folder}/models.json`]: jsonLines({ providers: { a: provider({}) } }),
    [`${folder}/prompts/p.md`]: "P\n",
    [`${folder}/prompts/in/q.MD`]: "Q\n",
    [`${folder}/prompts/in/r.md`]: "R\n",
    [`${folder}/skills/s/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${folder}/skills/none/README.md`]: "",
    [`${folder}/skills/.hidden/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${folder}/skills/node_modules/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${folder}/agents/a/b.md`]: "agent\n",
    [`${folder}/SYSTEM.md`]: "s\n",
    [`${folder}/APPEND_SYSTEM.md`]: "s\n",
    [`${folder}/CLAUDE.md`]: "c\n",
    [`${folder}/auth.json`]: "{}",
    [`${folder}/extensions/deep/x.ts`]: "",
    [`${folder}/extensions/e.ts`]: "",
    [`${folder}/themes/t.json`]: "{}",
  })
  program.write({ ...files(`${home}/.pi/agent`), ...files(".pi"), ...files(`${root}/pi dir`) })
  const pi = ["import", "--from", "pi", "--json", "--dry-run"]
  assert.deepEqual(rowsOf(program, await program.gong(pi)), [
    "taken agents: a-b <- ~/.pi/agent/agents/a/b.md: $GONG/agents/a-b.md (stored for a later version)",
    "taken instructions: CLAUDE.md <- ~/.pi/agent/CLAUDE.md: $GONG/AGENTS.md (referenced by Gong's AGENTS.md)",
    "taken models: a <- ~/.pi/agent/models.json:3: $GONG/models.json (its key is not copied: gong login a)",
    "taken mcp: a <- ~/.pi/agent/mcp.json:3: $GONG/mcp.json",
    "there commands: /in-r <- ~/.pi/agent/prompts/in/r.md: Gong reads it in place.",
    "there commands: /p <- ~/.pi/agent/prompts/p.md: Gong reads it in place.",
    "there skills: s <- ~/.pi/agent/skills/s: Gong reads it in place.",
    "there instructions: SYSTEM.md <- ~/.pi/agent/SYSTEM.md: Gong reads it in place.",
    "there instructions: APPEND_SYSTEM.md <- ~/.pi/agent/APPEND_SYSTEM.md: Gong reads it in place.",
    "left keys: the keys <- ~/.pi/agent/auth.json: keys are not copied: gong login",
    "left extensions: deep <- ~/.pi/agent/extensions/deep: Gong does not run extensions of Pi.",
    "left extensions: e.ts <- ~/.pi/agent/extensions/e.ts: Gong does not run extensions of Pi.",
    "left settings: t.json <- ~/.pi/agent/themes/t.json: Gong has no equivalent.",
  ])
  assert.deepEqual(rowsOf(program, await program.gong([...pi, "--project"])), [
    "taken agents: a-b <- $REPO/.pi/agents/a/b.md: $REPO/.gong/agents/a-b.md (stored for a later version)",
    "taken mcp: a <- $REPO/.pi/mcp.json:3: $REPO/.gong/mcp.json",
    "there commands: /in-r <- $REPO/.pi/prompts/in/r.md: Gong reads it in place.",
    "there commands: /p <- $REPO/.pi/prompts/p.md: Gong reads it in place.",
    "there skills: s <- $REPO/.pi/skills/s: Gong reads it in place.",
    "there instructions: SYSTEM.md <- $REPO/.pi/SYSTEM.md: Gong reads it in place.",
    "there instructions: APPEND_SYSTEM.md <- $REPO/.pi/APPEND_SYSTEM.md: Gong reads it in place.",
    "left extensions: deep <- $REPO/.pi/extensions/deep: Gong does not run extensions of Pi.",
    "left extensions: e.ts <- $REPO/.pi/extensions/e.ts: Gong does not run extensions of Pi.",
    "left settings: t.json <- $REPO/.pi/themes/t.json: Gong has no equivalent.",
  ])
  assert.deepEqual(rowsOf(program, await program.gong(pi, { env: { PI_CODING_AGENT_DIR: `${root}/pi dir` } })), [
    "taken skills: s <- $ROOT/pi dir/skills/s: $GONG/skills/s",
    "taken agents: a-b <- $ROOT/pi dir/agents/a/b.md: $GONG/agents/a-b.md (stored for a later version)",
    "taken instructions: CLAUDE.md <- $ROOT/pi dir/CLAUDE.md: $GONG/AGENTS.md",
    "taken models: a <- $ROOT/pi dir/models.json:3: $GONG/models.json (its key is not copied: gong login a)",
    "taken mcp: a <- $ROOT/pi dir/mcp.json:3: $GONG/mcp.json",
    "left keys: the keys <- $ROOT/pi dir/auth.json: keys are not copied: gong login",
    "left extensions: deep <- $ROOT/pi dir/extensions/deep: Gong does not run extensions of Pi.",
    "left extensions: e.ts <- $ROOT/pi dir/extensions/e.ts: Gong does not run extensions of Pi.",
    "left settings: t.json <- $ROOT/pi dir/themes/t.json: Gong has no equivalent.",
  ])
})
