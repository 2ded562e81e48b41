/** Maximum length of an expanded template. */
export const maxExpanded = 1_048_576

/**
 * A template with its arguments: `$1`, `$@`, `$ARGUMENTS`, `${@:2}`, `${@:2:3}`, and `${1:-text}`, `${@:-text}` with a default.
 * Inserted text is not expanded again; a missing argument is empty; `\$1` stays `$1`. Null: the result would exceed
 * `maxExpanded`.
 */
export function substitute(template: string, args: readonly string[]): string | null {
  let length = template.length
  const text = template.replaceAll(form, (whole: string, ...found: readonly unknown[]) => {
    if (length > maxExpanded) return ""
    const inserted = valueOf(whole, found.at(-1) as Groups, args)
    length += inserted.length
    return inserted
  })
  return length > maxExpanded ? null : text
}

/** Whether a template uses any argument. */
export function takesArguments(template: string): boolean {
  return Array.from(template.matchAll(form)).some(([whole]) => !whole.startsWith("\\"))
}

/** Offset of a placeholder that counts from 0, which is invalid, and the placeholder itself. */
export function invalidPlaceholders(template: string): readonly { readonly at: number; readonly form: string }[] {
  return Array.from(template.matchAll(form))
    .filter(({ 0: whole, groups }) => {
      const index = groups?.["index"] ?? groups?.["braced"] ?? groups?.["from"]
      return !whole.startsWith("\\") && index !== undefined && Number(index) === 0
    })
    .map(({ 0: whole, index }) => ({ at: index, form: whole }))
}

/** Splits at blanks; a quoted argument is the text between its quotes. Other quotes are letters, as in "don't". */
export function splitArguments(line: string): readonly string[] {
  return Array.from(line.matchAll(word), ([text, double, single]) => double ?? single ?? text)
}

const word = /"([^"]*)"(?!\S)|'([^']*)'(?!\S)|\S+/g

const form =
  /\\?\$(?:(?<index>\d+)|(?<all>@|ARGUMENTS\b)|\{(?:(?<braced>\d+)|@)(?::-(?<fallback>[^}]*))?\}|\{@:(?<from>\d+)(?::(?<count>\d+))?\})/g

type Groups = Readonly<Partial<Record<"index" | "all" | "braced" | "fallback" | "from" | "count", string>>>

function valueOf(whole: string, { index, braced, fallback, from, count }: Groups, args: readonly string[]): string {
  if (whole.startsWith("\\")) return whole.slice(1)
  const single = index ?? braced
  if (single !== undefined) return args[Number(single) - 1] || (fallback ?? "")
  if (from === undefined) return args.join(" ") || (fallback ?? "")
  const first = Math.max(Number(from) - 1, 0)
  return args.slice(first, count === undefined ? undefined : first + Number(count)).join(" ")
}
