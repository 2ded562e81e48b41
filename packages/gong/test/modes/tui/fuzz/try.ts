import type { Clock, Event } from "@gong/spec"
import { createFrame, type Size } from "@gong/screen/frame"
import { keyDecoder } from "@gong/screen/keys"
import { type Row, textOf } from "@gong/screen/row"
import { type Emulator, openEmulator } from "@gong/testing/emulator"
import { createRng, type Rng } from "@gong/testing/sim/rng"
import { createStyle } from "@gong/texts/style"
import { english } from "@gong/texts/translator"
import { createFeed } from "../../../../src/modes/tui/feed.ts"
import type { Message } from "../../../../src/modes/tui/messages.ts"
import { initialState } from "../../../../src/modes/tui/state.ts"
import { update } from "../../../../src/modes/tui/update.ts"
import { view } from "../../../../src/modes/tui/view.ts"

export interface Tried {
  /** Null: none. */
  readonly violation: string | null
  readonly frames: number
  readonly rows: number
}

const pieces: readonly [string, ...string[]] = [
  "# Heading\n\n",
  "A sentence with **bold**, `code` and [a link](https://example.com/a). ",
  "一段中文，夹着 English 和标点。",
  "👍🏽 👨‍👩‍👧 e\u0301 ",
  "- item\n",
  "  - nested\n",
  "1. first\n2. second\n",
  "> quoted\n",
  "```ts\nconst a = 1 // one\n\nlet b = `two`\n```\n",
  "```\nplain\n",
  "| a | b |\n|---|---|\n| 1 | two |\n",
  "| 3 | 四 |\n",
  "\n",
  "\n\n",
  "word ",
  "averyveryverylongwordwithoutanyblankinitthatmustbebroken ",
  "***\n",
  "\\* \\_ &amp; <b>html</b> ",
  "~~gone~~ ",
  "    indented\n",
  "\u001b[31mred\u0007 ",
  "line  \nbreak\n",
]
const typed: readonly [string, ...string[]] = ["a", "中", "\u007f", "\u001b[D", "\u0001", "\u000a", "word ", "\u0015"]
const forbidden = /\[[23]J|\[\d*;\d*r|\?(?:9|100[0-6])h/

/**
 * A reply in Markdown that arrives character by character while keys are typed: each frame shows what a full paint would, with the
 * cursor at the caret, and the transcript is in the end what it would be in one piece.
 */
export async function tryOne(seed: number): Promise<Tried> {
  const rng = createRng(seed)
  const size = { columns: 20 + rng.int(70), rows: 6 + rng.int(20) }
  const text = Array.from({ length: 3 + rng.int(12) }, () => rng.pick(pieces)).join("")
  const slow = await play(Array.from(text), size, rng)
  if (slow.violation !== null) return slow
  const whole = await play([text], size, null)
  const differs = JSON.stringify(slow.transcript) !== JSON.stringify(whole.transcript)
  return {
    ...slow,
    violation:
      whole.violation ??
      (differs
        ? `the transcript differs from that in one piece: ${JSON.stringify([slow.transcript, whole.transcript])}`
        : null),
  }
}

/** `rng`: null: nothing is typed. */
async function play(deltas: readonly string[], size: Size, rng: Rng | null) {
  const emulator = openEmulator(size.columns, size.rows)
  const style = createStyle({ terminal: true, env: { TERM: "xterm-256color" } })
  const frame = createFrame({ paint: ({ text, role = "" }) => style.styled(text, role), reflows: true })
  const decoder = keyDecoder()
  const left: Row[] = []
  let state = initialState(size, 0)
  let frames = 0
  const emit = (message: Message): void => void (state = update(state, message, 0).state)
  const type = (bytes: string): void => decoder.feed(bytes).forEach((input) => emit({ kind: "input", input }))
  const clock = { now: () => 0 } as Clock
  const feed = createFeed(() => null, {
    t: english,
    clock,
    images: null,
    size: () => size,
    render: null,
    turned: () => undefined,
    emit,
  })

  async function draw(): Promise<string | null> {
    await feed.settled()
    const shown = view(english, state)
    const bytes = frame.render(shown, size)
    emit({ kind: "drawn", blocks: state.blocks.length })
    frames += 1
    left.push(...shown.left)
    if (forbidden.test(bytes)) return `the frame has ${JSON.stringify(bytes)}`
    await emulator.write(bytes)
    const again = frame.render({ ...shown, left: [] }, size)
    if (again !== "") return `nothing has changed, but ${JSON.stringify(again)} is written`
    const { caret } = shown
    const cursor = emulator.cursor()
    if (caret !== null && (cursor.row !== left.length + caret.row || cursor.column !== caret.column))
      return `the cursor is at ${JSON.stringify(cursor)}, the caret at ${JSON.stringify(caret)} below ${left.length} rows`
    return difference(emulator, [...left, ...shown.live])
  }

  const take = (event: object): void => feed.take(event as Event)
  take({ type: "agent_start" })
  let violation = await draw()
  for (const delta of deltas) {
    if (violation !== null) break
    take({ type: "message_update", id: "m", kind: "text", index: 0, delta })
    if (rng !== null && rng.int(4) === 0) type(rng.pick(typed))
    violation = await draw()
  }
  take({ type: "message_end", message: { role: "assistant", content: [] } })
  take({ type: "agent_end", status: "done" })
  violation ??= await draw()
  return { violation, frames, rows: left.length, transcript: left.map(({ spans }) => spans) }
}

/** Null: the emulator shows these rows. */
function difference(emulator: Emulator, rows: readonly Row[]): string | null {
  const expected = rows.map((row) => `${row.continues === true ? "+" : " "}${textOf(row.spans).trimEnd()}`)
  const found = emulator.rows().map(({ text, continues }) => `${continues ? "+" : " "}${text.trimEnd()}`)
  for (const list of [expected, found]) while (list.at(-1)?.trim() === "") list.pop()
  const at = expected.findIndex((row, index) => row !== found[index])
  if (at < 0 && found.length === expected.length) return null
  return `row ${at}: ${JSON.stringify(found[at])} in place of ${JSON.stringify(expected[at])} (${found.length} and ${expected.length} rows)`
}
