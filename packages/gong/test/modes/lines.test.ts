import assert from "node:assert/strict"
import { test } from "node:test"
import { type Event, failure, phrase, type RunEnd, type ToolExecutionEndEvent } from "@gong/spec"
import type { RunSummary } from "@gong/session/result"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { choiceText, letterOf } from "../../src/modes/dialogs.ts"
import { eventLine, lineWriter } from "../../src/modes/event-lines.ts"
import type { OutputStreams } from "../../src/modes/output-streams.ts"
import { paintedDiff, paintedLine } from "../../src/modes/painter.ts"
import { extensionRenderer } from "../../src/modes/render-call.ts"
import { report, reportInConversation } from "../../src/modes/report.ts"
import { saveAnswer } from "../../src/modes/save.ts"

test("an event line begins with its type, number and time", () => {
  const written: string[] = []
  const write = lineWriter(
    (text) => void written.push(text),
    () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  )
  write({ type: "agent_end", status: "done" } as Event)
  write({ type: "response", id: 1 })
  assert.deepEqual(written, [
    '{"type":"agent_end","seq":1,"time":"2026-01-02T03:04:05.006Z","status":"done"}\n',
    '{"type":"response","seq":2,"time":"2026-01-02T03:04:05.006Z","id":1}\n',
  ])
})

test("in a line above 1 MB texts above 100,000 characters are cut, at any depth", () => {
  const line = (rest: object): { readonly text: string } & Record<string, unknown> => {
    const text = eventLine({ type: "x", ...rest }, 1, "t")
    assert.ok(text.endsWith("\n"))
    return { text, ...(JSON.parse(text) as Record<string, unknown>) }
  }
  const overhead = eventLine({ type: "x", a: "" }, 1, "t").length - 1
  const most = "y".repeat(1_000_000 - overhead)
  assert.equal(line({ a: most })["a"], most)
  assert.equal(line({ a: `${most}y` })["a"], `${"y".repeat(100_000)}... [cut: ${most.length + 1} characters]`)
  const chinese = "工".repeat(333_320)
  assert.equal(line({ a: chinese })["a"], chinese)
  assert.match(String(line({ a: `${chinese}${"工".repeat(20)}` })["a"]), /cut: 333340 characters\]$/)
  const kept = "z".repeat(100_000)
  const deep = line({ list: [{ one: kept, two: `${kept}z` }], three: most, n: 1, nothing: null, yes: true })
  assert.deepEqual(deep["list"], [{ one: kept, two: `${kept}... [cut: 100001 characters]` }])
  assert.deepEqual([deep["n"], deep["nothing"], deep["yes"]], [1, null, true])
})

function streams(): { readonly streams: OutputStreams; readonly err: () => string } {
  let err = ""
  const write = (text: string): void => void (err += text)
  return {
    streams: {
      t: english,
      out: () => undefined,
      err: write,
      outIsTerminal: true,
      errIsTerminal: true,
      outputClosed: false,
    },
    err: () => err,
  }
}

const denial = (reason: string, more: object = {}) => ({ tool: "bash", reason, ...more })

function reported(end: object, denials: readonly object[] = [], how = report): string {
  const { streams: to, err } = streams()
  how(to, end as RunEnd, { denials } as unknown as RunSummary)
  return err()
}

test("refused calls are reported with the first line of the reason, unless the refusal has ended the run", () => {
  const denials = [denial("Refused: The rule forbids it\nmore"), denial("The rule forbids it")]
  assert.equal(
    reported({ status: "done" }, denials),
    "gong: bash was refused: The rule forbids it\ngong: bash was refused: the rule forbids it\n",
  )
  assert.equal(reported({ status: "refused" }, denials), "")
  const own = denial("English", { phrase: phrase`The level is ${"plan"}` })
  assert.equal(reported({ status: "done" }, [own]), "gong: bash was refused: the level is plan\n")
})

test("a failure is reported with its hint, but not that of a run that is done or interrupted", () => {
  const hinted = failure("auth", "no key.", { hint: "gong login stores one" })
  assert.equal(reported({ status: "failed", failure: failure("auth", "no key") }), "gong: no key\n")
  assert.equal(reported({ status: "failed", failure: hinted }), "gong: no key. gong login stores one\n")
  assert.equal(reported({ status: "limit", failure: failure("limit", "too many turns") }), "gong: too many turns\n")
  for (const status of ["done", "interrupted"]) assert.equal(reported({ status, failure: hinted }), "")
  assert.equal(reported({ status: "failed" }), "")
})

