import { hiddenByte, type RecordedBody } from "./lines.ts"

/** Bytes compared at once. */
const block = 65_536

/**
 * Returns of each body only the difference from the previous one, so that a recording grows linearly with the session. The result
 * is a copy, since bodies may be in reused memory.
 */
export function bodyDeltas(keys: () => readonly string[]): (body: readonly Uint8Array[]) => RecordedBody {
  let last = Buffer.alloc(0)
  let length = 0

  /** Length of the common prefix with the previous body. */
  function commonPrefix(body: readonly Uint8Array[]): number {
    let at = 0
    for (const bytes of body) {
      const same = commonLength(last.subarray(at, length), bytes)
      at += same
      if (same < bytes.length) break
    }
    return at
  }

  /** Replaces the bytes from `from` on. */
  function store(body: readonly Uint8Array[], from: number): void {
    length = sizeOf(body)
    if (length > last.length) {
      const larger = Buffer.alloc(length * 2)
      last.copy(larger, 0, 0, from)
      last = larger
    }
    let at = 0
    for (const bytes of body) {
      const first = Math.max(0, from - at)
      last.set(bytes.subarray(first), at + first)
      at += bytes.length
    }
  }

  /** Length of the common suffix with the previous body, after the first `same` bytes: tools and settings. */
  function commonSuffix(body: readonly Uint8Array[], same: number): number {
    const size = sizeOf(body)
    let at = 0
    for (const bytes of body.toReversed()) {
      const equal = commonEnd(last.subarray(0, length - at), bytes)
      at += equal
      if (equal < bytes.length) break
    }
    return Math.min(at, Math.min(length, size) - same)
  }

  return (body) => {
    const secrets = keys().map((key) => Buffer.from(key))
    const same = commonPrefix(body)
    const atEnd = commonSuffix(body, same)
    store(body, same)
    // Bytes of a longer previous body may follow; they must not form a key with the end.
    const bytes = last.subarray(0, length)
    const kept = atCharacterStart(bytes, cutBeforeSecret(bytes, same, secrets))
    const end = length - cutAfterSecret(bytes, length - atEnd, secrets)
    return { kept, rest: redacted(bytes.subarray(kept, length - end), secrets).toString(), end }
  }
}

function sizeOf(body: readonly Uint8Array[]): number {
  return body.reduce((sum, bytes) => sum + bytes.length, 0)
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && Buffer.compare(a.subarray(at, at + block), b.subarray(at, Math.min(at + block, most))) === 0)
    at += block
  while (at < most && a[at] === b[at]) at += 1
  return Math.min(at, most)
}

function commonEnd(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let count = 0
  while (count < most && a[a.length - count - 1] === b[b.length - count - 1]) count += 1
  return count
}

/** A body is never cut inside a key, since half a key would not be found. */
function cutBeforeSecret(bytes: Buffer, at: number, secrets: readonly Buffer[]): number {
  return Math.min(at, ...secrets.map((secret) => secretAround(bytes, at, secret) ?? at))
}

/** The position itself, or the end of the key around it; never inside a character. */
function cutAfterSecret(bytes: Buffer, at: number, secrets: readonly Buffer[]): number {
  const ends = secrets.map((secret) => (secretAround(bytes, at, secret) ?? at - secret.length) + secret.length)
  let cut = Math.max(at, ...ends)
  while (isInside(bytes, cut)) cut += 1
  return cut
}

/** Start of the key around this position. */
function secretAround(bytes: Buffer, at: number, secret: Buffer): number | null {
  const from = Math.max(0, at - secret.length + 1)
  const found = bytes.subarray(from, at + secret.length - 1).indexOf(secret)
  return found < 0 ? null : from + found
}

function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80
}

/** A position at a UTF-8 character boundary. */
function atCharacterStart(bytes: Uint8Array, at: number): number {
  let cut = at
  while (isInside(bytes, cut)) cut -= 1
  return cut
}

/** A copy with all keys overwritten. */
function redacted(bytes: Buffer, secrets: readonly Buffer[]): Buffer {
  const clean = Buffer.from(bytes)
  for (const secret of secrets)
    for (let at = clean.indexOf(secret); at >= 0; at = clean.indexOf(secret, at))
      clean.fill(hiddenByte, at, at + secret.length)
  return clean
}
