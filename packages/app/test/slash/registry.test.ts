import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { test } from "node:test"
import type { OtherCommand, SlashContext } from "../../src/slash/command.ts"
import { slashNames } from "../../src/slash/names.ts"
import { listCommands, slashCommands } from "../../src/slash/registry.ts"
import { runTyped } from "../../src/slash/run.ts"

const wanted =
  "settings model export share copy name session changelog hotkeys fork tree login logout new compact resume reload quit undo redo diff context cost tools permissions plan trust skills init help"

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
const controller = { current: { resources } }
const context = { t: english, controller, commands: () => listCommands(others) } as unknown as SlashContext

test("lines for templates and skills become messages with a plain slash; a misspelling is reported", async () => {
  assert.deepEqual(await runTyped(context, "／review src/a.ts"), { kind: "message", text: "/review src/a.ts" })
  assert.deepEqual(await runTyped(context, "/skill:review"), { kind: "message", text: "/skill:review" })
  const slip = await runTyped(context, "/reveiw src")
  assert.ok(slip.kind === "output")
  assert.match(slip.lines.join("\n"), /^There is no \/reveiw\. Did you mean \/review\?/)
})
