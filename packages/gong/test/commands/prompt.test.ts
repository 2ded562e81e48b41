import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "./program.ts"

test("gong config prompt lists each part with size, tokens and source", async (t) => {
  const program = openProgram(t)
  program.write({
    "AGENTS.md": "Be brief.\n",
    [`${program.gongHome}/skills/s/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${program.gongHome}/skills/bad/SKILL.md`]: "---\nname: bad\n---\nb\n",
    [`${program.gongHome}/APPEND_SYSTEM.md`]: "More.\n",
  })
  const parts = async (...args: readonly string[]) => {
    const { out } = await program.gong(["config", "prompt", "--json", ...args])
    const { parts } = JSON.parse(program.plain(out)) as {
      parts: { name: string; from: string[]; text: string; bytes: number }[]
    }
    return parts.map(({ name, from, text, bytes }) => [
      name,
      from.join(", "),
      text.length > 0,
      bytes >= text.length || name === "tool schemas",
    ])
  }
  assert.deepEqual(await parts(), [
    ["role", "Gong", true, true],
    ["tools", "read, write, edit, bash, grep, find, ls", true, true],
    ["guidelines", "read, write, edit, bash, grep, find, ls", true, true],
    ["documentation", "Gong", true, true],
    ["appended", "$GONG/APPEND_SYSTEM.md", true, true],
    ["context files", "$REPO/AGENTS.md", true, true],
    ["skills", "$GONG/skills/s/SKILL.md", true, true],
    ["date and time", "Gong", true, true],
    ["working directory", "$REPO", true, true],
    ["tool schemas", "read, write, edit, bash, grep, find, ls", true, true],
  ])
  assert.deepEqual(await parts("--system-prompt", "Mine.", "--tools", "read"), [
    ["own prompt", "--system-prompt", true, true],
    ["appended", "$GONG/APPEND_SYSTEM.md", true, true],
    ["context files", "$REPO/AGENTS.md", true, true],
    ["skills", "$GONG/skills/s/SKILL.md", true, true],
    ["date and time", "Gong", true, true],
    ["working directory", "$REPO", true, true],
    ["tool schemas", "read", true, true],
  ])
  const { out, err } = await program.gong(["config", "prompt", "--tools", "ls", "--system-prompt", "Mine."])
  assert.equal(
    program.plain(err),
    "gong: $GONG/skills/bad/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.\n",
  )
  assert.deepEqual(
    program
      .plain(out)
      .split("\n")
      .filter((line) => /^---|own prompt|appended|tool schemas/.test(line)),
    [
      "--- own prompt",
      "--- appended",
      "--- context files",
      "--- date and time",
      "--- working directory",
      "--- tool schemas",
      "---",
      "own prompt           5 bytes    ~2 tokens  --system-prompt",
      "appended             5 bytes    ~2 tokens  $GONG/APPEND_SYSTEM.md",
      "tool schemas       283 bytes   ~71 tokens  ls",
    ],
  )
})
