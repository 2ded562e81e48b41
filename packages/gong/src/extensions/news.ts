import type { Notification } from "@gong/spec"
import { type Diagnostic, diagnosticText } from "../diagnostic.ts"
import type { Problem, WorkerExtension } from "./protocol.ts"

/** What a host has to say beside answers. `extension` null: it is not known whose it is. */
export type News =
  | {
      readonly kind: "said"
      readonly extension: WorkerExtension
      readonly level: "info" | "warn"
      readonly text: string
    }
  | { readonly kind: "printed"; readonly extension: WorkerExtension | null; readonly text: string }
  | { readonly kind: "stray"; readonly extension: WorkerExtension | null; readonly problem: Problem }
  /**
   * It is off from here on, and its functions with it. `gate`: it judges calls, which are refused meanwhile. `load`: what its
   * load came to; null where it had been loaded.
   */
  | {
      readonly kind: "off"
      readonly extension: WorkerExtension
      readonly problem: Problem
      readonly gate: boolean
      readonly load: FailedLoad | null
    }

/** It threw; it did not come to an end in time; it did not the last time, and was not begun again. */
export type FailedLoad = "threw" | "late" | "asleep"

/** Notices of each extension in one session, by what they are about; what is more is left out, which is said. */
const most = { printed: 20, said: 100, problem: 50 } as const
/** Frames of a stack that are shown. */
const maxFrames = 5

export interface NewsDesk {
  told(news: News): void
  /** A line about what extensions do here. */
  say(text: string): void
  /** A line that a command answers whoever typed it. */
  answer(text: string): void
  /** What has come so far as whole lines; from then on everything goes to `say`. */
  handOver(say: (notification: Notification) => void): void
  /** What has come so far, and nobody has taken: what they said, each a whole line, and what is wrong with them. */
  take(): { readonly lines: readonly string[]; readonly diagnostics: readonly Diagnostic[] }
}

/** Makes notifications of what extensions have to say beside their answers, and keeps them until somebody takes them. */
export function newsDesk(): NewsDesk {
  const waiting: { readonly notification: Notification; readonly diagnostic: Diagnostic | undefined }[] = []
  const rests = new Map<number | null, string>()
  let say = (notification: Notification, diagnostic?: Diagnostic): void =>
    void waiting.push({ notification, diagnostic })
  const counts = new Map<string, number>()
  // Apart for each: one that floods must not hide what is wrong with another.
  const one = (kind: keyof typeof most, from: WorkerExtension | null, told: Told): void => {
    const key = `${kind} ${from?.id ?? ""}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count > most[kind]) return
    const text = count === most[kind] ? `${told.text} (More is left out.)` : told.text
    say({ code: "extension", level: told.level, text }, told.diagnostic)
  }
  const problem = (from: WorkerExtension | null, diagnostic: Diagnostic): void =>
    one("problem", from, { level: "warn", text: diagnosticText(diagnostic), diagnostic })
  const printed = (extension: WorkerExtension | null, text: string): void => {
    const key = extension?.id ?? null
    const lines = ((rests.get(key) ?? "") + text).split("\n")
    rests.set(key, lines.pop() ?? "")
    for (const line of lines)
      if (line.trim() !== "")
        one("printed", extension, { level: "info", text: `${nameOf(extension)} printed: ${line}` })
  }
  return {
    told(news) {
      switch (news.kind) {
        case "said":
          return one("said", news.extension, { level: news.level, text: `${news.extension.name}: ${news.text}` })
        case "printed":
          return printed(news.extension, news.text)
        case "stray":
          return problem(
            news.extension,
            problemOf(news.extension, news.problem, "Nobody waited for this; catch it there."),
          )
        case "off":
          return problem(news.extension, problemOf(news.extension, news.problem, offText(news)))
      }
    },
    say: (text) => say({ code: "extension", level: "info", text }),
    answer: (text) => say({ code: "command", level: "info", text }),
    handOver(to) {
      say = to
      for (const { notification } of waiting.splice(0)) to(notification)
    },
    take() {
      const taken = waiting.splice(0)
      return {
        lines: taken.flatMap(({ notification, diagnostic }) =>
          diagnostic === undefined && "text" in notification ? [`gong: ${notification.text}`] : [],
        ),
        diagnostics: taken.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [diagnostic])),
      }
    },
  }
}

interface Told {
  readonly level: "info" | "warn"
  readonly text: string
  readonly diagnostic?: Diagnostic
}

function offText({ extension: { name }, gate, load }: Extract<News, { kind: "off" }>): string {
  const asleep =
    load === "asleep" ? "That was the last time; since it has not changed, no start waits for it again. " : ""
  if (!gate) return `${asleep}The extension ${name} is off. Mend it; /reload loads it again.`
  return `${asleep}The extension ${name} is off, and calls that it would judge are refused. Mend it; /reload loads it again; or do without it: "extensions": { "${name}": false } in the settings.`
}

/** What is wrong and what to do, and below it where in the extension's files it was. */
function problemOf(extension: WorkerExtension | null, problem: Problem, remedy: string): Diagnostic {
  const path = problem.path ?? extension?.path ?? "an extension"
  const message = /[.!?]$/.test(problem.message) ? problem.message : `${problem.message}.`
  const text = [`${message} ${remedy}`, ...framesOf(problem.stack)].join("\n")
  return { type: "error", path, line: problem.line, text }
}

/** Frames in files, as the stack says them; those of Node and of Gong's own thread say nothing to the author. */
function framesOf(stack: string): readonly string[] {
  const frames = stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !/node:|extensions\/worker\/|\/dist\/extensions\.cjs:/.test(line))
  return frames.slice(0, maxFrames).map((line) => `    ${line.trim().replace("file://", "")}`)
}

function nameOf(extension: WorkerExtension | null): string {
  return extension === null ? "an extension" : extension.name
}
