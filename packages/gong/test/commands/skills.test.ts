import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { status, out, err } = await program.gong(args)
  return [status, program.plain(out), program.plain(err)]
}

const skill = (name: string, more = "") => `---\nname: ${name}\ndescription: what ${name} does\n${more}---\nbody\n`

test("gong skills lists skills and templates with their sources, and counts problems", async (t) => {
  const program = openProgram(t)
  program.write({
    [`${program.gongHome}/skills/a/SKILL.md`]: skill("a"),
    [`${program.gongHome}/skills/b/SKILL.md`]: skill("b", "disable-model-invocation: true\n"),
    [`${program.gongHome}/prompts/p.md`]: `---\nargument-hint: WHAT\ndescription: ${"long ".repeat(20)}\n---\nP\n`,
    [`${program.home}/.claude/skills/c/SKILL.md`]: skill("c"),
    ".gong/skills/d/SKILL.md": skill("d"),
  })
  assert.deepEqual(await printed(program, "skills"), [
    0,
    "/skill:a        user                what a does                                                   $GONG/skills/a/SKILL.md\n/skill:b        user, command only  what b does                                                   $GONG/skills/b/SKILL.md\n/skill:c        user                what c does                                                   ~/.claude/skills/c/SKILL.md\n/skill:d        project             what d does                                                   $REPO/.gong/skills/d/SKILL.md\n/p WHAT         user                long long long long long long long long long long long long…  $GONG/prompts/p.md\n/review [WHAT]  shipped             look for what is wrong in the changes, or in what is named\n/commit [HINT]  shipped             commit what was changed, in the style of the repository\n",
    "",
  ])
  assert.deepEqual(await printed(program, "skills", "validate"), [0, "4 skills and 3 templates: no problems.\n", ""])
  program.write({ [`${program.gongHome}/skills/e/SKILL.md`]: "---\nname: e\n---\nb\n" })
  assert.deepEqual(await printed(program, "skills", "list", "--trust", "yes"), [
    0,
    "/skill:a        user                what a does                                                   $GONG/skills/a/SKILL.md\n/skill:b        user, command only  what b does                                                   $GONG/skills/b/SKILL.md\n/skill:c        user                what c does                                                   ~/.claude/skills/c/SKILL.md\n/skill:d        project             what d does                                                   $REPO/.gong/skills/d/SKILL.md\n/p WHAT         user                long long long long long long long long long long long long…  $GONG/prompts/p.md\n/review [WHAT]  shipped             look for what is wrong in the changes, or in what is named\n/commit [HINT]  shipped             commit what was changed, in the style of the repository\n1 problem: gong skills validate\n",
    "",
  ])
  assert.deepEqual(await printed(program, "skills", "validate"), [
    2,
    "",
    "gong: error: $GONG/skills/e/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.\ngong: 4 skills and 3 templates: 1 problem.\n",
  ])
  program.write({ [`${program.gongHome}/skills/f/SKILL.md`]: "---\nname: f\n---\nb\n" })
  assert.deepEqual(await printed(program, "skills", "validate"), [
    2,
    "",
    "gong: error: $GONG/skills/e/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.\ngong: error: $GONG/skills/f/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.\ngong: 4 skills and 3 templates: 2 problems.\n",
  ])
  assert.deepEqual(await printed(program, "skills", "--bare"), [0, "No skills.\n", ""])
  assert.deepEqual(await printed(program, "skills", "validate", `${program.gongHome}/skills/a`), [
    0,
    "1 skill and 0 templates: no problems.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "skills", "validate", "~/.claude/skills"), [
    0,
    "1 skill and 0 templates: no problems.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "skills", "validate", "skills", "--cwd", ".gong"), [
    0,
    "1 skill and 0 templates: no problems.\n",
    "",
  ])
  const { skills, templates, diagnostics } = JSON.parse(
    program.plain((await program.gong(["skills", "--json"])).out),
  ) as Record<string, unknown[]>
  assert.deepEqual(
    [skills, templates?.at(0), diagnostics],
    [
      [
        {
          name: "a",
          description: "what a does",
          location: "$GONG/skills/a/SKILL.md",
          folder: "$GONG/skills/a",
          level: "user",
          disableModelInvocation: false,
          scope: "task",
        },
        {
          name: "b",
          description: "what b does",
          location: "$GONG/skills/b/SKILL.md",
          folder: "$GONG/skills/b",
          level: "user",
          disableModelInvocation: true,
          scope: "task",
        },
        {
          name: "c",
          description: "what c does",
          location: "~/.claude/skills/c/SKILL.md",
          folder: "~/.claude/skills/c",
          level: "user",
          disableModelInvocation: false,
          scope: "task",
        },
        {
          name: "d",
          description: "what d does",
          location: "$REPO/.gong/skills/d/SKILL.md",
          folder: "$REPO/.gong/skills/d",
          level: "project",
          disableModelInvocation: false,
          scope: "task",
        },
      ],
      {
        name: "p",
        description:
          "long long long long long long long long long long long long long long long long long long long long",
        argumentHint: "WHAT",
        location: "$GONG/prompts/p.md",
        level: "user",
      },
      [
        {
          type: "error",
          path: "$GONG/skills/e/SKILL.md",
          line: 1,
          text: "a skill needs a description: what it does and when to use it. Add `description: ...`.",
        },
        {
          type: "error",
          path: "$GONG/skills/f/SKILL.md",
          line: 1,
          text: "a skill needs a description: what it does and when to use it. Add `description: ...`.",
        },
      ],
    ],
  )
})

