/** Whether the query is the path or its last components. */
export function matchesPath(path: string, query: string): boolean {
  return path === query || path.endsWith(`/${query}`)
}
