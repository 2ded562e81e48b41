import type {
  DialogAnswer,
  DialogRequest,
  Notification,
  PermissionAnswer,
  PermissionRequestNotification,
  PublishedStep,
} from "@gong/spec"
import { emptyEditor } from "@gong/screen/editor"
import type { Line } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"
import type { ChooseOptions, UserDialogs } from "@gong/app/slash/result"
import type { Session } from "@gong/session/session"
import { permissionQuestion } from "@gong/texts/permission-question"
import { spanText } from "@gong/texts/spans"
import type { Translate } from "@gong/texts/translator"
import { choiceText, type Dialogs, letterOf } from "../../dialogs.ts"
import {
  type Dialog,
  type DialogForm,
  type DialogKey,
  type DialogValue,
  emptyPick,
  type PickAction,
  type PickForm,
} from "./dialog.ts"
import type { Keymap } from "../input/keymap.ts"
import { roleOf } from "../text/roles.ts"

/** Lines about a row of a list. */
export type Preview = (at: number) => Promise<readonly string[]>

export interface AskOptions {
  /** Closes the dialog, with null. */
  readonly signal?: AbortSignal
  readonly preview?: Preview | null
}

/** Shows a dialog and resolves with its value. */
export type AskUser = (dialog: Pick<Dialog, "body" | "form">, options?: AskOptions) => Promise<DialogValue>

const lines = (text: string): readonly Line[] => text.split("\n").map((line) => [{ text: line }])

/** Dialogs of slash commands. */
export function userDialogs(t: Translate, ask: AskUser, copy: UserDialogs["copy"], keymap: Keymap): UserDialogs {
  return {
    choose: (question, rows, options = {}) => pick(t, ask, question, { rows, options }),
    async confirm(question) {
      const keys = [keyOf("y", t`[y]es`, true), keyOf("n", t`[n]o`)]
      const value = await ask({ body: [], form: { kind: "keys", prompt: question, keys } })
      return value !== null && "key" in value && value.key === "y"
    },
    async line(question, isSecret = false) {
      const value = await ask({ body: [], form: lineForm(question, isSecret) })
      return value !== null && "line" in value && value.line.trim() !== "" ? value.line.trim() : null
    },
    copy,
    keys: keymap.rows.map(({ keys, about }) => [keys.join(", "), about] as const),
  }
}

interface Rows {
  readonly rows: readonly string[]
  readonly options: ChooseOptions
}

/** Asks again after a row was renamed or removed. */
async function pick(t: Translate, ask: AskUser, question: string, { rows, options }: Rows): Promise<number | null> {
  const { preview, rename, remove } = options
  const actions: readonly PickAction[] = [
    ...(remove === undefined ? [] : [{ key: "ctrl+d", name: "remove", label: t`Ctrl+D deletes` } as const]),
    ...(rename === undefined ? [] : [{ key: "ctrl+r", name: "rename", label: t`Ctrl+R renames` } as const]),
  ]
  let shown = rows.map((row, at) => ({ row, at }))
  let at = Math.max(0, options.at ?? 0)
  while (shown.length > 0) {
    const now = shown
    const previewOf: Preview | null = preview === undefined ? null : async (of) => preview(now[of]?.at ?? 0)
    const form: PickForm = { ...emptyPick, kind: "pick", rows: now.map(({ row }) => row), at, actions }
    const noPreview = previewOf && { of: -1, lines: [] }
    const value = await ask({ body: lines(question), form: { ...form, preview: noPreview } }, { preview: previewOf })
    const chosen = value !== null && "at" in value ? now[value.at] : undefined
    if (value === null || !("at" in value) || chosen === undefined) return null
    if (value.action === undefined) return chosen.at
    at = value.at
    if (value.action === "remove" && (await remove?.(chosen.at)) === true) {
      shown = now.filter((one) => one !== chosen)
      at = Math.min(at, shown.length - 1)
    } else if (value.action === "rename") {
      const row = (await rename?.(chosen.at)) ?? chosen.row
      shown = now.map((one) => (one === chosen ? { ...one, row } : one))
    }
  }
  return null
}

/** Questions of the program itself. */
export function programDialogs(t: Translate, ask: AskUser): Dialogs {
  return {
    choose: ({ question, rows }) => pick(t, ask, question, { rows, options: {} }),
    async line(prompt, isSecret) {
      const value = await ask({ body: [], form: lineForm(prompt, isSecret) })
      return value !== null && "line" in value ? value.line : null
    },
    async key({ prompt, labels }) {
      const keys = labels.map((label) => keyOf(letterOf(label), label))
      const value = await ask({ body: [], form: { kind: "keys", prompt, keys } })
      return value !== null && "key" in value ? value.key : null
    },
  }
}

function keyOf(key: string, label: string, needsReading = false): DialogKey {
  return { key, label, needsReading }
}

function lineForm(prompt: string, isSecret = false): DialogForm {
  return { kind: "line", prompt, editor: emptyEditor, isSecret }
}