test("a conversation does not repeat what its user refused, and reports an interruption", () => {
  const byUser = denial("Refused: the user said no", { phrase: phrase`Refused: the user said no.` })
  assert.equal(reported({ status: "done" }, [byUser], reportInConversation), "")
  assert.match(reported({ status: "done" }, [byUser]), /^gong: bash was /)
  assert.match(reported({ status: "done" }, [denial("other")], reportInConversation), /other/)
  assert.equal(reported({ status: "interrupted" }, [], reportInConversation), "Stopped.\n")
  assert.equal(reported({ status: "done" }, [], reportInConversation), "")
})

test("an answer that could not be written to its file changes the status of a run that is done", async () => {
  const saved: string[] = []
  const save = async (exit: number, error: { exit: number; lines: readonly string[] } | null, hasFile = true) => {
    const { streams: to, err } = streams()
    const options = { exitOf: () => exit, save: hasFile ? async (text: string) => (saved.push(text), error) : null }
    return [await saveAnswer(to, options, { status: "done", turns: 1 }, "text"), err()]
  }
  const error = { exit: 2, lines: ["gong: no", "gong: really"] }
  assert.deepEqual(await save(0, error), [2, "gong: no\ngong: really\n"])
  assert.deepEqual(await save(3, error), [3, "gong: no\ngong: really\n"])
  assert.deepEqual(await save(0, null), [0, ""])
  assert.deepEqual(await save(1, null, false), [1, ""])
  assert.deepEqual(saved, ["text", "text", "text"])
})

test("a renderer of an extension gives a call as indented text, and null where there is none", async () => {
  const asked: unknown[] = []
  const renderers = new Map<string, (call: unknown) => Promise<object | null>>([
    ["mine", async (call: unknown) => (asked.push(call), [[{ text: "a" }, { text: "b" }], [{ text: "c" }]])],
    ["silent", async () => null],
  ])
  const render = extensionRenderer({ columns: 80 }, () => renderers as never)
  const call = (name: string) =>
    ({
      toolCallId: "1",
      name,
      status: "ok",
      content: [],
      details: null,
      durationMs: 5,
    }) as unknown as ToolExecutionEndEvent
  const shown = { title: "t", args: { x: 1 } }
  assert.equal(render(call("other"), shown, ""), null)
  assert.equal(await render(call("mine"), shown, "  "), "  ab\n      c")
  assert.equal(await render(call("silent"), shown, ""), null)
  assert.deepEqual(asked, [
    {
      id: "1",
      tool: "mine",
      title: "t",
      args: { x: 1 },
      status: "ok",
      content: [],
      details: null,
      durationMs: 5,
      width: 78,
    },
  ])
})

test("lines of renderers and diffs are painted by their styles and signs", () => {
  const style = createStyle({ terminal: true, env: { TERM: "xterm" } })
  const line = (...names: readonly string[]) =>
    paintedLine(english, { style }, names.map((name) => ({ text: "x", style: name })) as never)
  assert.equal(line("added"), style.added("x"))
  assert.equal(line("removed", "error"), style.removed("x").repeat(2))
  assert.equal(line("dim", "number"), style.muted("x").repeat(2))
  assert.equal(line("name", "title"), style.strong("x").repeat(2))
  assert.equal(line("other"), style.text("x"))
  assert.equal(new Set([line("added"), line("removed"), line("dim"), line("name"), line("other")]).size, 5)
  assert.equal(
    paintedDiff({ style }, "  + a\n- b\n c+\n"),
    [style.added("  + a"), style.removed("- b"), style.text(" c+"), style.text("")].join("\n"),
  )
})

test("a label has its letter in brackets, and a choice its description or its phrase", () => {
  assert.deepEqual(["[e]nd", "s[t]ay", "[工]", "none", "[ab]"].map(letterOf), ["e", "t", "工", "", ""])
  assert.equal(choiceText(english, { label: "a" }), "a")
  assert.equal(choiceText(english, { label: "a", description: "the first" }), "a: the first")
  assert.equal(choiceText(english, { label: "a", description: "the first", phrase: phrase`yes` }), "yes")
})
