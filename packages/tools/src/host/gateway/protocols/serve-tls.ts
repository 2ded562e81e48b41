import type { Socket } from "node:net"
import { readServerName } from "./client-hello.ts"
import type { OpenedConnection } from "../ports.ts"
import { readPrefix, relay } from "./relay.ts"

/** Connects to a permitted host; null if it was refused, which has been noted. */
export type ConnectTo = (host: string) => Promise<OpenedConnection | null>

export interface TlsService {
  /** Restricts the connection to this server name. */
  readonly only?: string
  readonly reach: ConnectTo
  /** Called if the client sent no server name. */
  onMissingName(): void
}

/** A ClientHello has one or two kilobytes; slower clients are dropped. */
const beginning = { maxBytes: 16 * 1024, maxMs: 10_000 }

/** Fatal, access_denied (RFC 8446, 6). */
const accessDenied = Buffer.from([21, 3, 1, 0, 2, 2, 49])

/**
 * Serves one TLS connection: relays it to the server that it names, whatever address it used, without decrypting it.
 */
export async function serveTls(client: Socket, { only, reach, onMissingName }: TlsService): Promise<void> {
  const begun = await readPrefix(
    client,
    (bytes) => {
      const name = readServerName(bytes)
      return name.found === "more" ? "more" : name
    },
    beginning,
  )
  if (begun === null) return void client.destroy()
  const name = begun.made.found === "name" ? begun.made.name : null
  if (name === null || (only !== undefined && name !== only)) {
    onMissingName()
    return void client.end(accessDenied)
  }
  const reached = await reach(name)
  if (reached === null) return void client.end(accessDenied)
  reached.socket.write(begun.bytes)
  await relay(client, reached.socket)
}
