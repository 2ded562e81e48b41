/** The IPv4 address of a name inside the network; null if the name does not exist. */
export type NameAnswer = string | null

/** Seconds for which programs may cache an answer. */
const TTL_S = 5
/** Longer queries are invalid (RFC 1035, 2.3.4). */
const QUERY_MAX_BYTES = 512
const NAME_MAX_BYTES = 253

const HEADER_BYTES = 12
const typeA = 1
const classInternet = 1
const noError = 0
const noSuchName = 3
const notImplemented = 4

/**
 * Answers one DNS query (RFC 1035); null if it is malformed. Names have IPv4 addresses only. No other server is asked,
 * so names cannot carry data out.
 */
export async function answerQuery(
  query: Buffer,
  addressOf: (name: string) => Promise<NameAnswer>,
): Promise<Buffer | null> {
  const question = readQuestion(query)
  if (question === null) return null
  if (question === "other") return reply(query, HEADER_BYTES, { code: notImplemented, address: null })
  const { name, type, end } = question
  const address = await addressOf(name)
  if (address === null) return reply(query, end, { code: noSuchName, address: null })
  return reply(query, end, { code: noError, address: type === typeA ? address : null })
}

interface Question {
  /** In lower case, without the trailing dot. */
  readonly name: string
  readonly type: number
  /** Its end in the query. */
  readonly end: number
}

/** `other`: a kind of query that is not used to resolve names. */
function readQuestion(query: Buffer): Question | "other" | null {
  if (query.length < HEADER_BYTES || query.length > QUERY_MAX_BYTES) return null
  const flags = query.readUInt16BE(2)
  if ((flags & 0x8000) !== 0) return null
  if ((flags & 0x7800) !== 0 || query.readUInt16BE(4) !== 1) return "other"
  const labels: string[] = []
  let at = HEADER_BYTES
  for (;;) {
    const length = query[at]
    // The first name cannot contain a compression pointer.
    if (length === undefined || length > 63) return null
    if (length === 0) break
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  if (at + 5 > query.length || query.readUInt16BE(at + 3) !== classInternet) return null
  const name = labels.join(".").toLowerCase()
  // Dots and control characters inside a label would change the name.
  const plain = labels.every((label) => /^[\w-]+$/.test(label)) && name.length <= NAME_MAX_BYTES
  return plain ? { name, type: query.readUInt16BE(at + 1), end: at + 5 } : null
}

function reply(query: Buffer, end: number, { code, address }: { code: number; address: NameAnswer }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // A response; recursion desired as in the query, and available.
  header.writeUInt16BE(0x8080 | (query.readUInt16BE(2) & 0x0100) | code, 2)
  header.writeUInt16BE(end > HEADER_BYTES ? 1 : 0, 4)
  header.writeUInt16BE(address === null ? 0 : 1, 6)
  const asked = query.subarray(HEADER_BYTES, end)
  return Buffer.concat(address === null ? [header, asked] : [header, asked, record(address)])
}

/** Refers to the name in the query. */
function record(address: string): Buffer {
  const fields = Buffer.alloc(16)
  fields.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  fields.writeUInt16BE(typeA, 2)
  fields.writeUInt16BE(classInternet, 4)
  fields.writeUInt32BE(TTL_S, 6)
  fields.writeUInt16BE(4, 10)
  for (const [at, part] of address.split(".").entries()) fields[12 + at] = Number(part)
  return fields
}
