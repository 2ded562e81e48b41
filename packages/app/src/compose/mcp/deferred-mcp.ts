import { type Hook, textNotification } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"
import { type AttachedSession, none, promptTime, type SessionMcp } from "./parts.ts"

/** Servers that are loaded before the first message or by the first command, so that the start of a conversation does without. */
export function deferredMcp(t: Translate, load: () => Promise<SessionMcp>): SessionMcp {
  let current = none
  let attached: AttachedSession | null = null
  let loading: Promise<void> | null = null
  const begin = async (): Promise<void> => {
    current = await load()
    for (const line of current.lines) {
      const text = t.text(line).replace(/^gong: /, "")
      attached?.session.notify(textNotification("mcp", "warn", text))
    }
    if (attached !== null) current.attach(attached)
    attached?.renewed()
  }
  const loaded = (): Promise<void> => (loading ??= begin())
  const atFirstMessage: Hook = {
    name: "MCP servers, with the first message",
    timeMs: promptTime,
    async onInput(text, images, context) {
      await loaded()
      const [hook] = current.hooks
      return (await hook?.onInput?.(text, images, context)) ?? { answer: "passthrough" }
    },
  }
  return {
    load: loaded,
    source: {
      ...none.source,
      get tools() {
        return current.source.tools
      },
    },
    declared: (name) => current.declared(name),
    commands: () => current.commands(),
    hooks: [atFirstMessage],
    lines: [],
    rows: () => current.rows(),
    output: (name) => current.output(name),
    start: (name, signal) => current.start(name, signal),
    accept: (name) => current.accept(name),
    turn: (name, on) => current.turn(name, on),
    login: (name, signal) => current.login(name, signal),
    attach: (session) => void (attached = session),
    async end() {
      await loading
      await current.end()
    },
  }
}
