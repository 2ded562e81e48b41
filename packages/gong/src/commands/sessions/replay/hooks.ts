import { type Entry, type Hook, textOf } from "@gong/spec"
import type { Branch } from "@gong/tape"
import type { RecordedRun } from "./plan.ts"

/** What hooks put on the tape, put there again: messages beside a prompt, and reasons to go on. */
export function standInHooks(all: Branch, run: () => RecordedRun, expected: () => Entry | undefined): readonly Hook[] {
  const added = () => entriesOf(all, run().first, run().prompt)
  const first: Hook = {
    name: "recorded",
    async beforeStop() {
      const next = expected()
      if (next?.type !== "custom_message" || next.customType !== goOn) return { answer: "ok" }
      return { answer: "block", reason: textOf(next) }
    },
  }
  const adding = [...namesIn(all)].map((name): Hook => ({
    name,
    async onBeforeAgent() {
      const own = added().filter((entry) => nameOf(entry) === name)
      return { messages: own.map(({ content }) => ({ role: "user", content })) }
    },
  }))
  return [...adding, first]
}

type Added = Extract<Entry, { type: "custom_message" }>

/** As the loop names what a hook says when it sends a run on. */
const goOn = "gong.hook"
const prefix = "hook."

function entriesOf(all: Branch, from: number, to: number): readonly Added[] {
  const entries: Added[] = []
  for (let place = from; place < to; place++) {
    const entry = all.entry(place)
    if (entry.type === "custom_message" && entry.customType.startsWith(prefix)) entries.push(entry)
  }
  return entries
}

function nameOf({ customType }: Added): string {
  return customType.slice(prefix.length)
}

/** In the order in which they first spoke, which is that of the hooks. */
function namesIn(all: Branch): ReadonlySet<string> {
  return new Set(entriesOf(all, 0, all.length).map(nameOf))
}
