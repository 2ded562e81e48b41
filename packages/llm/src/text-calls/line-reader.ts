import { type Fence, type FenceLine, fenceIn, markIn } from "./marks.ts"

/** Languages of fences with calls. */
const languages: ReadonlySet<string> = new Set(["", "json", "tool_call", "tool_code", "tool"])

/** How a JSON call may begin, without spaces. */
const beginnings = ["name", "function", "tool", "tool_name", "tool_calls", "arguments", "parameters", "args"].flatMap(
  (key) => [`{"${key}":`, `[{"${key}":`],
)
const typed = ['{"type":"function"', '[{"type":"function"', '{"id":', '[{"id":']

/**
 * `call`: a mark came, and everything after it is held back. `json`: after a line that begins a JSON value or a fence with one,
 * which may be a call if nothing follows.
 */
type Place = "text" | "fence" | "json" | "after-json" | "call"

/** From where a line is held back: an offset in it, or `earlier` for a line that follows others; null: it is shown. */
export type Held = number | "earlier" | null

/** Reads a text line by line for what may be the beginning of a call. */
export interface LineReader {
  /** Everything to come is held back. */
  readonly inCall: boolean
  /** A complete line. */
  read(words: string): Held
  /** The same for a line that may grow; changes nothing. */
  readIncomplete(words: string): Held
}

export function lineReader(): LineReader {
  let place: Place = "text"
  let open: Fence = null
  /** The undecided beginning of a JSON value, without spaces. */
  let json = ""

  function read(words: string): Held {
    if (place === "after-json" && words.trim() !== "") place = "text"
    const fenced = fenceIn(words, open)
    if (fenced !== null) return readFence(fenced)
    if (place === "text") return readText(words)
    if (place === "json") return readJson(words)
    return place === "after-json" ? "earlier" : null
  }

  function readFence({ language, marks }: FenceLine): Held {
    const opens = open === null
    open = opens ? marks : null
    json = ""
    if (!opens) place = place === "json" ? "after-json" : "text"
    else place = languages.has(language) ? "json" : "fence"
    if (place === "json") return 0
    return place === "after-json" ? "earlier" : null
  }

  function readText(words: string): Held {
    const mark = markIn(words, true)
    if (mark !== null) place = "call"
    if (mark !== null || !bare.test(words)) return mark
    json = ""
    place = "json"
    return readJson(words) === null ? null : 0
  }

  function readJson(words: string): Held {
    if (json.length < longest) json += compact(words)
    if (mayBeCall(json)) return "earlier"
    place = open === null ? "text" : "fence"
    return null
  }

  function readIncomplete(words: string): Held {
    if (place === "json") return mayBeCall(json + compact(words)) || isFenceStart(words) ? "earlier" : null
    if (place === "after-json" && words.trim() === "") return "earlier"
    if (place === "fence") return null
    if (isFenceStart(words) || (bare.test(words) && mayBeCall(compact(words)))) return 0
    return markIn(words, false)
  }

  return {
    get inCall() {
      return place === "call"
    },
    read,
    readIncomplete,
  }
}

const bare = /^ {0,3}[{[]/

/** Characters of the longest beginning. */
const longest = 40

function compact(words: string): string {
  return words.slice(0, 200).replaceAll(/\s/g, "").slice(0, longest)
}

function isFenceStart(words: string): boolean {
  return /^ {0,3}(?:`{1,2}|~{1,2}|(?:```+|~~~+)[\w-]*[ \t]*)$/.test(words)
}

function mayBeCall(json: string): boolean {
  return [...beginnings, ...typed].some((beginning) => json.startsWith(beginning) || beginning.startsWith(json))
}
