/** Chunks of 1 to 97 bytes, deterministic by seed. */
export function randomPieces(bytes: Uint8Array, seed: number): Uint8Array[] {
  const found: Uint8Array[] = []
  let state = seed
  for (let at = 0; at < bytes.length;) {
    state = (state * 48_271) % 2_147_483_647
    const end = at + 1 + (state % 97)
    found.push(bytes.subarray(at, end))
    at = end
  }
  return found
}
