/** What a provider accepts as the id of a tool call. */
export interface IdRule {
  /** Matches one character that is not accepted. */
  readonly bad: RegExp
  readonly max: number
  /** A server takes any character in an id that it gave itself. */
  readonly anyOfOwn?: boolean
  /** Every id has `max` characters. */
  readonly exact?: boolean
  /** Only what stands before this character is sent. */
  readonly until?: string
}

/**
 * Ids of one reply's calls under a rule, call and result alike. An id that fits stays as it is; others are made fit
 * the same way every time, and two ids never become one (contract C-57).
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

/** What of a rule holds for ids that the model gave itself. */
export function ruleForOwn(rule: IdRule): IdRule {
  return rule.anyOfOwn ? { ...rule, bad: nothing } : rule
}

const nothing = /(?!)/g

/** One id under a rule, for itself. */
export function fitId(id: string, rule: IdRule): string {
  const end = rule.until === undefined ? -1 : id.indexOf(rule.until)
  const clean = (end < 0 ? id : id.slice(0, end)).replaceAll(rule.bad, rule.exact ? "" : "_")
  const fits = rule.exact ? clean === id && id.length === rule.max : clean !== "" && clean.length <= rule.max
  return fits ? clean : hashed(id, 0, rule)
}

/** The beginning of the id and a hash of all of it. */
function hashed(id: string, salt: number, rule: IdRule): string {
  const tail = hash(salt === 0 ? id : `${salt}|${id}`)
  const start = rule.exact
    ? "x".repeat(rule.max - tail.length)
    : `${id.replaceAll(rule.bad, "_").slice(0, rule.max - tail.length - 1)}_`
  return start + tail
}

/** FNV-1a, 32 bits, as 8 hexadecimal digits: short, stable, no secret to keep. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, "0")
}
