/** Where a session is written when nobody names a file: ids begin with their time, so their ends tell them apart. */
export function exportName(id: string): string {
  return `gong-${id.slice(-8)}.md`
}
