import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { isRecord } from "@gong/spec"
import { eventsOf, ofType, openStage, resultOf } from "./harness.ts"

test("[AGENT-1.5] one conversation over several processes: -c, --session by id, prefix and name, --session-id", async (t) => {
  const stage = await openStage(t, { otherwise: (request) => ({ text: `I know ${asked(request.body).join(", ")}.` }) })
  const say = async (...args: readonly string[]) => {
    const run = await stage.gong(["--output", "json", "-q", ...args])
    assert.deepEqual([run.status, run.err], [0, ""])
    return resultOf(run)
  }
  const first = await say("--name", "my work", "one")
  assert.equal(first.text, "I know one.")
  assert.deepEqual(
    [(await say("-c", "two")).text, (await say("--session", first.session, "three")).text],
    ["I know one, two.", "I know one, two, three."],
  )
  assert.equal((await say("--session", first.session.slice(-8), "four")).text, "I know one, two, three, four.")
  assert.equal((await say("--session", "my work", "five")).session, first.session)

  const made = await say("--session-id", "nightly-2.run", "a")
  assert.deepEqual([made.session, made.text], ["nightly-2.run", "I know a."])
  assert.equal((await say("--session-id", "nightly-2.run", "b")).text, "I know a, b.")
  assert.equal((await say("-c", "c")).session, "nightly-2.run", "-c is the newest")
  assert.deepEqual(stage.sessions().toSorted(), [first.session, "nightly-2.run"].toSorted())

  const list = await stage.gong(["sessions"])
  const rows = list.out.trimEnd().split("\n")
  assert.deepEqual([list.status, list.err, rows.length], [0, "", 2])
  assert.match(rows[0] ?? "", /^\S+  \d{4}-\d\d-\d\d \d\d:\d\d  custom\/mock  3 turns  \$\?  a$/)
  assert.match(rows[1] ?? "", /  5 turns  \$\?  my work$/)
  const elsewhere = await stage.gong(["sessions", "list"], { cwd: stage.home })
  assert.equal(elsewhere.out, `No sessions in ${stage.home} yet (2 elsewhere: gong sessions --all).\n`)
  const all = await stage.gong(["sessions", "--all"], { cwd: stage.home })
  assert.equal(all.out.trimEnd().split("\n").length, 2)
})

test("[BASH-S.05] sessions are readable by the user only, and --no-session stores nothing", async (t) => {
  const turns = [{ calls: [{ name: "bash", args: { command: "seq 100000" } }] }, { text: "done" }]
  const stage = await openStage(t, { turns: [...turns, ...turns] })
  const none = await stage.gong(["-pq", "--no-session", "--yolo", "count"])
  assert.deepEqual([none.status, none.out], [0, "done\n"])
  assert.equal(existsSync(stage.gongHome), false, "not even the folder is made")
  const kept = await stage.gong(["-pq", "--yolo", "count"])
  assert.equal(kept.status, 0)
  const [id = ""] = stage.sessions()
  for (const name of readdirSync(stage.gongHome, { recursive: true, encoding: "utf8" })) {
    const found = statSync(join(stage.gongHome, name))
    assert.equal(found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600, name)
  }
  assert.equal(statSync(stage.gongHome).mode & 0o777, 0o700)
  const artifacts = readdirSync(join(stage.gongHome, "sessions", id, "artifacts"))
  assert.ok(
    artifacts.some((name) => name.startsWith("gong-bash-")),
    "the whole output lies among the artifacts",
  )
})

test("sessions show lists every step, also without a model or key", async (t) => {
  const stage = await openStage(t, {
    turns: [
      { text: "Looking.", calls: [{ name: "bash", args: { command: "echo hello; exit 3" } }] },
      { text: "It said hello." },
    ],
  })
  await stage.gong(["-pq", "--yolo", "run\nit"])
  const [id = ""] = stage.sessions()
  const run = await stage.gong(["sessions", "show", id.slice(-8)], {
    env: { GONG_MODEL: undefined, GONG_BASE_URL: undefined },
  })
  assert.deepEqual([run.status, run.err], [0, ""])
  assert.ok(run.out.startsWith(`Session ${id}\n${stage.repo}, created `))
  for (const part of [
    "> run\n> it\n",
    "Looking.\n",
    "  bash echo hello; exit 3",
    "    hello\n",
    "exited with code 3",
    "It said hello.\n",
  ]) {
    assert.ok(run.out.includes(part), `${part} in ${run.out}`)
  }
  const none = await stage.gong(["sessions", "show"])
  assert.deepEqual([none.status, none.err], [2, 'gong: "sessions show" needs a value: gong sessions show ID\n'])
})

