/**
 * Asks the holder for a TCP listener, a UDP socket or a TCP connection at an IP address and port inside the namespace.
 */
export interface HolderRequest {
  readonly id: number
  readonly what: "listen" | "bind" | "connect"
  readonly address: string
  readonly port: number
}

/**
 * The reply, with the socket attached, or the system's error code. The first reply has id 0 and carries the process id.
 */
export interface HolderReply {
  readonly id: number
  readonly error?: string
  readonly pid?: number
}
