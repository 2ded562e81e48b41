import assert from "node:assert/strict"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { type Api, textOf } from "@gong/spec"
import type { RecordedRequest, ScriptedTurn } from "@gong/testing/model-server"
import { eventsOf, git, ofType, openStage, resultOf, type Stage } from "./harness.ts"
import { tether } from "./tether.ts"

const formats: readonly Api[] = ["openai-completions", "anthropic-messages"]
const scanner = "lib/umd/impl/scanner.js"

for (const api of formats) {
  test(`[AGENT-1.3] [AGENT-F.2] [TESTKIT-4] a bug in a third-party package is found, fixed and tested; SIGKILL during a tool loses nothing (${api})`, async (t) => {
    const held = await tether(t)
    const stage = await openStage(t, { api, turns: [...repair, bash(held.command), { text: "It goes on." }] })
    checkOut(stage)

    const first = await stage.gong(["--output", "events", "--yolo", "A test fails. Repair it."])
    assert.deepEqual([first.status, first.err], [0, ""], first.out.slice(-1000))
    const result = resultOf(first)
    assert.deepEqual([result.text, result.turns, result.toolCalls], ["Repaired: 3 tests pass.", 7, 7])
    assert.deepEqual(
      result.files.map(({ change, added, removed }) => [change, added, removed]),
      [["modified", 1, 1]],
    )
    assert.equal(git(stage.repo, "diff", "--numstat").trim(), `1\t1\t${scanner}`)
    assert.equal(stage.read(scanner), original(scanner), "the edit gives back what the authors wrote, byte for byte")

    const second = stage.start(["-c", "--output", "events", "--yolo", "Now wait for the release."])
    await second.event("tool_execution_start")
    await held.held
    second.child.kill("SIGKILL")
    const killed = await second.ended
    assert.deepEqual([killed.signal, eventsOf(killed).at(-1)?.type], ["SIGKILL", "tool_execution_start"])
    const [id = ""] = stage.sessions()
    const lock = join(stage.gongHome, "sessions", id, "lock")
    assert.ok(existsSync(lock), "the dead process could not let go of its lock")

    const third = await stage.gong(["-c", "--output", "json", "--yolo", "Go on."])
    assert.deepEqual([third.status, resultOf(third).text, resultOf(third).session], [0, "It goes on.", id])
    assert.match(third.err, /^gong: this session was interrupted during 1 tool call\(s\); the model is informed\.\n/)
    assert.equal(existsSync(lock), false)
    const sent = JSON.stringify(stage.server.requests.at(-1)?.body)
    const history = [
      "A test fails. Repair it.",
      "Repaired: 3 tests pass.",
      "Now wait for the release.",
      interrupted,
      "Go on.",
    ]
    const places = history.map((text) => sent.indexOf(text))
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? 0)),
      `whole and in order: ${places}`,
    )
    assert.equal(sent.split(interrupted).length, 2, "marked once")
    assert.deepEqual(stage.server.left, 0)

    const stored = stage.entries()
    const results = stored.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "tool" ? [entry.message] : [],
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      ["ok", "ok", "ok", "ok", "error", "ok", "ok", "aborted"],
    )
    assert.match(textOf(results[4] ?? { content: [] }), /lower case[\s\S]*Command exited with code 1$/)
    const ran = ofType(eventsOf(first), "tool_execution_end").map(({ name }) => name)
    assert.deepEqual(ran, ["ls", "read", "grep", "read", "bash", "edit", "bash"])
  })
}

const interrupted = "Interrupted: Gong stopped while this ran; it may have taken effect. Check before repeating."

/** The model's actions: it reads, tests, and repairs the line. */
const repair: readonly ScriptedTurn[] = [
  {
    text: "I will look around.",
    calls: [
      { name: "ls", args: { path: "." } },
      { name: "read", args: { path: "package.json" } },
    ],
  },
  { calls: [{ name: "grep", args: { pattern: "function scanHexDigits", path: "lib/umd" } }] },
  { calls: [{ name: "read", args: { path: scanner, offset: 20, limit: 30 } }] },
  bash("node --test"),
  (request) => {
    const line = lineWith(request, "CharacterCodes.a */ + 11")
    const edits = [{ oldText: line, newText: line.replace("+ 11", "+ 10") }]
    return { thinking: "a is 10 in hex", calls: [{ name: "edit", args: { path: scanner, edits } }] }
  },
  bash("node --test"),
  (request) => ({ text: `Repaired: ${/pass (\d+)/.exec(textIn(request))?.[1]} tests pass.` }),
]

function bash(command: string): ScriptedTurn {
  return { calls: [{ name: "bash", args: { command } }] }
}

/** Text of the last results, as the model got it. */
function textIn(request: RecordedRequest): string {
  const { messages } = request.body as { messages: readonly { content: unknown }[] }
  return strings(messages.at(-1)?.content).join("\n")
}

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : []
}

/** A line that some result of the conversation showed. */
function lineWith(request: RecordedRequest, part: string): string {
  const line = strings(request.body)
    .join("\n")
    .split("\n")
    .find((one) => one.includes(part))
  assert.ok(line !== undefined, `no result has shown a line with ${part}`)
  return line
}

/** The source of a real package with a bug of ours in it, and tests of which one finds it. */
function checkOut(stage: Stage): void {
  cpSync(packageFolder(), stage.repo, { recursive: true })
  const text = stage.read(scanner)
  const planted = text.replace("CharacterCodes.a */ + 10", "CharacterCodes.a */ + 11")
  assert.notEqual(planted, text)
  stage.write({ [scanner]: planted, "test/parse.test.js": tests })
  git(stage.repo, "add", "--all")
  git(stage.repo, "commit", "--quiet", "--message", "check out")
}

const tests = `const { test } = require("node:test")
const assert = require("node:assert/strict")
const { parse, format, applyEdits } = require("../lib/umd/main.js")

test("comments and trailing commas", () => {
  assert.deepEqual(parse('{ "a": [1, 2,], /* b */ "c": 3 } // d', [], { allowTrailingComma: true }), { a: [1, 2], c: 3 })
})
test("escapes in lower case", () => assert.equal(parse('"\\\\u00e9\\\\u00E9"'), "\\u00e9\\u00e9"))
test("formatting", () => {
  assert.equal(applyEdits("{}", format("{}", undefined, { insertSpaces: true, tabSize: 2 })), "{}")
})
`

function original(path: string): string {
  return readFileSync(join(packageFolder(), path), "utf8")
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("jsonc-parser/package.json"))
}
