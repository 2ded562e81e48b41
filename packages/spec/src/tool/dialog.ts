import { englishOf, type Phrase } from "../text/phrase.ts"

/** A question of a running tool, or of an extension's command, to the user. */
export interface Dialog {
  readonly question: string
  /** The question for translation, if it is one of Gong's own. */
  readonly phrase?: Phrase
  readonly choices: readonly DialogChoice[]
  /** Whether the user may answer in their own words. */
  readonly freeText: boolean
  /** What is typed is not shown: a key. */
  readonly secret?: boolean
}

export interface DialogChoice {
  /** The answer itself; unique in its dialog. */
  readonly label: string
  readonly description?: string
  /** The label with its description for translation. The answer is the label in any language. */
  readonly phrase?: Phrase
}

/** A question of Gong's own that has only these answers. */
export function closedDialog(phrase: Phrase, choices: readonly DialogChoice[]): Dialog {
  return { question: englishOf(phrase), phrase, choices, freeText: false }
}

export interface DialogRequest extends Dialog {
  readonly id: string
  /** Absent: asked by a command. */
  readonly toolCallId?: string
  /** ISO 8601, UTC. Absent: the dialog waits until it is answered or the run is stopped. */
  readonly expiresAt?: string
}

/** One of the choices or free text; with neither the dialog has no answer. */
export interface DialogAnswer {
  readonly choice?: string
  readonly text?: string
}

/** How a dialog ended; `stop`: the run or the call was stopped. */
export interface DialogOutcome extends DialogAnswer {
  readonly by: "user" | "timeout" | "stop"
}

export interface DialogRequestNotification extends DialogRequest {
  readonly code: "ui_request"
}

export interface DialogEndNotification extends DialogOutcome {
  readonly code: "ui_end"
  readonly id: string
}
