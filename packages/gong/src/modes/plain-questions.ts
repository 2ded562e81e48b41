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
import { answerPlain } from "./plain-dialogs.ts"
import type { Order } from "./in-order.ts"
import type { Surface } from "./surface.ts"
import type { Translate } from "@gong/texts/translator"

/** Shows the session's questions to the person at the lines, and gives their answers; until what is returned is called. */
export function answerQuestions(session: Session, lines: LineReader, surface: Surface, order: Order): () => void {
  const asking = new Map<string, AbortController>()
  const answer = (request: DialogRequest): void => {
    const stop = new AbortController()
    asking.set(request.id, stop)
    const reply = (given: DialogAnswer) => session.answer(request.id, given)
    answerPlain(lines, surface, request, stop.signal).then(reply, () => reply({}))
  }
  const permit = (asked: PermissionRequestNotification): void => {
    const stop = new AbortController()
    asking.set(asked.id, stop)
    const reply = (given: PermissionAnswer) => session.reply(asked.id, given)
    // Who cannot be asked has not said yes.
    confirmPlain(lines, surface, asked, stop.signal).then(reply, () => reply({ choice: "no" }))
  }
  return session.subscribe(
    (step) => {
      const notification = notificationIn(step)
      if (notification === null) return
      if (notification.code === "permission_end" || notification.code === "ui_end") asking.get(notification.id)?.abort()
      // What was shown before it is said before it.
      if (notification.code === "ui_request") return order.next(() => answer(notification))
      if (notification.code !== "permission_request") return
      order.next(() => permit(notification))
    },
    { partials: false },
  )
}

/** Also of a session that does a task for this one. */
function notificationIn(step: PublishedStep): Notification | null {
  if ("inside" in step) return notificationIn(step.step)
  return "notification" in step ? step.notification : null
}

/** Asks for permission: shows all that would run, and takes y, s, a, n, or e for a no with a reason (interface part 5 K). */
async function confirmPlain(
  lines: LineReader,
  surface: Surface,
  request: PermissionRequestNotification,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const whole = wholeOf(request)
  const { tool, reason } = request
  const connects = tool === "network"
  const wish = connects
    ? surface.t`a command wants to connect`
    : request.unsandboxed === true
      ? surface.t`${tool} wants to run outside the sandbox`
      : surface.t`${tool} needs permission`
  surface.out(`${wish}\n${indented(surface.t, whole)}\n${surface.t`  why: ${request.phrase ?? reason}`}\n`)
  const what = whole === request.title ? `"${whole}"` : surface.t`all of this`
  const always = request.choices.includes("always") ? surface.t` [a]lways ${request.suggestedRule}` : ""
  const ask = (prompt: string) => lines.ask(prompt, { signal, fresh: true })
  for (;;) {
    const answer = await ask(
      connects
        ? surface.t`Let commands reach ${whole}? [y]es [s]ession${always} [n]o [e]xplain: `
        : surface.t`Run ${what}? [y]es [s]ession${always} [n]o [e]xplain: `,
    )
    // Input methods for Chinese and Japanese may give full-width letters.
    switch (answer?.normalize("NFKC").trim().toLowerCase()) {
      case "y":
        return { choice: "once" }
      case "s":
        return { choice: "session" }
      case "a":
        if (request.choices.includes("always")) return { choice: "always" }
        break
      case "e":
        return { choice: "no", message: (await ask(surface.t`Say why: `)) ?? "" }
      case undefined:
      case "n":
        return { choice: "no" }
      default:
    }
  }
}

/** A title is only the beginning of a command, and nobody can say yes to what they do not see. */
function wholeOf({ args, title }: PermissionRequestNotification): string {
  const { command, url } = args
  const whole = typeof command === "string" ? command : url
  return typeof whole === "string" ? whole.trim() : title
}

/** Characters of a command that is asked about. */
const maxShown = 5_000

function indented(t: Translate, text: string): string {
  const hidden = text.length - maxShown
  const shown = hidden > 0 ? t`${text.slice(0, maxShown)}\n... (${hidden} more characters are not shown)` : text
  return shown.replace(/^/gm, "  ")
}
