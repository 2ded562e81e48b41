/** Paths as text with `/` separators, the form that every host uses. Nothing here accesses a disk. */

export function normalize(path: string): string {
  const absolute = path.startsWith("/")
  const parts: string[] = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop()
    else if (!absolute) parts.push(part)
  }
  const joined = parts.join("/")
  return absolute ? `/${joined}` : joined || "."
}

export function join(folder: string, path: string): string {
  return normalize(`${folder}/${path}`)
}

export function dirname(path: string): string {
  const at = path.lastIndexOf("/")
  if (at === -1) return "."
  return at === 0 ? "/" : path.slice(0, at)
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** Whether `path` is `folder` or lies below it. Both absolute and normalised. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`)
}

/** `path` relative to `folder`; unchanged if it is not inside. */
export function relativeTo(folder: string, path: string): string {
  if (path === folder) return "."
  if (!isInside(folder, path)) return path
  return folder === "/" ? path.slice(1) : path.slice(folder.length + 1)
}
