import type {
  DialogAnswer,
  DialogRequest,
  Notification,
  PermissionAnswer,
  PublishedStep,
  PermissionRequestNotification,
} from "@gong/spec"
import type { Session } from "@gong/session/session"
import type { LineReader } from "../terminal/lines.ts"
import { showDialog } from "./plain-dialogs.ts"
import type { OrderedOutput } from "./ordered-output.ts"
import type { OutputStreams } from "./output-streams.ts"
import type { Translate } from "@gong/texts/translator"

/** Shows permission questions and dialogs of a session, and sends the answers. Returns a function that ends this. */
export function showQuestions(
  session: Session,
  lines: LineReader,
  streams: OutputStreams,
  output: OrderedOutput,
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
    askPermission(lines, streams, request, stop.signal).then(reply, () => reply({ choice: "no" }))
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

/** Asks for permission: shows the complete command and accepts y, s, a, n, or e for a no with a reason (interface part 5 K). */
async function askPermission(
  lines: LineReader,
  streams: OutputStreams,
  request: PermissionRequestNotification,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const whole = wholeOf(request)
  const { tool, reason } = request
  const connects = tool === "network"
  const head = connects
    ? streams.t`a command wants to connect`
    : request.unsandboxed === true
      ? streams.t`${tool} wants to run outside the sandbox`
      : streams.t`${tool} needs permission`
  streams.out(`${head}\n${indented(streams.t, whole)}\n${streams.t`  why: ${request.phrase ?? reason}`}\n`)
  const what = whole === request.title ? `"${whole}"` : streams.t`all of this`
  const always = request.choices.includes("always") ? streams.t` [a]lways ${request.suggestedRule}` : ""
  const question = (prompt: string) => lines.question(prompt, { signal, fresh: true })
  for (;;) {
    const answer = await question(
      connects
        ? streams.t`Let commands connect to ${whole}? [y]es [s]ession${always} [n]o [e]xplain: `
        : streams.t`Run ${what}? [y]es [s]ession${always} [n]o [e]xplain: `,
    )
    // Input methods for Chinese and Japanese may produce full-width letters.
    switch (answer?.normalize("NFKC").trim().toLowerCase()) {
      case "y":
        return { choice: "once" }
      case "s":
        return { choice: "session" }
      case "a":
        if (request.choices.includes("always")) return { choice: "always" }
        break
      case "e":
        return { choice: "no", message: (await question(streams.t`Reason: `)) ?? "" }
      case undefined:
      case "n":
        return { choice: "no" }
      default:
    }
  }
}

/** The complete command, of which a title shows only the beginning. */
function wholeOf({ args, title }: PermissionRequestNotification): string {
  const { command, url } = args
  const whole = typeof command === "string" ? command : url
  return typeof whole === "string" ? whole.trim() : title
}

/** Maximum characters of a command in a question. */
const maxShown = 5_000

function indented(t: Translate, text: string): string {
  const hidden = text.length - maxShown
  const shown = hidden > 0 ? t`${text.slice(0, maxShown)}\n... (${hidden} more characters are not shown)` : text
  return shown.replace(/^/gm, "  ")
}
