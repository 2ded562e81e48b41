import { literalWild, type Wild, wildTest } from "@gong/spec"

/** Pure arithmetic on POSIX paths, without file system access. */

/** The absolute form of `path`, with `~` and dots resolved. `~name` stays, since that home is unknown here. */
export function absolute(path: string, cwd: string, home: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? home + path.slice(1) : path
  const parts: string[] = []
  for (const part of (expanded.startsWith("/") ? expanded : `${cwd}/${expanded}`).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

/** Whether `path` is `folder` or inside it; both absolute. Compares whole names, so `/w/app-evil` is not in `/w/app`. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`)
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

/** `src/**` with `**` across folders, `*` and `?` within a name; everything else is literal. */
export function globMatches(pattern: string, path: string): boolean {
  const parts = pattern.match(/\*\*\/?|[*?]|[^*?]+/g) ?? []
  return wildTest(parts.flatMap((part) => wildcards[part] ?? literalWild(part)))(path)
}

const inName: Wild = { one: (char) => char !== "/" }
const wildcards: Readonly<Record<string, readonly Wild[]>> = {
  "**/": [{ many: [inName, { many: [inName] }, ...literalWild("/")] }],
  "**": [{ many: [{ one: () => true }] }],
  "*": [{ many: [inName] }],
  "?": [inName],
}

/** Escapes a text for a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}
