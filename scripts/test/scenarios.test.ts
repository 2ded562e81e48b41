import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { coverageOf, idsOf, guaranteesOf, rowsOf } from "../scenarios.ts"

const catalogue = `# Scenarios
## EDIT: Edit tool
| ID | Kind | Given / When / Then |
|---|---|---|
| EDIT-1.1 | must | **G** x |
| EDIT-1.2 | must | a \\| b |
| EDIT-1.3 | must | x |
| BDD-EDIT-017 | gap | x |
## LIVE: Live
| LIVE-1 | reserved | x |
| LIVE-2 | optional | x |
| LIVE-OLLAMA.* | reserved2 | x |
`

test("a title begins with its IDs, in one pair of brackets or several", () => {
  assert.deepEqual(idsOf("[EDIT-1.1] works"), ["EDIT-1.1"])
  assert.deepEqual(idsOf("[EDIT-1.1, EDIT-1.2 BDD-EDIT-017][LIVE-1] [x] works [UTF-8]"), [
    "EDIT-1.1",
    "EDIT-1.2",
    "BDD-EDIT-017",
    "LIVE-1",
  ])
  assert.deepEqual(idsOf("reads [UTF-8] files"), [])
})

test("rows come with the area of their heading", () => {
  assert.deepEqual(
    rowsOf(catalogue).map((row) => `${row.area} ${row.id} ${row.kind}`),
    [
      "EDIT EDIT-1.1 must",
      "EDIT EDIT-1.2 must",
      "EDIT EDIT-1.3 must",
      "EDIT BDD-EDIT-017 gap",
      "LIVE LIVE-1 reserved",
      "LIVE LIVE-2 optional",
      "LIVE LIVE-OLLAMA.* reserved2",
    ],
  )
  assert.throws(() => rowsOf(`${catalogue}| LIVE-1 | must | x |\n`), /LIVE-1 is in the catalogue twice/)
})

test("proven, failing, skipped and missing rows are distinguished", () => {
  const { areas, unknown } = coverageOf(rowsOf(catalogue), [
    { title: "[EDIT-1.1, BDD-EDIT-017] a", ok: true },
    { title: "[EDIT-1.1] b", ok: true, skip: "no key" },
    { title: "[EDIT-1.2] c", ok: true },
    { title: "[EDIT-1.2] d", ok: false },
    { title: "[LIVE-1] e", ok: true, skip: "no key" },
    { title: "[LIVE-OLLAMA.3] f", ok: true },
    { title: "[EDIT-9.9] g", ok: true },
    { title: "h", ok: true },
  ])
  assert.deepEqual(areas, [
    {
      area: "EDIT",
      proven: ["EDIT-1.1", "BDD-EDIT-017"],
      failing: ["EDIT-1.2"],
      skipped: [],
      missing: ["EDIT-1.3"],
      optional: [],
    },
    {
      area: "LIVE",
      proven: ["LIVE-OLLAMA.*"],
      failing: [],
      skipped: [{ id: "LIVE-1", reason: "no key" }],
      missing: [],
      optional: ["LIVE-2"],
    },
  ])
  assert.deepEqual(unknown, ["EDIT-9.9"])
})

test("the shipped catalogue has all its rows", () => {
  const rows = rowsOf(readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8"))
  assert.equal(rows.length, 936)
  assert.equal(new Set(rows.map((row) => row.area)).size, 33)
})

test("each guarantee of docs/permissions.md is in the title of a test, and no other ID is", () => {
  const root = join(import.meta.dirname, "../..")
  const guaranteed = guaranteesOf(readFileSync(join(root, "docs/permissions.md"), "utf8")).map(({ id }) => id)
  const tests = globSync("{packages/*,testing}/test/**/*.ts", { cwd: root })
  const named = tests.flatMap((file) => readFileSync(join(root, file), "utf8").match(/\[SAFE-\d+\]/g) ?? [])
  assert.deepEqual(
    guaranteed.toSorted(),
    [...new Set(named.map((name) => name.slice(1, -1)))].toSorted(),
    "a guarantee without a test, or a test of none",
  )
  assert.throws(
    () => guaranteesOf("| SAFE-1 | a | b |\n| SAFE-1 | c | d |\n"),
    /SAFE-1 is in the table of guarantees twice/,
  )
})
