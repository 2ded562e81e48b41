import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { collect, maxCandidates } from "@gong/import/candidate"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

test("more than 2000 items are truncated with one line", () => {
  const { all, skip } = collect()
  for (let at = 0; at < maxCandidates + 3; at++) skip("settings", "file", `${at}`, "x")
  assert.equal(all.length, maxCandidates + 1)
  assert.equal(all.at(-2)?.what, `${maxCandidates - 1}`)
  assert.deepEqual(inEnglish(all.at(-1)), {
    area: "settings",
    from: "file",
    what: "the rest",
    state: "skipped",
    reason: "there are more than 2000 items.",
  })
})

test("servers: apparent keys are not copied, under any name and in any place", async (t) => {
  const program = openProgram(t)
  const mcpServers = {
    words: { command: "x", args: ["--key=abcdefgh"] },
    short: { command: "x", args: ["--key=abcdefg"] },
    variable: { command: "x", args: ["--token=$TOKEN_OF_MINE"] },
    url: { url: "https://x.example/?a=ghp_0123456789ab" },
    program: { command: "glpat-0123456789" },
    fifteen: { command: "npm_01234567890" },
    neither: { args: [] },
    list: [],
    env: {
      command: "x",
      env: {
        A: "sk_live_0123456789",
        "B-C": "github_pat_0123456789",
        D: "plain",
        PASSWORD: "p",
        E: "",
        F: "${G}",
        H: "$I",
        J: 1,
        SECRET_K: { a: 1 },
        "9L": "xoxb-0123456789ab",
      },
      headers: {
        Authorization: "Bearer abc",
        "X-Api-Key": "k",
        Cookie: "c",
        "X-Y": "Bearer ${Z}",
        "X-W": "AKIA0123456789abcdef",
      },
    },
    odd: { command: "x", env: 1 },
  }
  program.write({ [`${program.home}/.claude.json`]: jsonLines({ mcpServers }) })
  assert.deepEqual(rowsOf(program, await program.gong(["import", "--from", "claude", "--json"])), [
    "taken mcp: short <- ~/.claude.json:9: $GONG/mcp.json (stored as disabled)",
    "taken mcp: variable <- ~/.claude.json:15: $GONG/mcp.json (stored as disabled)",
    "taken mcp: fifteen <- ~/.claude.json:27: $GONG/mcp.json (stored as disabled)",
    "taken mcp: env <- ~/.claude.json:34: $GONG/mcp.json (stored as disabled; not copied: A, ENV_B_C, PASSWORD, SECRET_K, ENV_9L, ENV_AUTHORIZATION, ENV_X_API_KEY, Cookie, ENV_X_W (export them))",
    "taken mcp: odd <- ~/.claude.json:58: $GONG/mcp.json (stored as disabled)",
    "left mcp: words <- ~/.claude.json:3: its command line seems to contain a key. Put the key into a variable first.",
    "left mcp: url <- ~/.claude.json:21: its command line seems to contain a key. Put the key into a variable first.",
    "left mcp: program <- ~/.claude.json:24: its command line seems to contain a key. Put the key into a variable first.",
    "left mcp: neither <- ~/.claude.json:30: it has neither a command nor a url.",
    "left mcp: list <- ~/.claude.json:33: it is not an object.",
  ])
  assert.deepEqual(JSON.parse(program.read(`${program.gongHome}/mcp.json`)), {
    mcpServers: {
      short: { command: "x", args: ["--key=abcdefg"], disabled: true },
      variable: { command: "x", args: ["--token=$TOKEN_OF_MINE"], disabled: true },
      fifteen: { command: "npm_01234567890", disabled: true },
      env: {
        command: "x",
        disabled: true,
        env: {
          A: "${A}",
          "B-C": "${ENV_B_C}",
          D: "plain",
          PASSWORD: "${PASSWORD}",
          E: "",
          F: "${G}",
          H: "$I",
          J: "1",
          SECRET_K: "${SECRET_K}",
          "9L": "${ENV_9L}",
        },
        headers: {
          Authorization: "Bearer ${ENV_AUTHORIZATION}",
          "X-Api-Key": "${ENV_X_API_KEY}",
          Cookie: "${Cookie}",
          "X-Y": "Bearer ${Z}",
          "X-W": "${ENV_X_W}",
        },
      },
      odd: { command: "x", env: 1, disabled: true },
    },
  })
})