/** Shows permission questions and dialogs of a session, and sends the answers. Returns a function that ends this. */
export function showQuestions(t: Translate, session: Session, cwd: string, ask: AskUser): () => void {
  const open = new Map<string, AbortController>()
  const start = (id: string): AbortSignal => {
    const stop = new AbortController()
    open.set(id, stop)
    return stop.signal
  }
  const take = (notification: Notification | null): void => {
    if (notification === null) return
    const { code } = notification
    if (code === "permission_end" || code === "ui_end") {
      open.get(notification.id)?.abort()
      open.delete(notification.id)
    } else if (code === "ui_request") {
      const reply = (given: DialogAnswer) => session.answer(notification.id, given)
      askDialog(t, ask, notification, start(notification.id)).then(reply, () => reply({}))
    } else if (code === "permission_request") {
      const reply = (given: PermissionAnswer) => session.reply(notification.id, given)
      // An error is a no.
      askPermission(t, ask, notification, { cwd, signal: start(notification.id) }).then(reply, () =>
        reply({ choice: "no" }),
      )
    }
  }
  return session.subscribe((step) => take(notificationIn(step)), { partials: false })
}

/** Includes notifications of tasks. */
function notificationIn(step: PublishedStep): Notification | null {
  if ("inside" in step) return notificationIn(step.step)
  return "notification" in step ? step.notification : null
}

interface QuestionContext {
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Shows the whole call, the reason and the rules. */
async function askPermission(
  t: Translate,
  ask: AskUser,
  request: PermissionRequestNotification,
  { cwd, signal }: QuestionContext,
): Promise<PermissionAnswer> {
  const { head, body, facts, rules, prompt } = permissionQuestion(request, cwd)
  const shown: readonly Line[] = [
    [{ text: t(head), role: "strong" }],
    ...withWordMarks(
      body.map((line): Line => [
        { text: "  " },
        ...line.map((span) => ({ text: spanText(t, span), ...roleOf(span.style) })),
      ]),
    ),
    ...[...facts, ...rules].map((fact): Line => [{ text: `  ${t(fact)}`, role: "muted" }]),
  ]
  const keys = [
    keyOf("y", t`[y]es`, true),
    keyOf("s", t`[s]ession`, true),
    ...(request.choices.includes("always") ? [keyOf("a", t`[a]lways`, true)] : []),
    ...(request.widerRule === undefined ? [] : [keyOf("w", t`[w]ider`, true)]),
    keyOf("n", t`[n]o`),
    keyOf("e", t`[e]xplain`),
  ]
  for (;;) {
    const value = await ask({ body: shown, form: { kind: "keys", prompt: t(prompt), keys } }, { signal })
    switch (value !== null && "key" in value ? value.key : "n") {
      case "y":
        return { choice: "once" }
      case "s":
        return { choice: "session" }
      case "a":
        return { choice: "always" }
      case "w": {
        const wider = await askWider(t, ask, request, signal)
        if (wider !== null) return wider
        break
      }
      case "e": {
        const why = await ask({ body: shown, form: lineForm(t`Reason: `) }, { signal })
        return { choice: "no", message: why !== null && "line" in why ? why.line : "" }
      }
      default:
        return { choice: "no" }
    }
  }
}

/** How long the wider rule holds; null: back to the question. */
async function askWider(
  t: Translate,
  ask: AskUser,
  { widerRule = "", rulesFile = "" }: PermissionRequestNotification,
  signal: AbortSignal,
): Promise<PermissionAnswer | null> {
  const keys = [keyOf("s", t`[s]ession`, true), keyOf("a", t`[a]lways`, true), keyOf("b", t`[b]ack`)]
  const prompt = t`Allow ${widerRule}: for this session, or always (in ${rulesFile})?`
  const value = await ask({ body: [], form: { kind: "keys", prompt, keys } }, { signal })
  if (value === null || !("key" in value) || value.key === "b") return null
  return { choice: value.key === "s" ? "session" : "always", wider: true }
}

/** A dialog of a tool: choices, and free text if the dialog accepts it. */
async function askDialog(
  t: Translate,
  ask: AskUser,
  { question, phrase, choices, freeText, secret = false }: DialogRequest,
  signal: AbortSignal,
): Promise<DialogAnswer> {
  const own = t`type an answer`
  const body = lines(t.text(phrase ?? question))
  if (choices.length > 0) {
    const rows = choices.map((choice) => choiceText(t, choice))
    const value = await ask(
      { body, form: { kind: "pick", rows: [...rows, ...(freeText ? [own] : [])], ...emptyPick } },
      { signal },
    )
    if (value === null || !("at" in value)) return {}
    const chosen = choices[value.at]
    if (chosen !== undefined) return { choice: chosen.label }
  }
  const value = await ask({ body, form: lineForm("> ", secret) }, { signal })
  const text = value !== null && "line" in value ? value.line.trim() : ""
  return text === "" ? {} : { text }
}
