import { phrase, type Phrase } from "@gong/spec"
/** Whether one of these names matches. */
export type Matcher = (names: readonly string[]) => boolean

/** Characters; a longer expression could still block a session for seconds. */
const maxExpression = 300

/**
 * A whole name, names separated by `|`, or a regular expression that matches a whole name; "" and `*` match everything. Settings
 * are untrusted, so expressions run in a linear-time engine; a sentence explains an unsupported one.
 */
export async function matcherOf(matcher: string): Promise<Matcher | Phrase> {
  if (matcher === "" || matcher === "*") return () => true
  if (/^[\w|-]+$/.test(matcher)) {
    const meant = new Set(matcher.split("|"))
    return (names) => names.some((name) => meant.has(name))
  }
  const shown = JSON.stringify(matcher)
  if (!isExpression(matcher)) return phrase`"matcher" is no regular expression: ${shown}.`
  if (matcher.length > maxExpression) return phrase`"matcher" is longer than ${maxExpression} characters.`
  const { RE2JS } = await import("re2js")
  try {
    const pattern = RE2JS.compile(`^(?:${matcher})$`)
    return (names) => names.some((name) => pattern.test(name))
  } catch {
    return phrase`"matcher" must go without looking ahead, looking behind and back-references, whose time has no bound: ${shown}.`
  }
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== ""
  } catch {
    return false
  }
}
