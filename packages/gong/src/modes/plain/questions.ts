import type {
  DialogAnswer,
  DialogRequest,
  Notification,
  PermissionAnswer,
  PublishedStep,
  PermissionRequestNotification,
} from "@gong/spec"
import type { Session } from "@gong/session/session"
import type { LineReader } from "../../terminal/lines.ts"
import { permissionQuestion } from "@gong/texts/permission-question"
import { spanText } from "@gong/texts/spans"
import { showDialog } from "./dialogs.ts"
import type { OrderedOutput } from "../ordered-output.ts"
import { paintedLine, type Painter } from "../painter.ts"
import type { OutputStreams } from "../output-streams.ts"
import type { Translate } from "@gong/texts/translator"

/** Where questions are shown. */
export interface QuestionOutput {
  readonly streams: OutputStreams
  readonly output: OrderedOutput
  /** Null: without colours. */
  readonly painter: Painter | null
}

/** Shows permission questions and dialogs of a session, and sends the answers. Returns a function that ends this. */
export function showQuestions(
  { session, info: { cwd } }: { readonly session: Session; readonly info: { readonly cwd: string } },
  lines: LineReader,
  { streams, output, painter }: QuestionOutput,
): () => void {
  const open = new Map<string, AbortController>()
  const answer = (request: DialogRequest): void => {
    const stop = new AbortController()
    open.set(request.id, stop)
    const reply = (given: DialogAnswer) => session.answer(request.id, given)
    showDialog(lines, streams, request, stop.signal).then(reply, () => reply({}))
  }
  const permit = (request: PermissionRequestNotification): void => {
    const stop = new AbortController()
    open.set(request.id, stop)
    const reply = (given: PermissionAnswer) => session.reply(request.id, given)
    // An error is a no.
    const question = (prompt: string) => lines.question(prompt, { signal: stop.signal, fresh: true })
    askPermission(streams, painter, question, request, cwd).then(reply, () => reply({ choice: "no" }))
  }
  return session.subscribe(
    (step) => {
      const notification = notificationIn(step)
      if (notification === null) return
      if (notification.code === "permission_end" || notification.code === "ui_end") open.get(notification.id)?.abort()
      // Earlier output is printed before the question.
      if (notification.code === "ui_request") return output.run(() => answer(notification))
      if (notification.code !== "permission_request") return
      output.run(() => permit(notification))
    },
    { partials: false },
  )
}

/** Includes notifications of tasks. */
function notificationIn(step: PublishedStep): Notification | null {
  if ("inside" in step) return notificationIn(step.step)
  return "notification" in step ? step.notification : null
}

/** Asks for permission: shows the whole call, the reason and the rules, then reads an answer (interface part 5 K). */
async function askPermission(
  { t, out }: OutputStreams,
  painter: Painter | null,
  ask: (prompt: string) => Promise<string | null>,
  request: PermissionRequestNotification,
  cwd: string,
): Promise<PermissionAnswer> {
  const { head, body, facts, rules, prompt } = permissionQuestion(request, cwd)
  const indented = (line: string): string => `  ${line}\n`
  out(`${t(head)}\n`)
  for (const line of body)
    if (painter === null) out(indented(line.map((span) => spanText(t, span)).join("")))
    else painter.out(indented(paintedLine(t, painter, line)))
  for (const fact of [...facts, ...rules]) out(indented(t(fact)))
  const always = request.choices.includes("always") ? t` [a]lways` : ""
  const wider = request.widerRule === undefined ? "" : t` [w]ider`
  for (;;) {
    const answer = await ask(t`${prompt} [y]es [s]ession${always}${wider} [n]o [e]xplain: `)
    switch (letterOf(answer)) {
      case "y":
        return { choice: "once" }
      case "s":
        return { choice: "session" }
      case "a":
        if (always !== "") return { choice: "always" }
        break
      case "w": {
        const chosen = wider === "" ? null : await askWider(t, ask, request)
        if (chosen !== null) return chosen
        break
      }
      case "e":
        return { choice: "no", message: (await ask(t`Reason: `)) ?? "" }
      case null:
      case "n":
        return { choice: "no" }
      default:
    }
  }
}

/** How long the wider rule holds; null: back to the question. */
async function askWider(
  t: Translate,
  ask: (prompt: string) => Promise<string | null>,
  { widerRule = "", rulesFile = "" }: PermissionRequestNotification,
): Promise<PermissionAnswer | null> {
  const answer = letterOf(
    await ask(t`Allow ${widerRule}: for this [s]ession, or [a]lways (in ${rulesFile})? Enter goes back: `),
  )
  if (answer === "s") return { choice: "session", wider: true }
  return answer === "a" ? { choice: "always", wider: true } : null
}

/** Input methods for Chinese and Japanese may produce full-width letters. Null: the end of the input. */
function letterOf(line: string | null): string | null {
  return line === null ? null : line.normalize("NFKC").trim().toLowerCase()
}
