import assert from "node:assert/strict"
import { appendFileSync, readdirSync, rmSync } from "node:fs"
import { test } from "node:test"
import { openIndex, type TapeIndex } from "../../src/index/index.ts"
import type { Tape } from "../../src/index.ts"
import { type Disk, nodeDisk } from "../../src/store/file.ts"
import { input, reply, result, start, user } from "../world.ts"
import { foundBy, type Home, testHome } from "./home.ts"

const seeds = Number(process.env["GONG_INDEX_SEEDS"] ?? 6)
const steps = 30
const vocabulary = ["alpha", "betaGamma", "delta_eps", "修复会话", "검색", "v12", "the"]
const questions = [...vocabulary, "gamma", "复会", "12", '"alpha the"', "alpha v12", "del"]

/** The same numbers for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** A disk that fails at one of the next reads, as if the process ended there. */
function mortalDisk(): { readonly disk: Disk; dieAt(reads: number): void } {
  const inner = nodeDisk()
  let left = Number.POSITIVE_INFINITY
  return {
    dieAt: (reads) => void (left = reads),
    disk: {
      ...inner,
      read(file, into, position) {
        if (left-- <= 0) throw Object.assign(new Error("gone"), { code: "EIO" })
        return inner.read(file, into, position)
      },
    },
  }
}

for (let seed = 1; seed <= seeds; seed++) {
  test(`[TAPE-REBUILD.1] [TAPE-REBUILD.3] whatever happened, the index answers as one made anew (seed ${seed})`, (t) => {
    const home = testHome(t)
    const roll = dice(seed)
    const { disk, dieAt } = mortalDisk()
    let live = home.index(disk)
    const second = home.index()
    for (let step = 0; step < steps; step++) {
      act(home, roll)
      const what = roll(6)
      if (what === 0) second.catchUp()
      if (what === 1) {
        dieAt(roll(8))
        try {
          live.catchUp()
        } catch {
          live.close()
        }
        dieAt(Number.POSITIVE_INFINITY)
        live = home.index(disk)
      }
      if (what > 3) live.catchUp()
    }
    live.catchUp()
    const fresh = openIndex(home.ports, { file: ":memory:", source: { sessions: home.sessions } })
    t.after(() => fresh.close())
    fresh.catchUp()
    assert.deepEqual(answersOf(live), answersOf(fresh))
    live.rebuild()
    second.catchUp()
    assert.deepEqual([answersOf(live), answersOf(second)], [answersOf(fresh), answersOf(fresh)])
  })
}

function answersOf(index: TapeIndex) {
  return {
    list: index.list(),
    stats: index.stats(),
    found: questions.map((question) => [question, index.search(question)?.total, foundBy(index, question)]),
  }
}

/** One thing that happens to the tapes. */
function act(home: Home, roll: (below: number) => number): void {
  const ids = readdirSync(home.sessions).filter((name) => !name.startsWith("."))
  const id = ids[roll(Math.max(ids.length, 1))]
  if (id === undefined || (roll(5) === 0 && ids.length < 5)) return home.make(`s${roll(1000)}-${ids.length}`).close()
  const path = `${home.sessions}/${id}`
  switch (roll(12)) {
    case 0:
      return rmSync(path, { recursive: true })
    case 1: {
      // The remains of a crash: the start of a line, or a whole one without its end.
      const phase = readdirSync(`${path}/anchors`).toSorted().at(-1)
      return appendFileSync(`${path}/anchors/${phase}/entries.jsonl`, roll(2) === 0 ? '{"id":"' : "\0\0junk\n")
    }
    default: {
      const tape = home.reopen(id)
      grow(tape, roll)
      return tape.close()
    }
  }
}

function grow(tape: Tape, roll: (below: number) => number): void {
  const text = Array.from({ length: 1 + roll(5) }, () => vocabulary[roll(vocabulary.length)]).join(" ")
  switch (roll(7)) {
    case 0:
      return void tape.handoff(`phase ${roll(9)}`, { entries: [user(text)] })
    case 1:
      return void tape.navigate(tape.store.heads()[roll(tape.store.heads().length)]?.id ?? "", text)
    case 2:
      return void tape.append([{ type: "session_info", name: text }], { sync: false })
    case 3: {
      const [asked] = tape.append([input(text)], { sync: true })
      return void tape.append([user(text, asked?.id), reply(text, ["c"]), start("c"), result("c")], { sync: false })
    }
    default:
      return void tape.append([user(text), reply(text)], { sync: false })
  }
}
