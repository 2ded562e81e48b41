import type { TrustStore } from "./store.ts"
import type { Surface } from "./surface.ts"
import type { Trusted } from "./trusted.ts"

export interface TrustQuery {
  readonly surface: Surface
  /** `--trust`, for this run. */
  readonly flag: "yes" | "no" | null
  readonly store: TrustStore
}

export interface TrustAnswer {
  /** Null: nothing that acts is loaded. */
  readonly trusted: Trusted | null
  /** One whole line for the user, only where the folder brings something that was not loaded and nobody said no. */
  readonly line: string | null
}

/**
 * Whether what a folder brings may act: `--trust`, else what the user once decided about exactly these files, else no.
 * The only place that makes a `Trusted`.
 */
export function decide({ surface, flag, store }: TrustQuery): TrustAnswer {
  if (surface.tooLarge) {
    return no(`gong: ${surface.root} brings too many files that can act to be judged; none was loaded.`)
  }
  if (flag !== null) return flag === "yes" ? yes(surface.root) : no(null)
  const decided = store.get(surface.root)
  if (decided?.trusted === false || surface.files.size === 0) return no(null)
  const once = "Trust once: --trust yes"
  if (decided === undefined) {
    return no(`gong: this folder brings ${surface.summary} that were not loaded (not trusted). ${once}`)
  }
  const changed = changes(surface.files, decided.files)
  if (changed.length === 0) return yes(surface.root)
  const more = changed.length === 1 ? "" : ` and ${changed.length - 1} more`
  return no(`gong: ${changed[0]}${more} changed since you trusted this folder; nothing of it was loaded. ${once}`)
}

function yes(root: string): TrustAnswer {
  // The brand exists only for the compiler; this cast is where the proof is issued.
  return { trusted: { root } as Trusted, line: null }
}

function no(line: string | null): TrustAnswer {
  return { trusted: null, line }
}

/** Paths added, removed or changed. */
function changes(now: ReadonlyMap<string, string>, then: Readonly<Record<string, string>>): readonly string[] {
  const paths = [...new Set([...now.keys(), ...Object.keys(then)])]
  return paths.filter((path) => now.get(path) !== (Object.hasOwn(then, path) ? then[path] : undefined))
}
