import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "../program.ts"

const id = "0b5c7a52-0000-4000-8000-00000000000a"

/** A line of a conversation of Claude Code. */
const line = (cwd: string, uuid: string, parentUuid: string | null, content: unknown, type = "user") =>
  JSON.stringify({
    type,
    uuid,
    parentUuid,
    cwd,
    timestamp: "2026-11-01T10:00:00.000Z",
    message: { role: type, content, ...(type === "assistant" && { id: uuid, model: "m" }) },
  })

interface Outcome {
  readonly id: string | null
  readonly title: string | null
  readonly reason: string | null
  readonly created: string | null
}

async function imported(program: Program, from: string, ...more: readonly string[]) {
  const { status, out, err } = await program.gong(["import", "--from", from, "--sessions", "--json", ...more])
  assert.deepEqual([status, err], [0, ""])
  const found = JSON.parse(out) as Readonly<Record<"taken" | "there" | "left", readonly Outcome[]>>
  return (["taken", "there", "left"] as const).flatMap((state) =>
    found[state].map((one) => `${state} ${one.id} ${one.title} ${one.reason}`),
  )
}

test("conversations are imported, present or skipped with their reason", async (t) => {
  const program = openProgram(t)
  const { home, repo } = program
  const folder = `${home}/.claude/projects/x`
  program.write({
    [`${folder}/${id}.jsonl`]: line(repo, "a", null, "Question"),
    [`${folder}/empty.jsonl`]: "",
    [`${folder}/-bad-name.jsonl`]: line(repo, "a", null, "Question"),
    [`${folder}/${"n".repeat(65)}.jsonl`]: line(repo, "a", null, "Question"),
    [`${folder}/${"n".repeat(64)}.jsonl`]: line(repo, "a", null, "Question"),
    [`${folder}/other.txt`]: line(repo, "a", null, "Question"),
    [`${folder}/other.jsonl.bak`]: line(repo, "a", null, "Question"),
    [`${folder}/with.dot.jsonl`]: line(repo, "a", null, "Question"),
    [`${folder}/reply.jsonl`]: line(repo, "a", null, [{ type: "text", text: "Reply" }], "assistant"),
  })
  const rows = [
    "left -bad-name Question invalid",
    "left empty null empty",
    `left ${"n".repeat(65)} Question invalid`,
    "left reply null empty",
  ]
  const ids = [id, "n".repeat(64)]
  assert.deepEqual(await imported(program, "claude", "--dry-run"), [
    ...ids.map((one) => `taken ${one} Question null`),
    ...rows,
  ])
  assert.deepEqual(await imported(program, "claude"), [...ids.map((one) => `taken ${one} Question null`), ...rows])
  assert.deepEqual(await imported(program, "claude"), [...ids.map((one) => `there ${one} Question null`), ...rows])
})

test("with --project only conversations in the repository or a folder of it are imported, as ones of this repository", async (t) => {
  const program = openProgram(t)
  const { home, repo } = program
  const at = (name: string) => `${home}/.claude/projects/x/${name}.jsonl`
  program.write({
    [at("here")]: line(repo, "a", null, "Here"),
    [at("below")]: line(`${repo}/sub`, "a", null, "Below"),
    [at("beside")]: line(`${repo}-2`, "a", null, "Beside"),
    [at("above")]: line(home, "a", null, "Above"),
  })
  assert.deepEqual(await imported(program, "claude", "--project"), ["taken below Below null", "taken here Here null"])
  const listed = await program.gong(["sessions"])
  assert.match(listed.out, /Below/)
  assert.match(listed.out, /Here/)
  assert.deepEqual(await imported(program, "claude"), [
    "taken above Above null",
    "taken beside Beside null",
    "there below Below null",
    "there here Here null",
  ])
  const later = await program.gong(["sessions"])
  assert.doesNotMatch(later.out, /Beside|Above/)
})

