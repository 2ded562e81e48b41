/** Randomness as a port. */
export interface Ids {
  /** 12 characters of Crockford base32, lower case. */
  entry(): string
  /** A version 7 UUID (RFC 9562). */
  tape(): string
}