test("gong skills add copies each skill of a folder completely or not at all, and replaces none", async (t) => {
  const program = openProgram(t)
  const { root } = program
  const from = `${root}/from`
  program.write({
    [`${from}/one/SKILL.md`]: skill("one"),
    [`${from}/one/a.txt`]: "",
    [`${from}/one/deep/SKILL.md`]: skill("not-one-of-its-own"),
    [`${from}/two/SKILL.md`]: skill("two"),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`${from}/two/${at}.txt`, ""])),
    [`${root}/top/SKILL.md`]: skill("top"),
    [`${root}/top/x.sh`]: "x",
    [`${root}/five/SKILL.md`]: skill("five"),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${root}/five/${at}.txt`, ""])),
    [`${root}/none/README.md`]: "",
    [`${root}/bad/ok/SKILL.md`]: skill("ok"),
    [`${root}/bad/wrong/SKILL.md`]: "---\nname: wrong\n---\n",
    [`${root}/name/Bad_Name/SKILL.md`]: skill("Bad_Name"),
    [`${root}/.hidden/SKILL.md`]: "---\ndescription: d\n---\nx\n",
  })
  const found: unknown[] = []
  for (const name of ["from", "from", "top", "five", "none", "nowhere", "bad", "name", ".hidden", "top/SKILL.md"]) {
    const [status, out, err] = await printed(program, "skills", "add", `${root}/${name}`)
    found.push([name, status, out.split("\n"), err])
  }
  assert.deepEqual(found, [
    [
      "from",
      0,
      [
        "added $GONG/skills/one, with a.txt, deep/SKILL.md",
        "added $GONG/skills/two, with 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, and 1 more",
        "Nothing was run. Review it before you use it.",
        "",
      ],
      "",
    ],
    ["from", 2, [""], "gong: $GONG/skills/one already exists; nothing was added. Move it away first.\n"],
    ["top", 0, ["added $GONG/skills/top, with x.sh", "Nothing was run. Review it before you use it.", ""], ""],
    [
      "five",
      0,
      [
        "added $GONG/skills/five, with 1.txt, 2.txt, 3.txt, 4.txt, 5.txt",
        "Nothing was run. Review it before you use it.",
        "",
      ],
      "",
    ],
    ["none", 2, [""], "gong: $ROOT/none: there is no SKILL.md in it.\n"],
    ["nowhere", 2, [""], "gong: $ROOT/nowhere: there is no such folder or archive.\n"],
    [
      "bad",
      2,
      [""],
      "gong: $ROOT/bad: nothing was added. wrong/SKILL.md:1: a skill needs a description: what it does and when to use it. Add `description: ...`.\n",
    ],
    [
      "name",
      2,
      [""],
      'gong: $ROOT/name: nothing was added. Bad_Name/SKILL.md:1: the name "Bad_Name" may hold only lower-case letters, digits and hyphens. Rename the skill.\n',
    ],
    [".hidden", 0, ["added $GONG/skills/hidden", "Nothing was run. Review it before you use it.", ""], ""],
    [
      "top/SKILL.md",
      2,
      [""],
      "gong: $ROOT/top/SKILL.md: this is neither a folder nor a .tgz. Name the folder of a skill.\n",
    ],
  ])
  assert.deepEqual(
    (await printed(program, "skills"))[1].split("\n").map((line) => line.split(/ {2,}/)[0]),
    ["/skill:five", "/skill:hidden", "/skill:one", "/skill:top", "/skill:two", "/review [WHAT]", "/commit [HINT]", ""],
  )
})

test("a description of the user is shown as it is written", async (t) => {
  const program = openProgram(t)
  program.write({ [`${program.gongHome}/prompts/p.md`]: "---\ndescription: use {0} of them\n---\ntext\n" })
  const { out } = await program.gong(["skills", "list"])
  assert.match(out, /\n?\/p +user +use \{0\} of them {2}/)
})
