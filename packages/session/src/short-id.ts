/** The short form that people see: ids begin with their time, so their ends tell them apart. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(-8) : id
}
