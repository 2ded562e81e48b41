import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"

test("gong demo finds and repairs one failing test, runs the tests, and prints next steps", async (t) => {
  const program = openProgram(t)
  const { status, out, err } = await program.gong(["demo"])
  const lines = program
    .plain(out)
    .replaceAll(/\d+(\.\d+)? s\b/g, "N s")
    .replaceAll(/gong-demo-\w+/g, "gong-demo")
    .replaceAll(/node \/\S+gong\.js/g, "GONG")
    .split("\n")
  assert.deepEqual([status, err], [0, ""])
  assert.deepEqual(
    lines.filter((line) => !line.includes("return ")).map((line) => line.replaceAll(/ {3,}/g, "   ")),
    [
      "Gong demo. The model is scripted (no key, no network); session, tools and files are real.",
      "Project: $ROOT/tmp/gong-demo/shop  (3 files, 1 failing test)",
      "",
      "> The test for applyDiscount fails. Find out why and fix it.",
      "",
      "",
      "I'll look at the project first.",
      "",
      "  ls   .   4 entries",
      "  grep   applyDiscount   6 matches in 2 files",
      "  read   src/cart.js   15 lines",
      "",
      "Now the tests, to see how it fails.",
      "",
      "  bash   node --test   1 failing, exit 1, N s",
      "",
      "",
      "  edit   src/cart.js   +1 -1",
      "  bash   node --test   4 passing, N s",
      "",
      "applyDiscount computed the wrong amount. It now takes the share of the price off; all 4 tests pass.",
      "",
      "N s · 6 tool calls · scripted model, $0.00",
      "Changes: git -C $ROOT/tmp/gong-demo/shop diff",
      "Session: GONG sessions show s1   (every step, also after a crash)",
      "Undo:   GONG undo --session s1",
      "Now with a real model, in your own repository:",
      '  export ANTHROPIC_API_KEY=sk-ant-...   then: GONG "what does this repository do?"',
      '  or without a key, with Ollama:   GONG -m ollama/qwen3-coder "what does this repository do?"',
      "",
    ],
  )
  assert.equal((await program.gong(["sessions", "--all"])).out.includes("demo"), true)
})
