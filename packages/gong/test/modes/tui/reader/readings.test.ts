import assert from "node:assert/strict"
import { test } from "node:test"
import type { SessionController } from "@gong/app/controller/api"
import type { UserDialogs } from "@gong/app/slash/result"
import { textOf } from "@gong/screen/row"
import { english } from "@gong/texts/translator"
import type { Message } from "../../../../src/modes/tui/messages.ts"
import { showChanges } from "../../../../src/modes/tui/reader/changes.ts"
import type { Passage } from "../../../../src/modes/tui/reader/reader.ts"
import { createReadings, type Readings } from "../../../../src/modes/tui/reader/readings.ts"

test("a text is read until it is left: each has its own number, and all end with the screen", async () => {
  const messages: (readonly [Message, boolean])[] = []
  const readings = createReadings((message, isUrgent) => void messages.push([message, isUrgent]))
  const text = { title: "t", keys: [], opensAt: "start" } as const
  const [one, two, three] = [readings.open(text), readings.open(text), readings.open(text)]
  two.add([])
  assert.deepEqual(messages.slice(2), [
    [{ kind: "read", id: 3, text }, true],
    [{ kind: "passages", id: 2, passages: [] }, true],
  ])
  readings.end(2, "u")
  readings.end(2, "again")
  readings.end(9, null)
  assert.equal(await two.ended, "u")
  assert.deepEqual([one.isOpen, two.isOpen, three.isOpen], [true, false, true])
  readings.close()
  assert.deepEqual([await one.ended, await three.ended, one.isOpen], [null, null, false])
})

interface File {
  readonly path: string
  readonly lines: readonly string[]
}

const a: File = {
  path: "/repo/src/a.ts",
  lines: ["--- a", "+++ b", "@@ -1 +1 @@", "-old x", "+new x", " same", "@@ -9 +9 @@", "+more"],
}
const b: File = { path: "/other/b.ts", lines: ["+created"] }

/** Shows these changes; `answers`: of the list, `keys`: that end the reader. */
async function changes(
  states: readonly (readonly File[])[],
  answers: readonly (number | null)[],
  keys: readonly (string | null)[],
  confirms = true,
) {
  const left = { states: [...states], answers: [...answers], keys: [...keys] }
  const log: unknown[] = []
  const shown: Passage[] = []
  const controller = {
    current: { info: { cwd: "/repo" } },
    call: async () => {
      const files = left.states.shift()
      return files === undefined ? { ok: false, error: {} } : { ok: true, data: { files } }
    },
    typed: async (line: string) => (log.push(line), { kind: "output", lines: ["undone"] }),
  } as unknown as SessionController
  const dialogs = {
    choose: async (question: string, rows: readonly string[]) => (
      log.push([question, ...rows]),
      left.answers.shift() ?? null
    ),
    confirm: async (question: string) => (log.push(question), confirms),
  } as unknown as UserDialogs
  const readings = {
    open: ({ title, keys: own, opensAt }: { title: string; keys: readonly { key: string }[]; opensAt: string }) => {
      log.push(["read", title, ...own.map(({ key }) => key), opensAt])
      return {
        add: (passages: readonly Passage[]) => void shown.push(...passages),
        ended: Promise.resolve(left.keys.shift() ?? null),
      }
    },
  } as unknown as Readings
  await showChanges({ t: english, controller, dialogs, readings, print: (text) => void log.push(["print", text]) })
  return { log, shown }
}

test("changed files are listed with their lines until none is selected, and without changes nothing is asked", async () => {
  assert.deepEqual((await changes([[]], [], [])).log, [])
  assert.deepEqual((await changes([], [], [])).log, [], "the changes could not be read")
  const list = ["Changed files", "src/a.ts  +2 -1", "/other/b.ts  +1 -0"]
  assert.deepEqual(
    (
      await changes(
        [
          [a, b],
          [a, b],
        ],
        [0, null],
        [null],
      )
    ).log,
    [list, ["read", "src/a.ts", "u", "start"], list],
  )
  assert.deepEqual((await changes([[a, b]], [7], [])).log, [list])
})

test("a single changed file is shown at once; after its changes are undone the rest is listed", async () => {
  assert.deepEqual((await changes([[b]], [], [null])).log, [["read", "/other/b.ts", "u", "start"]])
  assert.deepEqual((await changes([[b], [b]], [], ["u"], false)).log, [
    ["read", "/other/b.ts", "u", "start"],
    "Undo the changes of /other/b.ts?",
  ])
  assert.deepEqual((await changes([[a], [b], []], [0], ["u", null])).log, [
    ["read", "src/a.ts", "u", "start"],
    "Undo the changes of src/a.ts?",
    "/undo /repo/src/a.ts",
    ["print", "undone"],
    ["Changed files", "/other/b.ts  +1 -0"],
    ["read", "/other/b.ts", "u", "start"],
  ])
})

test("each hunk is a passage, without the lines that name the file, and changed words are marked", async () => {
  const { shown } = await changes([[a]], [], [null])
  assert.deepEqual(
    shown.map(({ blocks, isMessage }) => [isMessage, ...blocks.map(({ line }) => textOf(line))]),
    [
      [true, "@@ -1 +1 @@", "-old x", "+new x", " same"],
      [true, "@@ -9 +9 @@", "+more"],
    ],
  )
  const [hunk] = shown
  assert.deepEqual(
    hunk?.blocks.map(({ line, whole }) => [whole, ...line.map(({ role }) => role)]),
    [
      [true, "muted"],
      [true, "removed", "removed strong", "removed"],
      [true, "added", "added strong", "added"],
      [true, undefined],
    ],
  )
  const created = await changes([[b]], [], [null])
  assert.deepEqual(
    created.shown.map(({ blocks }) => blocks.length),
    [1],
  )
})
