import { literalWild, type Wild, wildTest } from "@gong/spec"

/**
 * Compiles a glob to a test of a path relative to the search folder: `*` and `?` stay inside a name, `**` crosses
 * folders, `[...]` and `{a,b}` work as in a shell. Without a slash it is matched against the name in any folder.
 */
export function globTest(pattern: string): (path: string) => boolean {
  const anchored = pattern.replace(/^\.?\//, "")
  const wilds = wildsOf(anchored)
  return wildTest(pattern.includes("/") ? wilds : [{ either: [[], [anything, slash]] }, ...wilds])
}

/** The longest text that every matching path contains; empty if there is none. Used as a quick filter. */
export function literalOf(pattern: string): string {
  const anchored = pattern.replace(/^\.?\//, "")
  const pieces = anchored.split(/\\.|\[[!^]?\]?[^\]]*\]|\{.*\}|\*\*\/|[*?]/su)
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "")
}

const anything: Wild = { many: [{ one: () => true }] }
const inName: Wild = { one: (char) => char !== "/" }
const slash: Wild = { one: (char) => char === "/" }

const wildcards: Readonly<Record<string, readonly Wild[]>> = {
  "**/": [{ either: [[], [anything, slash]] }],
  "**": [anything],
  "*": [{ many: [inName] }],
  "?": [inName],
}

/** The alternatives between braces of one level; the outermost level has one. Unclosed braces end with the glob. */
function wildsOf(glob: string): readonly Wild[] {
  const levels: Wild[][][] = [[[]]]
  const add = (wilds: readonly Wild[]) =>
    void levels
      .at(-1)
      ?.at(-1)
      ?.push(...wilds)
  const close = () => {
    const either = levels.pop() ?? []
    add([{ either }])
  }
  const lastBrace = glob.lastIndexOf("}")
  for (const { 0: part, index } of glob.matchAll(/\*\*\/?|[*?{},]|\[[!^]?\]?[^\]]*\]|\\.|[^]/gu)) {
    if (part === "{" && index < lastBrace) levels.push([[]])
    else if (part === "}" && levels.length > 1) close()
    else if (part === "," && levels.length > 1) levels.at(-1)?.push([])
    else if (part.length > 1 && part.startsWith("[")) add([setOf(part)])
    else add(wildcards[part] ?? literalWild(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part))
  }
  while (levels.length > 1) close()
  return levels[0]?.[0] ?? []
}

/** `[a-z]` or `[!a-z]`: one character of a name. */
function setOf(set: string): Wild {
  const negated = /^\[[!^]/.test(set)
  const members = set.slice(negated ? 2 : 1, -1).replace(/[\\\]^[&~|]/g, "\\$&")
  const form = new RegExp(`[${negated ? "^" : ""}${members}]`, "su")
  return { one: (char) => char !== "/" && form.test(char) }
}
