import { failure, FailureError } from "@gong/spec"
import { token } from "./header.ts"

export interface RequestHead {
  readonly method: string
  /** What stands behind the method: a path, a whole address for a proxy, `HOST:PORT` for CONNECT. */
  readonly target: string
  /** Of those that differ in capitals only the last one counts. */
  readonly headers: Readonly<Record<string, string>>
}

/** What stands in front of a body. Throws FailureError (`bad-request`) for a header that cannot be sent, such as a key with a line break. */
export function requestHead({ method, target, headers }: RequestHead): string {
  const lines = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (!token.test(name)) throw unsendable(`${JSON.stringify(name)} is no name of a header`)
    // The value stays away from the message: it may be a key.
    if (unwritable.test(value)) throw unsendable(`the header ${name} holds a character that cannot be sent`)
    lines.set(name.toLowerCase(), `${name}: ${value}\r\n`)
  }
  let text = `${method} ${target} HTTP/1.1\r\n`
  for (const line of lines.values()) text += line
  return `${text}\r\n`
}

/** Anything but a tab, what is printed and what is beyond ASCII in Latin-1 (RFC 9110, 5.5). */
const unwritable = /[^\t\x20-\x7e\x80-\xff]/

function unsendable(text: string): FailureError {
  return new FailureError(failure("bad-request", text))
}
