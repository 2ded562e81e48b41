/** What Gong wants of the process inside: a TCP listener, a UDP socket or a TCP connection, at an IP address and port there. */
export interface HolderRequest {
  readonly id: number
  readonly what: "listen" | "bind" | "connect"
  readonly address: string
  readonly port: number
}

/** Its answer: with the socket beside it, or with the system's code of why there is none. The first one, 0, says its process id. */
export interface HolderReply {
  readonly id: number
  readonly error?: string
  readonly pid?: number
}
