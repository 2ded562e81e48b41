import type { Notice } from "@gong/spec"
import type { News } from "./host.ts"
import type { Problem, WorkerExtension } from "./protocol.ts"

/** Notices about extensions in one session; what is more is left out, which is said. */
const maxNotices = 200
/** Frames of a stack that are shown. */
const maxFrames = 5

export interface NewsDesk {
  told(news: News): void
  /** A line that a command said. */
  say(text: string): void
  /** What has come so far as whole lines; from then on everything goes to `say`. */
  handOver(say: (notice: Notice) => void): void
  /** The same, and nobody takes what comes later. */
  lines(): readonly string[]
}

/** Makes notices of what extensions have to say beside their answers, and keeps them until somebody takes them. */
export function newsDesk(): NewsDesk {
  const waiting: Notice[] = []
  const rests = new Map<number | null, string>()
  let say: (notice: Notice) => void = (notice) => void waiting.push(notice)
  let count = 0
  const one = (level: "info" | "warn", text: string): void => {
    count += 1
    if (count > maxNotices) return
    say({ code: "extension", level, text: count === maxNotices ? `${text} (More is left out.)` : text })
  }
  const printed = (extension: WorkerExtension | null, text: string): void => {
    const key = extension?.id ?? null
    const lines = ((rests.get(key) ?? "") + text).split("\n")
    rests.set(key, lines.pop() ?? "")
    for (const line of lines) if (line.trim() !== "") one("info", `${nameOf(extension)} printed: ${line}`)
  }
  return {
    told(news) {
      switch (news.kind) {
        case "said":
          return one(news.level, `${news.extension.name}: ${news.text}`)
        case "printed":
          return printed(news.extension, news.text)
        case "stray":
          return one("warn", problemText(news.extension, news.problem, "Nobody waited for this; catch it there."))
        case "off":
          return one("warn", problemText(news.extension, news.problem, offText(news.extension)))
      }
    },
    say: (text) => say({ code: "extension", level: "info", text }),
    handOver(to) {
      say = to
      for (const notice of waiting.splice(0)) to(notice)
    },
    lines: () => waiting.splice(0).map((notice) => ("text" in notice ? `gong: ${notice.text}` : "")),
  }
}

function offText({ name }: WorkerExtension): string {
  return `The extension ${name} is off. Mend it; /reload loads it again.`
}

/** `file:line: what is wrong. What to do.`, and below it where in the extension's files it was. */
export function problemText(extension: WorkerExtension | null, problem: Problem, remedy: string): string {
  const path = problem.path ?? extension?.path ?? "an extension"
  const place = problem.line === null ? path : `${path}:${problem.line}`
  const message = /[.!?]$/.test(problem.message) ? problem.message : `${problem.message}.`
  return [`${place}: ${message} ${remedy}`, ...framesOf(problem.stack)].join("\n")
}

/** Frames in files, as the stack says them; those of Node and of Gong's own thread say nothing to the author. */
function framesOf(stack: string): readonly string[] {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line) && !/node:|extensions\/worker\//.test(line))
  return frames.slice(0, maxFrames).map((line) => `    ${line.trim().replace("file://", "")}`)
}

function nameOf(extension: WorkerExtension | null): string {
  return extension === null ? "an extension" : extension.name
}
