/** Characters that a template may grow to. */
export const maxExpanded = 1_048_576

/**
 * A template with its arguments put in: `$1`, `$@`, `$ARGUMENTS`, `${@:2}`, `${@:2:3}`, and `${1:-text}`, `${@:-text}` for
 * what holds without one. What is put in is not looked at again; an argument that is not there is empty; `\$1` stays `$1`.
 * Null: it would grow beyond `maxExpanded`.
 */
export function substitute(template: string, args: readonly string[]): string | null {
  let length = template.length
  const text = template.replaceAll(form, (whole: string, ...found: readonly unknown[]) => {
    if (length > maxExpanded) return ""
    const put = valueOf(whole, found.at(-1) as Groups, args)
    length += put.length
    return put
  })
  return length > maxExpanded ? null : text
}

/** Whether any argument of a template is put in anywhere. */
export function takesArguments(template: string): boolean {
  return Array.from(template.matchAll(form)).some(([whole]) => !whole.startsWith("\\"))
}

/** Where in the template (from 0) a form counts from 0, which no argument does, and the form itself. */
export function wrongIndices(template: string): readonly { readonly at: number; readonly form: string }[] {
  return Array.from(template.matchAll(form))
    .filter(({ 0: whole, groups }) => {
      const index = groups?.["index"] ?? groups?.["braced"] ?? groups?.["from"]
      return !whole.startsWith("\\") && index !== undefined && Number(index) === 0
    })
    .map(({ 0: whole, index }) => ({ at: index, form: whole }))
}

/** Blanks divide; an argument that begins and ends with the same quote is what stands between. Other quotes are letters, as in "don't". */
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
