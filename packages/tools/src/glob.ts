/**
 * A glob as a test on a path relative to where the search began: `*` and `?` stay inside a name, `**` crosses folders,
 * `[...]` and `{a,b}` as in a shell. Without a slash it is the name alone that must fit, in any folder.
 */
export function globTest(pattern: string): (path: string) => boolean {
  const anchored = pattern.replace(/^\.?\//, "")
  const whole = new RegExp(`${pattern.includes("/") ? "^" : "(?:^|/)"}${sourceOf(anchored)}$`, "su")
  return (path) => whole.test(path)
}

/**
 * The longest text that every path which fits must hold, empty when there is none: what does not hold it need not be
 * looked at.
 */
export function literalOf(pattern: string): string {
  const anchored = pattern.replace(/^\.?\//, "")
  const pieces = anchored.split(/\\.|\[[!^]?\]?[^\]]*\]|\{.*\}|\*\*\/|[*?]/su)
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "")
}

function sourceOf(glob: string): string {
  let source = ""
  let depth = 0
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at)
    const char = glob[at] ?? ""
    const set = /^\[[!^]?\]?[^\]]*\]/.exec(rest)?.[0]
    if (rest.startsWith("**/")) {
      source += "(?:.*/)?"
      at += 2
    } else if (rest.startsWith("**")) {
      source += ".*"
      at += 1
    } else if (char === "*") source += "[^/]*"
    else if (char === "?") source += "[^/]"
    else if (set !== undefined) {
      source += setSource(set)
      at += set.length - 1
    } else if (char === "{" && rest.includes("}")) {
      source += "(?:"
      depth++
    } else if (char === "}" && depth > 0) {
      source += ")"
      depth--
    } else if (char === "," && depth > 0) source += "|"
    else if (char === "\\" && at + 1 < glob.length) source += escaped(glob[++at] ?? "")
    else source += escaped(char)
  }
  return source + ")".repeat(depth)
}

function setSource(set: string): string {
  const negated = /^\[[!^]/.test(set)
  const members = set.slice(negated ? 2 : 1, -1).replace(/[\\\]^[&~|]/g, "\\$&")
  return `(?!/)[${negated ? "^" : ""}${members}]`
}

function escaped(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
}
