import { thinkingLevels } from "@gong/spec"
import { errorText } from "@gong/app/controller/answer"
import type { SessionController } from "@gong/app/controller/api"
import type { Translate } from "@gong/texts/translator"
import type { Message } from "./messages.ts"

/** Keys that call the session at once and answer with a hint. */
export interface KeyCommands {
  /** From `full`, which is never selected by a key, to `ask`. */
  nextPermission(): void
  nextThinking(): void
  /** The commands that are waited for continue as jobs. */
  background(): void
}

export interface KeyCommandDeps {
  readonly t: Translate
  readonly controller: SessionController
  dispatch(message: Message, isUrgent?: boolean): void
  /** Adds lines to the transcript. */
  print(text: string): void
  /** A command may have changed what the status row shows. */
  changed(): void
}

/** Permission levels that a key selects. */
const keyLevels = ["ask", "auto", "plan"] as const

export function createKeyCommands({ t, controller, changed, dispatch, print }: KeyCommandDeps): KeyCommands {
  async function nextPermission(): Promise<string> {
    const at = keyLevels.findIndex((level) => level === controller.current.session.permission)
    const level = keyLevels[(at + 1) % keyLevels.length] ?? "ask"
    const set = await controller.call("set_permission", { level })
    return set.ok ? t`permission level: ${level}` : t.text(errorText(set.error))
  }

  async function nextThinking(): Promise<string> {
    const { thinking } = controller.current.session.selection
    const level = thinkingLevels[(thinkingLevels.indexOf(thinking) + 1) % thinkingLevels.length] ?? "off"
    const set = await controller.call("set_thinking_level", { level })
    return set.ok ? t`thinking level: ${level}` : t.text(errorText(set.error))
  }

  async function background(): Promise<string> {
    const moved = await controller.call("background", {})
    const jobs = moved.ok ? moved.data.jobs.map(({ number, title }) => t`job ${number}: ${title}`) : []
    return jobs.join(" · ") || t`no command is running`
  }

  function hinting(work: () => Promise<string>): () => void {
    return () =>
      void work().then(
        (text) => {
          changed()
          dispatch({ kind: "hint", text }, true)
        },
        (error: unknown) => print(`gong: ${String(error)}`),
      )
  }

  return {
    nextPermission: hinting(nextPermission),
    nextThinking: hinting(nextThinking),
    background: hinting(background),
  }
}