test("undo restores files exactly, removes created ones, and skips files changed later by others", async (t) => {
  const before = "\uFEFFfirst\r\nsecond\r\nlast without newline"
  const stage = await openStage(t, { turns: [...changes(), { text: "done" }] })
  stage.write({ "a.txt": before, "b.txt": "b\n", "c.txt": "c\n" })
  const run = await stage.gong(["--output", "json", "-q", "change things"])
  assert.deepEqual(
    resultOf(run).files.map(({ path, change }) => [path, change]),
    [
      ["a.txt", "modified"],
      ["b.txt", "modified"],
      ["new/d.txt", "created"],
    ],
  )
  assert.equal(stage.read("a.txt"), before.replace("second", "2nd").replace("first", "1st"))
  stage.write({ "b.txt": "mine\n" })

  const undone = await stage.gong(["undo"])
  assert.deepEqual([undone.status, undone.err], [0, ""])
  assert.deepEqual(undone.out.split("\n").toSorted(), [
    "",
    `restored  ${stage.repo}/a.txt`,
    `restored  ${stage.repo}/new/d.txt`,
    `skipped   ${stage.repo}/b.txt: it was changed by someone else since, where the session had changed it: line 1`,
  ])
  assert.equal(stage.read("a.txt"), before)
  assert.deepEqual(
    [stage.read("b.txt"), stage.read("c.txt"), existsSync(join(stage.repo, "new/d.txt"))],
    ["mine\n", "c\n", false],
  )
  const [id = ""] = stage.sessions()
  const again = await stage.gong(["undo", "--session", id])
  assert.match(
    again.out,
    /^skipped {3}\S+b\.txt: it was changed by someone else since, where the session had changed it: line 1\n$/,
  )
})

test("a damaged line and an unknown folder do not affect other sessions, or the rest of the session", async (t) => {
  const stage = await openStage(t, { otherwise: (request) => ({ text: asked(request.body).join("+") }) })
  await stage.gong(["-pq", "one"])
  const [id = ""] = stage.sessions()
  const anchors = join(stage.gongHome, "sessions", id, "anchors")
  const file = join(anchors, readdirSync(anchors)[0] ?? "", "entries.jsonl")
  stage.write({
    [file]: `${readFileSync(file, "utf8")}{"half a line`,
    [join(stage.gongHome, "sessions", "junk", "tape.json")]: "{",
    [join(stage.gongHome, "sessions", "stray")]: "",
  })
  const run = await stage.gong(["-pq", "-c", "two"])
  assert.deepEqual([run.status, run.out], [0, "one+two\n"])
  assert.match(
    run.err,
    /^gong: 1 damaged line\(s\) in this session were kept and skipped; the first: \S+ at byte \d+, .*\.\n$/,
  )
  assert.equal((await stage.gong(["sessions"])).out.trimEnd().split("\n").length, 1)
  assert.equal((await stage.gong(["-pq", "three"])).status, 0)
})

function changes() {
  return [
    {
      calls: [
        { name: "read", args: { path: "a.txt" } },
        { name: "read", args: { path: "b.txt" } },
      ],
    },
    { calls: [{ name: "edit", args: { path: "a.txt", edits: [{ oldText: "second", newText: "2nd" }] } }] },
    {
      calls: [
        { name: "edit", args: { path: "a.txt", edits: [{ oldText: "first", newText: "1st" }] } },
        { name: "write", args: { path: "b.txt", content: "B\n" } },
        { name: "write", args: { path: "new/d.txt", content: "d\n" } },
      ],
    },
  ]
}

/** The user's input so far. */
function asked(body: unknown): readonly string[] {
  const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
  const texts = messages.filter(({ role }) => role === "user").map(({ content }) => content)
  return texts.map((content) =>
    typeof content === "string" ? content : ((content as { text: string }[])[0]?.text ?? ""),
  )
}

test("[AGENT-S.21] another model continues with the same history in its own wire format", async (t) => {
  const call = { calls: [{ name: "read", args: { path: "a.txt" } }] }
  const stage = await openStage(t, { turns: [call, { text: "alpha" }, { text: "still alpha" }] })
  stage.write({ "a.txt": "alpha\n" })
  assert.equal((await stage.gong(["-p", "read a.txt"])).status, 0)
  const other = ["--api", "anthropic-messages", "--base-url", stage.server.url, "-m", "other"]
  const run = await stage.gong(["-c", "--output", "events", ...other, "what was in it?"])
  assert.equal(run.status, 0, run.err)
  assert.deepEqual(
    ofType(eventsOf(run), "model_select").map(({ model }) => model),
    ["custom/other"],
  )
  const last = stage.server.requests.at(-1)
  assert.equal(last?.path, "/v1/messages")
  const printed = JSON.stringify(last?.body)
  for (const part of ["read a.txt", "tool_use", "tool_result", "alpha", "what was in it?"])
    assert.ok(printed.includes(part), part)
})

test("gong sessions rename names a stored session; doctor --json is one object; help of a verb needs no value", async (t) => {
  const stage = await openStage(t)
  stage.server.begin([{ text: "Right." }])
  await stage.gong(["-p", "go"])
  const [id = ""] = stage.sessions()
  const renamed = await stage.gong(["sessions", "rename", id, "the", "cart"])
  assert.equal(renamed.status, 0)
  assert.match(renamed.out, /^Session \w{8} is called the cart\.\n$/)
  assert.match((await stage.gong(["sessions"])).out, /the cart/)
  assert.match((await stage.gong(["sessions", "rename", "nope", "x"])).err, /there is no session "nope"/)
  const facts: unknown = JSON.parse((await stage.gong(["doctor", "--json"])).out)
  assert.ok(isRecord(facts) && typeof facts["gong"] === "string" && Array.isArray(facts["problems"]))
  assert.match((await stage.gong(["sessions", "show", "--help"])).out, /^Usage:\n {2}gong sessions show ID/)
  assert.match((await stage.gong(["completions", "bash"])).out, /^complete .* gong$/m)
})
