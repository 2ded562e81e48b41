/** The name of a header (RFC 9110, 5.1). */
export const token = /^[\w!#$%&'*+.^`|~-]+$/

export interface Header {
  /** In lower case. */
  readonly name: string
  /** Without surrounding white space. */
  readonly value: string
}

/** Parses a header line without its line end (RFC 9112, 5); null if it is invalid. */
export function readHeader(line: string): Header | null {
  const colon = line.indexOf(":")
  const name = line.slice(0, Math.max(0, colon))
  if (!token.test(name) || forbidden.test(line)) return null
  let begin = colon + 1
  let end = line.length
  while (begin < end && isSpace(line.charCodeAt(begin))) begin++
  while (end > begin && isSpace(line.charCodeAt(end - 1))) end--
  return { name: name.toLowerCase(), value: line.slice(begin, end) }
}

const forbidden = /[\0\r\n]/

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09
}
