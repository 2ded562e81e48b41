/** The role of a theme for a style of rendered calls; empty: none. */
export function roleOf(style: string): { readonly role?: string } {
  const role = {
    added: "added",
    removed: "removed",
    error: "removed",
    dim: "muted",
    number: "muted",
    name: "strong",
    title: "strong",
  }[style]
  return role === undefined ? {} : { role }
}
