import { isRecord, phrase, type Text } from "@gong/spec"
import type { SettingName } from "@gong/config/settings/schema"

/** The kind of a configuration item of another agent. */
export type Area =
  | "hooks"
  | "rules"
  | "skills"
  | "commands"
  | "agents"
  | "instructions"
  | "mcp"
  | "models"
  | "settings"
  | "keys"
  | "extensions"

/** The target of an item in Gong. Existing data is never replaced. */
export type Target =
  | { readonly op: "setting"; readonly name: SettingName; readonly value: string | number | boolean }
  | { readonly op: "rule"; readonly list: "allow" | "deny"; readonly rule: string }
  | { readonly op: "hook"; readonly event: string; readonly matcher: string; readonly hook: JsonObject }
  | { readonly op: "server"; readonly name: string; readonly server: JsonObject }
  | { readonly op: "provider"; readonly id: string; readonly provider: JsonObject }
  /** `path` is relative to Gong's folder. `append`: a line that an existing file gets at its end. */
  | { readonly op: "file"; readonly path: string; readonly text: string; readonly append?: true }
  | { readonly op: "skill"; readonly name: string; readonly folder: string }

export type JsonObject = Readonly<Record<string, unknown>>

interface SourceItem {
  readonly area: Area
  /** The file, with its line if known. */
  readonly from: string
  /** A short description for users. */
  readonly what: Text
}

export type Candidate = SourceItem &
  (
    | { readonly state: "import"; readonly target: Target; readonly note: Text | null }
    /** Gong has or reads it already. */
    | { readonly state: "present"; readonly reason: Text }
    /** It has no equivalent, or must not be copied. */
    | { readonly state: "skipped"; readonly reason: Text }
  )

/** Maximum items per import; a valid configuration has fewer. */
export const maxCandidates = 2_000

/** Collects the items of an import. */
export interface Candidates {
  readonly all: readonly Candidate[]
  add(area: Area, from: string, what: Text, target: Target, note?: Text | null): void
  present(area: Area, from: string, what: Text, reason: Text): void
  skip(area: Area, from: string, what: Text, reason: Text): void
}

export function collect(): Candidates {
  const all: Candidate[] = []
  const push = (candidate: Candidate): void => {
    if (all.length < maxCandidates) all.push(candidate)
    else if (all.length === maxCandidates)
      all.push({
        ...candidate,
        state: "skipped",
        what: phrase`the rest`,
        reason: phrase`there are more than ${maxCandidates} items.`,
      })
  }
  return {
    all,
    add: (area, from, what, target, note = null) => push({ area, from, what, state: "import", target, note }),
    present: (area, from, what, reason) => push({ area, from, what, state: "present", reason }),
    skip: (area, from, what, reason) => push({ area, from, what, state: "skipped", reason }),
  }
}

/** A value as an object; null if it is none. */
export function recordOf(value: unknown): JsonObject | null {
  return isRecord(value) ? value : null
}

/** A value as a list of strings; other elements are skipped. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : []
}

/** A value truncated for one line. */
export function shown(value: unknown): string {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).replaceAll(/\s+/g, " ")
  return text.length > maxShown ? `${text.slice(0, maxShown)}...` : text
}

const maxShown = 60

export const noEquivalent = phrase`Gong has no equivalent.`
