import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { status, out, err } = await program.gong(args)
  return [status, program.plain(out), program.plain(err)]
}

test("active content is shown sanitized and up to limits; binary and large files in one line", async (t) => {
  const cases = {
    binary: "a\0b",
    large: "x".repeat(256 * 1024 + 1),
    fits: "x".repeat(256 * 1024),
    lines: "x\n".repeat(5001),
    most: "x\n".repeat(5000),
    shown: "x\n".repeat(119),
    more: "x\n".repeat(122),
    wide: `${"y".repeat(299)}\n${"y".repeat(300)}\n`,
    escape: "\u001b[31mred\n",
    end: "no line feed",
    empty: "",
  }
  const found: unknown[] = []
  for (const [name, text] of Object.entries(cases)) {
    const program = openProgram(t)
    program.write({ ".gong/SYSTEM.md": text })
    const lines = (await printed(program, "trust"))[1].split("\n")
    found.push([
      name,
      lines.length,
      lines.slice(1, 4).map((line) => line.slice(0, 80)),
      lines.at(-3)?.slice(0, 80),
      lines.find((line) => line.includes("characters"))?.slice(-30) ?? "",
    ])
  }
  assert.deepEqual(found, [
    [
      "binary",
      5,
      [
        "  .gong/SYSTEM.md (new)",
        "    3 bytes, not text",
        "gong trust yes trusts the current files; gong trust no refuses without asking ag",
      ],
      "    3 bytes, not text",
      "",
    ],
    [
      "large",
      5,
      [
        "  .gong/SYSTEM.md (new)",
        "    262145 bytes: too large to show",
        "gong trust yes trusts the current files; gong trust no refuses without asking ag",
      ],
      "    262145 bytes: too large to show",
      "",
    ],
    [
      "fits",
      6,
      [
        "  .gong/SYSTEM.md (new)",
        "    @@ -0,0 +1,1 @@",
        "    +xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      ],
      "    +xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "xxxxxxx... (262145 characters)",
    ],
    [
      "lines",
      5,
      [
        "  .gong/SYSTEM.md (new)",
        "    too many lines to show",
        "gong trust yes trusts the current files; gong trust no refuses without asking ag",
      ],
      "    too many lines to show",
      "",
    ],
    [
      "most",
      125,
      ["  .gong/SYSTEM.md (new)", "    @@ -0,0 +1,5000 @@", "    +x"],
      "    ... 4881 more lines; see the file itself",
      "",
    ],
    ["shown", 124, ["  .gong/SYSTEM.md (new)", "    @@ -0,0 +1,119 @@", "    +x"], "    +x", ""],
    [
      "more",
      125,
      ["  .gong/SYSTEM.md (new)", "    @@ -0,0 +1,122 @@", "    +x"],
      "    ... 3 more lines; see the file itself",
      "",
    ],
    [
      "wide",
      7,
      [
        "  .gong/SYSTEM.md (new)",
        "    @@ -0,0 +1,2 @@",
        "    +yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
      ],
      "    +yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
      "yyyyyyyyyy... (301 characters)",
    ],
    ["escape", 6, ["  .gong/SYSTEM.md (new)", "    @@ -0,0 +1,1 @@", "    +␛[31mred"], "    +␛[31mred", ""],
    ["end", 6, ["  .gong/SYSTEM.md (new)", "    @@ -0,0 +1,1 @@", "    +no line feed"], "    +no line feed", ""],
    [
      "empty",
      4,
      [
        "  .gong/SYSTEM.md (new)",
        "gong trust yes trusts the current files; gong trust no refuses without asking ag",
        "",
      ],
      "  .gong/SYSTEM.md (new)",
      "",
    ],
  ])
  const program = openProgram(t)
  for (let at = 0; at < 5; at++) program.write({ [`.gong/prompts/p${at}.md`]: "x\n".repeat(100) })
  const lines = (await printed(program, "trust"))[1].split("\n")
  assert.deepEqual([lines.length, lines.at(-3)], [404, "  ... 110 more lines; see the files themselves"])
})

test("an unreadable trust.json only prevents decisions", async (t) => {
  const program = openProgram(t)
  program.write({ [`${program.gongHome}/trust.json`]: "no json", ".gong/SYSTEM.md": "x" })
  assert.deepEqual(await printed(program, "trust"), [
    0,
    "$REPO contains 1 system prompt, which is not loaded: there is no trust decision yet.\n  .gong/SYSTEM.md (new)\n    @@ -0,0 +1,1 @@\n    +x\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n",
    "gong: $GONG/trust.json:1:8: this is not JSON. Fix it there or move the file away. Until then no folder is trusted.\n",
  ])
  assert.deepEqual(await printed(program, "trust", "list"), [
    2,
    "",
    "gong: $GONG/trust.json:1:8: this is not JSON. Fix it there or move the file away.\n",
  ])
  assert.deepEqual(await printed(program, "trust", "yes"), [
    2,
    "",
    "gong: $GONG/trust.json:1:8: this is not JSON. Fix it there or move the file away.\n",
  ])
  assert.deepEqual(await printed(program, "trust", "forget"), [
    2,
    "",
    "gong: $GONG/trust.json:1:8: this is not JSON. Fix it there or move the file away.\n",
  ])
})
