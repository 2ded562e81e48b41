import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "./program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { status, out, err } = await program.gong(args)
  return [status, program.plain(out), program.plain(err)]
}

test("a conversation asks once whether to trust active content, and shows it", async (t) => {
  const found: unknown[] = []
  const ask = async (program: Program, typed: readonly string[], ...args: readonly string[]) => {
    const { all } = await program.gong(args, { typed })
    return program
      .plain(all)
      .split("\n")
      .filter((line) => !/^Gong |^Reading in|^Edits/.test(line))
  }
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  program.write(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`.gong/prompts/p${at}.md`, `P${at}\n`])))
  found.push(await ask(program, ["x", "Ｎ"], "--trust", "no"), await ask(program, ["x", "v", " Ｔ "]))
  program.write({ ".gong/prompts/p0.md": "changed\n" })
  found.push(await ask(program, ["n"]), await printed(program, "trust"), await ask(program, []))
  program.write({ ".gong/prompts/p1.md": "changed\n" })
  found.push(
    await ask(program, ["t"]),
    await printed(program, "trust", "forget"),
    await ask(program, ["n"]),
    await printed(program, "trust"),
  )
  assert.deepEqual(found, [
    ["> x", "Fine.", "> Ｎ", "Fine.", "> "],
    [
      "This folder contains 10 command templates: .gong/prompts/p0.md, .gong/prompts/p1.md, .gong/prompts/p2.md, .gong/prompts/p3.md, .gong/prompts/p4.md, .gong/prompts/p5.md, .gong/prompts/p6.md, .gong/prompts/p7.md, 2 more.",
      "[v] view  [t] trust the current content  [n] run without it: x",
      "Type v, t or n.",
      "[v] view  [t] trust the current content  [n] run without it: v",
      "  .gong/prompts/p0.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P0",
      "  .gong/prompts/p1.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P1",
      "  .gong/prompts/p2.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P2",
      "  .gong/prompts/p3.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P3",
      "  .gong/prompts/p4.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P4",
      "  .gong/prompts/p5.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P5",
      "  .gong/prompts/p6.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P6",
      "  .gong/prompts/p7.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P7",
      "  .gong/prompts/p8.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P8",
      "  .gong/prompts/p9.md (new)",
      "    @@ -0,0 +1,1 @@",
      "    +P9",
      "[v] view  [t] trust the current content  [n] run without it:  Ｔ ",
      "> ",
    ],
    [
      ".gong/prompts/p0.md changed since you trusted it (2 lines).",
      "[v] view  [t] trust the new content  [n] run without it: n",
      "> ",
    ],
    [
      0,
      "$REPO was trusted, but you refused later changes (.gong/prompts/p0.md): its active content is not loaded.\n  .gong/prompts/p0.md (changed)\n    @@ -1,1 +1,1 @@\n    -P0\n    +changed\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n",
      "",
    ],
    ["> "],
    [
      ".gong/prompts/p0.md and 1 more changed since you trusted them (4 lines).",
      "[v] view  [t] trust the new content  [n] run without it: t",
      "> ",
    ],
    [0, "The decision about $REPO is removed.\n", ""],
    [
      "This folder contains 10 command templates: .gong/prompts/p0.md, .gong/prompts/p1.md, .gong/prompts/p2.md, .gong/prompts/p3.md, .gong/prompts/p4.md, .gong/prompts/p5.md, .gong/prompts/p6.md, .gong/prompts/p7.md, 2 more.",
      "[v] view  [t] trust the current content  [n] run without it: n",
      "> ",
    ],
    [
      0,
      "$REPO is not trusted: its active content is not loaded.\n  .gong/prompts/p0.md (same)\n    @@ -0,0 +1,1 @@\n    +changed\n  .gong/prompts/p1.md (same)\n    @@ -0,0 +1,1 @@\n    +changed\n  .gong/prompts/p2.md (same)\n    @@ -0,0 +1,1 @@\n    +P2\n  .gong/prompts/p3.md (same)\n    @@ -0,0 +1,1 @@\n    +P3\n  .gong/prompts/p4.md (same)\n    @@ -0,0 +1,1 @@\n    +P4\n  .gong/prompts/p5.md (same)\n    @@ -0,0 +1,1 @@\n    +P5\n  .gong/prompts/p6.md (same)\n    @@ -0,0 +1,1 @@\n    +P6\n  .gong/prompts/p7.md (same)\n    @@ -0,0 +1,1 @@\n    +P7\n  .gong/prompts/p8.md (same)\n    @@ -0,0 +1,1 @@\n    +P8\n  .gong/prompts/p9.md (same)\n    @@ -0,0 +1,1 @@\n    +P9\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n",
      "",
    ],
  ])
})
