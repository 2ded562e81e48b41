/** What a name is inside: an IPv4 address, or a name that nobody has. */
export type NameAnswer = string | null

/** Seconds that programs may remember an answer. */
const TTL_S = 5
/** A query has one question; longer ones are none (RFC 1035, 2.3.4). */
const QUERY_MAX_BYTES = 512
const NAME_MAX_BYTES = 253

const HEADER_BYTES = 12
const typeA = 1
const classInternet = 1
const noError = 0
const noSuchName = 3
const notImplemented = 4

/**
 * The answer to one DNS query (RFC 1035), null for what is none. Names have IPv4 addresses here and nothing else; nobody else
 * is asked, so that a name carries nothing out.
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
  /** In lower case, without the last dot. */
  readonly name: string
  readonly type: number
  /** Where it ends in the query. */
  readonly end: number
}

/** `other`: a query of a kind that nobody sends to look a name up. */
function readQuestion(query: Buffer): Question | "other" | null {
  if (query.length < HEADER_BYTES || query.length > QUERY_MAX_BYTES) return null
  const flags = query.readUInt16BE(2)
  if ((flags & 0x8000) !== 0) return null
  if ((flags & 0x7800) !== 0 || query.readUInt16BE(4) !== 1) return "other"
  const labels: string[] = []
  let at = HEADER_BYTES
  for (;;) {
    const length = query[at]
    // A pointer has nothing to point at in front of the first name.
    if (length === undefined || length > 63) return null
    if (length === 0) break
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  if (at + 5 > query.length || query.readUInt16BE(at + 3) !== classInternet) return null
  const name = labels.join(".").toLowerCase()
  // Dots and control characters inside a label would make another name of it.
  const plain = labels.every((label) => /^[\w-]+$/.test(label)) && name.length <= NAME_MAX_BYTES
  return plain ? { name, type: query.readUInt16BE(at + 1), end: at + 5 } : null
}

function reply(query: Buffer, end: number, { code, address }: { code: number; address: NameAnswer }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // A response, recursion as it was wanted and available.
  header.writeUInt16BE(0x8080 | (query.readUInt16BE(2) & 0x0100) | code, 2)
  header.writeUInt16BE(end > HEADER_BYTES ? 1 : 0, 4)
  header.writeUInt16BE(address === null ? 0 : 1, 6)
  const asked = query.subarray(HEADER_BYTES, end)
  return Buffer.concat(address === null ? [header, asked] : [header, asked, record(address)])
}

/** Its name is the one that was asked for. */
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
