import type { Hash } from "node:crypto"

// Loaded at the first hash, so that start-up does not pay for it.
const crypto = () => (loaded ??= process.getBuiltinModule("node:crypto"))
let loaded: typeof import("node:crypto") | undefined

/** SHA-256, lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return crypto().hash("sha256", bytes, "hex")
}

/** The same for consecutive parts. */
export function sha256OfParts(parts: readonly Uint8Array[]): string {
  if (parts.length === 1 && parts[0] !== undefined) return sha256(parts[0])
  const hash = sha256Stream()
  for (const part of parts) hash.update(part)
  return hash.hex()
}

/** SHA-256 of bytes that arrive in chunks. */
export function sha256Stream(): { update(bytes: Uint8Array): void; hex(): string } {
  const hash: Hash = crypto().createHash("sha256")
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") }
}
