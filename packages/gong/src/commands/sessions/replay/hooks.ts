import { type Entry, type Hook, textOf } from "@gong/spec"
import type { Branch } from "@gong/tape"
import type { RecordedRun } from "./plan.ts"

/** Hooks that repeat what recorded hooks added: messages before a prompt, and reasons to continue. */
export function replayHooks(all: Branch, run: () => RecordedRun, expected: () => Entry | undefined): readonly Hook[] {
  const added = () => entriesOf(all, run().first, run().prompt)
  const stopHook: Hook = {
    name: "recorded",
    async beforeStop() {
      const next = expected()
      if (next?.type !== "custom_message" || next.customType !== continueType) return { answer: "ok" }
      return { answer: "block", reason: textOf(next) }
    },
  }
  const messageHooks = [...namesIn(all)].map((name): Hook => ({
    name,
    async onBeforeAgent() {
      const own = added().filter((entry) => nameOf(entry) === name)
      return { messages: own.map(({ content }) => ({ role: "user", content })) }
    },
  }))
  return [...messageHooks, stopHook]
}

type Added = Extract<Entry, { type: "custom_message" }>

/** The type of the message that continues a run, as in the loop. */
const continueType = "gong.hook"
const prefix = "hook."

function entriesOf(all: Branch, from: number, to: number): readonly Added[] {
  const entries: Added[] = []
  for (let position = from; position < to; position++) {
    const entry = all.entry(position)
    if (entry.type === "custom_message" && entry.customType.startsWith(prefix)) entries.push(entry)
  }
  return entries
}

function nameOf({ customType }: Added): string {
  return customType.slice(prefix.length)
}

/** In the order of their first messages, which is that of the hooks. */
function namesIn(all: Branch): ReadonlySet<string> {
  return new Set(entriesOf(all, 0, all.length).map(nameOf))
}
