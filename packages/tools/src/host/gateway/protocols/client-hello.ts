/** The server name in the first bytes of a TLS connection. */
export type ServerName =
  | { readonly found: "name"; readonly name: string }
  /** Incomplete so far. */
  | { readonly found: "more" }
  /** Not TLS, no server name, or malformed. */
  | { readonly found: "none" }

const none: ServerName = { found: "none" }
const more: ServerName = { found: "more" }

const handshakeRecord = 22
const clientHello = 1
const serverNameExtension = 0
const hostName = 0

/** Reads the server name of a ClientHello (RFC 8446, 4.1.2; RFC 6066, 3), which may span several records. */
export function readServerName(bytes: Buffer): ServerName {
  const message = handshakeIn(bytes)
  if (message === null) return none
  if (message.length < 4) return more
  if (message[0] !== clientHello) return none
  const end = 4 + message.readUIntBE(1, 3)
  if (message.length < end) return more
  try {
    return nameIn(reader(message.subarray(4, end)))
  } catch {
    return none
  }
}

/** The handshake bytes without record headers; null if it is no handshake. */
function handshakeIn(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== handshakeRecord || (at + 1 < bytes.length && bytes[at + 1] !== 3)) return null
    if (at + 5 > bytes.length) break
    const length = bytes.readUInt16BE(at + 3)
    if (length === 0) return null
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  return Buffer.concat(parts)
}

type Reader = ReturnType<typeof reader>

/** Throws if fewer bytes remain than requested. */
function reader(bytes: Buffer) {
  let at = 0
  const number = (size: number): number => {
    const value = bytes.readUIntBE(at, size)
    at += size
    return value
  }
  const take = (size: number): Buffer => {
    if (at + size > bytes.length) throw new RangeError("the message ends too early")
    at += size
    return bytes.subarray(at - size, at)
  }
  return { number, take, vector: (size: number) => take(number(size)), done: () => at === bytes.length }
}

function nameIn(hello: Reader): ServerName {
  // Version and random; session id, cipher suites, compression methods.
  hello.take(34)
  hello.vector(1)
  hello.vector(2)
  hello.vector(1)
  const extensions = reader(hello.vector(2))
  while (!extensions.done()) {
    const type = extensions.number(2)
    const data = reader(extensions.vector(2))
    if (type !== serverNameExtension) continue
    const names = reader(data.vector(2))
    const kind = names.number(1)
    const name = names.vector(2).toString("latin1").toLowerCase()
    return kind === hostName && isHostName(name) ? { found: "name", name } : none
  }
  return none
}

/**
 * Whether this is a DNS name and no address. Names that end in a number are addresses (URL standard, "ends in a
 * number").
 */
export function isHostName(name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1)
  return name.length <= 253 && /^[\w-]{1,63}(?:\.[\w-]{1,63})*$/.test(name) && !/^(?:\d+|0x[\da-f]*)$/i.test(last)
}
