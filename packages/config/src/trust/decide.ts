import { bytesOf, findIn, sha256, trustName } from "./folder-files.ts"
import type { TrustDecision, TrustStore } from "./store.ts"
import type { ActiveContent } from "./active-content.ts"
import type { Trusted, TrustedBytes, TrustedText } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

export interface TrustQuery {
  readonly content: ActiveContent
  /** `--trust`, for this run. */
  readonly flag: "yes" | "no" | null
  readonly store: TrustStore
}

export interface TrustAnswer {
  /** Null: nothing active is loaded. */
  readonly trusted: Trusted | null
  /** One complete line for the user, only if the folder has active content that was neither loaded nor refused. */
  readonly line: string | null
}

/**
 * Whether the active content of a folder is loaded: `--trust`, otherwise the user's stored decision about exactly these files,
 * otherwise no. The only place that creates a `Trusted`.
 */
export function decide(t: Translate, { content, flag, store }: TrustQuery): TrustAnswer {
  if (content.tooLarge) {
    return untrustedAnswer(t`gong: ${content.root} has too much active content to check; none was loaded.`)
  }
  if (flag !== null) return flag === "yes" ? trustedAnswer(t, content) : untrustedAnswer(null)
  const { state, changed } = stateOf(content, store.get(trustName(content)))
  switch (state) {
    case "trusted":
      return trustedAnswer(t, content)
    case "undecided":
      return untrustedAnswer(
        content.count === 1
          ? t`gong: this folder contains ${content.summary}, which was not loaded (not trusted). ${nextSteps(t)}`
          : t`gong: this folder contains ${content.summary}, which were not loaded (not trusted). ${nextSteps(t)}`,
      )
    case "changed":
      return untrustedAnswer(
        t`gong: ${namesText(t, changed)} changed since you trusted this folder; its active content was not loaded. ${nextSteps(t)}`,
      )
    case "nothing":
    case "refused":
      return untrustedAnswer(null)
  }
}

function nextSteps(t: Translate): string {
  return t`Trust it for one run: --trust yes; permanently: gong trust`
}

/**
 * `nothing`: the folder has no active content. `changed`: it was trusted, and has changed since. `refused`: the user refused the
 * folder, or its change.
 */
export type TrustStatus = "nothing" | "undecided" | "trusted" | "changed" | "refused"

export interface TrustState {
  readonly state: TrustStatus
  /** Paths that were added, removed or changed since the approval, sorted. */
  readonly changed: readonly string[]
}

/** The user's decision applied to the current state of the folder. */
export function stateOf(content: ActiveContent, decided: TrustDecision | undefined): TrustState {
  if (content.files.size === 0) return { state: "nothing", changed: [] }
  if (decided === undefined) return { state: "undecided", changed: [] }
  if (!decided.trusted) return { state: "refused", changed: [] }
  const changed = changes(content.files, decided.files)
  if (changed.length === 0) return { state: "trusted", changed }
  return { state: decided.refused === content.hash ? "refused" : "changed", changed }
}

/** `.gong/hooks.json`, `.gong/hooks.json and 2 more`. */
export function namesText(t: Translate, [first = "", ...more]: readonly string[]): string {
  return more.length === 0 ? first : t`${first} and ${more.length} more`
}

function trustedAnswer(t: Translate, { host, root, files }: ActiveContent): TrustAnswer {
  const readBytes = (path: string) => readPinned(t, { host, root, files }, path)
  const value = { host, root, files, read: async (path: string) => textOf(await readBytes(path)), readBytes }
  // The brand exists only for the compiler; this cast creates it.
  return { trusted: value as Trusted, line: null }
}

/** The trusted bytes or none: a file that was changed since, by another program or the model, is not used. */
async function readPinned(
  t: Translate,
  { host, root, files }: Pick<ActiveContent, "host" | "root" | "files">,
  path: string,
): Promise<TrustedBytes> {
  const hash = files.get(path)
  const found = await findIn(host, root, path)
  if (hash === undefined || found === null) return { ok: true, bytes: null }
  if (found.kind === "outside") {
    return { ok: false, problem: t`leads out of ${root}, so it is not content of the folder` }
  }
  if (found.kind !== "file") return { ok: false, problem: t`is not a regular file` }
  const bytes = await bytesOf(host, root, path)
  if (bytes === null) return { ok: false, problem: t`cannot be read` }
  if (sha256(bytes) !== hash) return { ok: false, problem: t`changed since this folder was trusted` }
  return { ok: true, bytes }
}

function textOf(found: TrustedBytes): TrustedText {
  if (!found.ok) return found
  return { ok: true, text: found.bytes && new TextDecoder().decode(found.bytes) }
}

function untrustedAnswer(line: string | null): TrustAnswer {
  return { trusted: null, line }
}

/** Paths added, removed or changed. */
function changes(now: ReadonlyMap<string, string>, then: Readonly<Record<string, string>>): readonly string[] {
  const paths = [...new Set([...now.keys(), ...Object.keys(then)])].toSorted()
  return paths.filter((path) => now.get(path) !== then[path])
}