test("folders of other agents, by their variables and defaults; without a conversation they are named", async (t) => {
  const program = openProgram(t)
  for (const [from, env, folders] of [
    ["claude", {}, "~/.claude/projects"],
    ["claude", { CLAUDE_CONFIG_DIR: "/c" }, "/c/projects"],
    ["codex", {}, "~/.codex/sessions or ~/.codex/archived_sessions"],
    ["codex", { CODEX_HOME: "/c" }, "/c/sessions or /c/archived_sessions"],
    ["opencode", {}, "~/.local/share/opencode"],
    ["opencode", { XDG_DATA_HOME: "/c" }, "/c/opencode"],
    ["gemini", {}, "~/.gemini/tmp"],
  ] as const) {
    const { status, err } = await program.gong(["import", "--from", from, "--sessions"], { env })
    assert.deepEqual([status, program.plain(err)], [2, `gong: no conversations were found in ${folders}.\n`])
  }
  for (const [from, text] of [
    [["--from", "pi"], /^gong: conversations of Pi are imported one by one: gong sessions import FILE/],
    [["--from", "cursor"], /^gong: which agent\? gong import --sessions --from claude\|codex\|opencode\|gemini/],
    [[], /^gong: which agent\?/],
  ] as const) {
    const { status, err } = await program.gong(["import", ...from, "--sessions"])
    assert.equal(status, 2)
    assert.match(err, text)
  }
})

test("files of other names and of sub-agents of Codex and Gemini CLI are left out", async (t) => {
  const program = openProgram(t)
  const { home } = program
  program.write({
    [`${home}/.codex/sessions/2026/rollout-1.jsonl`]: "{}",
    [`${home}/.codex/sessions/x-rollout-1.jsonl`]: "{}",
    [`${home}/.codex/archived_sessions/rollout-2.jsonl`]: "{}",
    [`${home}/.codex/archived_sessions/rollout-3.jsonl.bak`]: "{}",
    [`${home}/.gemini/tmp/h/chats/session-1.json`]: "{}",
    [`${home}/.gemini/tmp/h/chats/session-2.jsonl`]: "{}",
    [`${home}/.gemini/tmp/h/chats/session-2.jsonl.bak`]: "{}",
    [`${home}/.gemini/tmp/h/checkpoint-x.json`]: "{}",
    [`${home}/.gemini/tmp/h/my-checkpoint.json`]: "{}",
    [`${home}/.gemini/tmp/h/logs.json`]: "{}",
  })
  const files = async (from: string) => {
    const { out } = await program.gong(["import", "--from", from, "--sessions", "--json"])
    const { left } = JSON.parse(program.plain(out)) as { readonly left: readonly { readonly file: string }[] }
    return left.map(({ file }) => file)
  }
  assert.deepEqual(await files("codex"), [
    "~/.codex/sessions/2026/rollout-1.jsonl",
    "~/.codex/archived_sessions/rollout-2.jsonl",
  ])
  assert.deepEqual(await files("gemini"), [
    "~/.gemini/tmp/h/chats/session-1.json",
    "~/.gemini/tmp/h/chats/session-2.jsonl",
    "~/.gemini/tmp/h/checkpoint-x.json",
  ])
})

test("a conversation is listed with its own title or the first text of the user, its first time and its counts", async (t) => {
  const program = openProgram(t)
  const { home, repo } = program
  const at = (name: string) => `${home}/.claude/projects/x/${name}.jsonl`
  const image = { type: "image", source: { data: "AA==" } }
  program.write({
    [at("a")]: [
      line(repo, "r", null, [{ type: "text", text: "Before" }], "assistant"),
      line(repo, "a", "r", [image, { type: "text", text: "First" }]),
      line(repo, "b", "a", "Second"),
      "{",
    ].join("\n"),
    [at("b")]: [line(repo, "a", null, [image]), JSON.stringify({ type: "summary", summary: "Title" })].join("\n"),
    [at("c")]: line(repo, "a", null, [image]),
  })
  const { out } = await program.gong(["import", "--from", "claude", "--sessions", "--json"])
  const { taken } = JSON.parse(out) as { readonly taken: readonly Readonly<Record<string, unknown>>[] }
  assert.deepEqual(
    taken.map(({ title, created, cwd, messages, images, untaken }) => [title, created, cwd, messages, images, untaken]),
    [
      ["First", "2026-11-01T10:00:00.000Z", repo, 3, 1, { "invalid lines": 1 }],
      ["Title", "2026-11-01T10:00:00.000Z", repo, 1, 1, {}],
      [null, "2026-11-01T10:00:00.000Z", repo, 1, 1, {}],
    ],
  )
})
