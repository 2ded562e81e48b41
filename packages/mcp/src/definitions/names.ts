/** Characters of a function name in all wire formats. */
const maxName = 64

/** `server__tool` in the characters and length that wire formats allow; a long name ends with its hash. */
export function exposedName(server: string, tool: string): string {
  const name = `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`
  if (name.length <= maxName) return name
  const hash = fnv(tool).toString(16).padStart(8, "0")
  return `${name.slice(0, maxName - 9)}_${hash}`
}

/** FNV-1a, 32 bits; only tells names apart. */
function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
