import { failure, FailureError } from "@gong/spec"
import { token } from "./header.ts"

export interface RequestHead {
  readonly method: string
  /** The request target: a path, an absolute URL for a proxy, `HOST:PORT` for CONNECT. */
  readonly target: string
  /** Of names that differ only in case the last one counts. */
  readonly headers: Readonly<Record<string, string>>
}

/** The head of a request. Throws FailureError (`bad-request`) for an invalid header, such as a key with a line break. */
export function requestHead({ method, target, headers }: RequestHead): string {
  const lines = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (!token.test(name)) throw unsendable(`${JSON.stringify(name)} is no name of a header`)
    // The value is not in the message, since it may be a key.
    if (unwritable.test(value)) throw unsendable(`the header ${name} holds a character that cannot be sent`)
    lines.set(name.toLowerCase(), `${name}: ${value}\r\n`)
  }
  let text = `${method} ${target} HTTP/1.1\r\n`
  for (const line of lines.values()) text += line
  return `${text}\r\n`
}

/** Anything but tab, printable ASCII and the upper half of Latin-1 (RFC 9110, 5.5). */
const unwritable = /[^\t\x20-\x7e\x80-\xff]/

function unsendable(text: string): FailureError {
  return new FailureError(failure("bad-request", text))
}
