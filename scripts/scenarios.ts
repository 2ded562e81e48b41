/** One row of docs/scenarios.md. */
export interface Row {
  readonly id: string
  readonly area: string
  readonly kind: string
}

/** The result of one test. */
export interface TestEnd {
  readonly title: string
  readonly ok: boolean
  /** Why it did not run. */
  readonly skip?: string
}

export interface Coverage {
  readonly areas: readonly AreaCoverage[]
  /** IDs in titles that no row has. */
  readonly unknown: readonly string[]
}

export interface AreaCoverage {
  readonly area: string
  readonly proven: readonly string[]
  /** Named by tests of which none passed and one failed. */
  readonly failing: readonly string[]
  /** Only named by tests that did not run. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[]
  readonly missing: readonly string[]
  /** Missing as well, but optional. */
  readonly optional: readonly string[]
}

/** A row is proven when a test that names it passed and none that names it failed. */
export function coverageOf(rows: readonly Row[], tests: readonly TestEnd[]): Coverage {
  const known = new Map(rows.map((row) => [row.id, row]))
  const named = new Map<string, TestEnd[]>()
  const unknown = new Set<string>()
  for (const test of tests)
    for (const id of idsOf(test.title)) {
      const row = known.get(id) ?? known.get(id.replace(/\.\w+$/, ".*"))
      if (row === undefined) unknown.add(id)
      else named.set(row.id, [...(named.get(row.id) ?? []), test])
    }
  const areas = [...new Set(rows.map((row) => row.area))]
  return { areas: areas.map((area) => areaOf(area, rows, named)), unknown: [...unknown] }
}

function areaOf(area: string, rows: readonly Row[], named: ReadonlyMap<string, readonly TestEnd[]>): AreaCoverage {
  const proven: string[] = []
  const failing: string[] = []
  const skipped: { id: string; reason: string }[] = []
  const missing: string[] = []
  const optional: string[] = []
  for (const { id, kind } of rows.filter((row) => row.area === area)) {
    const tests = named.get(id) ?? []
    const reason = tests.find((test) => test.skip !== undefined)?.skip
    if (tests.some((test) => !test.ok)) failing.push(id)
    else if (tests.some((test) => test.skip === undefined)) proven.push(id)
    else if (reason !== undefined) skipped.push({ id, reason })
    else if (kind === "optional") optional.push(id)
    else missing.push(id)
  }
  return { area, proven, failing, skipped, missing, optional }
}

/** The IDs in brackets at the start of a title: `[EDIT-1.1, EDIT-A.01] ...` or `[EDIT-1.1] [EDIT-A.01] ...`. */
export function idsOf(title: string): string[] {
  const brackets = /^(?:\[[^\]]*\]\s*)+/.exec(title)?.[0] ?? ""
  return brackets.split(/[[\],\s]+/).filter((word) => /^[A-Z]+-/.test(word))
}

/** Reads the tables of docs/scenarios.md; the area is the heading above. Throws on a duplicate ID. */
export function rowsOf(markdown: string): Row[] {
  const rows = new Map<string, Row>()
  let area = ""
  for (const line of markdown.split("\n")) {
    area = /^## (\w+): /.exec(line)?.[1] ?? area
    const [, id, kind] = /^\| ([A-Z]+-\S+) \| (\w+) \|/.exec(line) ?? []
    if (id === undefined || kind === undefined) continue
    if (rows.has(id)) throw new Error(`${id} is in the catalogue twice`)
    rows.set(id, { id, area, kind })
  }
  return [...rows.values()]
}

/** The guarantees of docs/permissions.md: rows that start with their ID, `SAFE-1`. Throws on a duplicate ID. */
export function guaranteesOf(markdown: string): Row[] {
  const ids = [...markdown.matchAll(/^\| (SAFE-\d+) \|/gm)].map(([, id = ""]) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice !== undefined) throw new Error(`${twice} is in the table of guarantees twice`)
  return ids.map((id) => ({ id, area: "SAFE", kind: "must" }))
}
