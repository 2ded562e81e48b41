import type { Entry, Store } from "@gong/spec"

/** Bugs that are put in on purpose, to see that the simulator finds them. */
export const plants = {
  /** The start of a tool is written and not synced before the tool takes effect. */
  "sync-skipped": (store: Store): Store =>
    instead(store, (entries, { sync }) =>
      store.append(entries, { sync: sync && !entries.some((entry) => entry.type === "tool_start") }),
    ),
  /** An input is acknowledged before it is durable. */
  "input-unsynced": (store: Store): Store =>
    instead(store, (entries, { sync }) =>
      store.append(entries, { sync: sync && !entries.some((entry) => entry.type === "input") }),
    ),
  /** The results of a batch stand on the tape in another order than their calls. */
  "results-turned": (store: Store): Store =>
    instead(store, (entries, options) => store.append(turned(entries), options)),
} as const

export type Plant = keyof typeof plants

function instead(store: Store, append: Store["append"]): Store {
  return Object.create(store, { append: { value: append } }) as Store
}

function turned(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.every((entry) => entry.type === "message" && entry.message.role === "tool")) return entries
  return entries.map(({ id, parentId }, index) => {
    const other = entries[entries.length - 1 - index]
    return { ...(other as Entry), id, parentId }
  })
}
