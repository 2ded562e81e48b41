/** What a tool asks a person while it runs, or a command of an extension. */
export interface Dialog {
  readonly question: string
  readonly choices: readonly DialogChoice[]
  /** Words of the person's own are an answer, too. */
  readonly freeText: boolean
}

export interface DialogChoice {
  /** The answer itself; no two of a dialog are the same. */
  readonly label: string
  readonly description?: string
}

export interface DialogRequest extends Dialog {
  readonly id: string
  /** Absent: a command asks. */
  readonly toolCallId?: string
  /** ISO 8601, UTC: then nobody is waited for any more. Absent: it waits until it is answered or the run is stopped. */
  readonly expiresAt?: string
}

/** One of the choices, words of the person's own, or neither: then there is no answer. */
export interface DialogAnswer {
  readonly choice?: string
  readonly text?: string
}

/** How a dialog ended; `stop`: the run was stopped, or the call. */
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
