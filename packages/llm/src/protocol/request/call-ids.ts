/** Constraints of a provider on tool call ids. */
export interface IdRule {
  /** Matches one invalid character. */
  readonly bad: RegExp
  readonly max: number
  /** The server accepts any character in its own ids. */
  readonly anyOfOwn?: boolean
  /** Every id has exactly `max` characters. */
  readonly exact?: boolean
  /** Only the part before this character is sent. */
  readonly until?: string
}

/**
 * The ids of one reply's calls under a rule, for calls and results. Valid ids stay unchanged; others are converted
 * deterministically, and distinct ids stay distinct (contract C-57).
 */
export function fitIds(ids: readonly string[], rule: IdRule): ReadonlyMap<string, string> {
  const fitted = new Map<string, string>()
  const taken = new Set(ids.filter((id) => fitId(id, rule) === id))
  for (const id of ids) {
    if (fitted.has(id)) continue
    let short = fitId(id, rule)
    if (short !== id) {
      for (let salt = 0; taken.has(short); salt++) short = hashed(id, salt, rule)
      taken.add(short)
    }
    fitted.set(id, short)
  }
  return fitted
}

/** The rule for ids that this model created itself. */
export function ruleForOwn(rule: IdRule): IdRule {
  return rule.anyOfOwn ? { ...rule, bad: nothing } : rule
}

const nothing = /(?!)/g

/** One id under a rule, regardless of others. */
export function fitId(id: string, rule: IdRule): string {
  const end = rule.until === undefined ? -1 : id.indexOf(rule.until)
  const clean = (end < 0 ? id : id.slice(0, end)).replaceAll(rule.bad, rule.exact ? "" : "_")
  const fits = rule.exact ? clean === id && id.length === rule.max : clean !== "" && clean.length <= rule.max
  return fits ? clean : hashed(id, 0, rule)
}

/** A prefix of the id and a hash of all of it. */
function hashed(id: string, salt: number, rule: IdRule): string {
  const tail = hash(salt === 0 ? id : `${salt}|${id}`)
  const start = rule.exact
    ? "x".repeat(rule.max - tail.length)
    : `${id.replaceAll(rule.bad, "_").slice(0, rule.max - tail.length - 1)}_`
  return start + tail
}

/** FNV-1a, 32 bits, as 8 hexadecimal digits: short and stable; not for security. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, "0")
}
