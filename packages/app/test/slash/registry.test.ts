import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { test } from "node:test"
import type { OtherCommand, SlashContext } from "../../src/slash/command.ts"
import { slashNames } from "../../src/slash/names.ts"
import { listCommands, slashCommands } from "../../src/slash/registry.ts"
import { runTyped } from "../../src/slash/run.ts"

const wanted =
  "bug jobs memory output settings model export share copy name session changelog hotkeys fork tree login logout mcp new compact resume reload quit undo redo diff context cost tools permissions plan trust skills tasks theme init help"

test("Gong's own commands are listed once each, in alphabetical order", () => {
  const names = slashCommands.map(({ name }) => name)
  assert.deepEqual(names, wanted.split(" ").toSorted())
  assert.deepEqual(slashNames, names)
  for (const { name, about } of slashCommands) assert.match(about, /^\S.{5,70}$/, name)
})

const others: readonly OtherCommand[] = [
  { name: "skill:review", about: "reviews", source: "skill" },
  { name: "review", about: "a template", source: "prompt" },
  { name: "undo", about: "not this one", source: "extension" },
  { name: "deploy", about: "a template", source: "prompt" },
  { name: "deploy", about: "deploys", source: "extension" },
]

test("all slash commands with their source: own ones before extensions, templates and skills", () => {
  const listed = listCommands(others)
  assert.deepEqual(
    listed.slice(slashCommands.length).map(({ name, source }) => [name, source]),
    [
      ["deploy", "extension"],
      ["review", "prompt"],
      ["skill:review", "skill"],
    ],
  )
  assert.ok(listed.slice(0, slashCommands.length).every(({ source }) => source === "builtin"))
  assert.equal(listed.find(({ name }) => name === "undo")?.source, "builtin")
})

/** A conversation that has these commands beside Gong's own. */
const resources = { library: { scan: async () => undefined }, extensions: { commands: [] } }
const controller = { current: { resources, mcp: { commands: () => [] } } }
const context = { t: english, controller, commands: () => listCommands(others) } as unknown as SlashContext

test("lines for templates and skills become messages with a plain slash; a misspelling is reported", async () => {
  assert.deepEqual(await runTyped(context, "／review src/a.ts"), { kind: "message", text: "/review src/a.ts" })
  assert.deepEqual(await runTyped(context, "/skill:review"), { kind: "message", text: "/skill:review" })
  const slip = await runTyped(context, "/reveiw src")
  assert.ok(slip.kind === "output")
  assert.deepEqual(slip.lines, ["There is no /reveiw. Did you mean /review? A blank in front sends it as a message."])
})

test("a line with one unknown name alone is reported, also without a similar one; with further words it is a message", async () => {
  const report = async (text: string) => {
    const result = await runTyped(context, text)
    return result.kind === "output" ? result.lines.join("\n") : result
  }
  const alone = "There is no /xyzzy. /help lists all commands. A blank in front sends it as a message."
  assert.equal(await report("/xyzzy"), alone)
  assert.equal(await report("／xyzzy "), alone)
  assert.match(JSON.stringify(await report("/mode")), /Did you mean \/model\?/)
  assert.match(JSON.stringify(await report("/ski")), /There is no \/ski\./)
  for (const text of ["/xyzzy is a word", " /xyzzy", "/usr/bin", "/etc/hosts"])
    assert.deepEqual(await report(text), { kind: "message", text })
})

test("names of other agents run Gong's command, unless a template or a command of an extension has them", async () => {
  const quits = { kind: "quit" }
  for (const text of ["/exit", "/EXIT", "exit", "quit", " Quit ", "／ｅｘｉｔ"])
    assert.deepEqual(await runTyped(context, text), quits, text)
  const help = await runTyped(context, "?")
  assert.ok(help.kind === "output" && help.lines.some((line) => line.includes("/clear = /new, ")))
  assert.deepEqual(await runTyped(context, "？"), help)
  const listed: readonly OtherCommand[] = [{ name: "exit", about: "a template", source: "prompt" }]
  const own = { ...context, commands: () => listCommands(listed) }
  assert.deepEqual(await runTyped(own, "/exit now"), { kind: "message", text: "/exit now" })
  const aliases = slashCommands.flatMap(({ name, aliases: others = [] }) => others.map((other) => [other, name]))
  assert.deepEqual(Object.fromEntries(aliases), {
    agents: "tasks",
    approvals: "permissions",
    bashes: "jobs",
    clear: "new",
    config: "settings",
    exit: "quit",
    rewind: "tree",
    status: "session",
    usage: "cost",
  })
  for (const text of ["exit now", "what?", "? what", "#", "# note"])
    assert.deepEqual(await runTyped(context, text), { kind: "message", text })
})

test("! runs a command of the shell, !! one that the model does not see; alone it says how", async () => {
  const calls: unknown[] = []
  const call = async (...args: readonly unknown[]) => {
    calls.push(args)
    return { ok: true, data: { output: "one\ntwo" } }
  }
  const shell = { ...context, controller: { ...controller, call } } as unknown as SlashContext
  for (const text of ["!npm test", "！npm test", "!! npm test", "！！npm test"])
    assert.deepEqual((await runTyped(shell, text)).kind, "output", text)
  const lines = await runTyped(shell, "!a b")
  assert.deepEqual(lines.kind === "output" && lines.lines, ["one", "two"])
  // With the content of a mentioned file, or pasted.
  for (const text of ['!cat @a\n\n<file path="a">\nrm -rf x\n</file>', "!a\nb", "!!\nb"])
    assert.deepEqual(await runTyped(shell, text), { kind: "message", text })
  assert.deepEqual(calls, [
    ["bash", { command: "npm test" }],
    ["bash", { command: "npm test" }],
    ["bash", { command: "npm test", private: true }],
    ["bash", { command: "npm test", private: true }],
    ["bash", { command: "a b" }],
  ])
  const alone = await runTyped(shell, "!")
  assert.deepEqual([calls.length, alone.kind === "output" && alone.lines.length], [5, 1])
})
