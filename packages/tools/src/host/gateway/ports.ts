import type { Socket } from "node:net"

/** The target of a connection: a host name in lower case; `localhost` for services of this machine. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** `why` is a sentence for the model that names the rule which would permit it. */
export type Verdict = { readonly verdict: "allow" | "ask" } | { readonly verdict: "refuse"; readonly why: string }

/** Why a connection failed, as a sentence for the model. */
export interface FailedConnection {
  readonly why: string
}

/** An open connection to a target. */
export interface OpenedConnection {
  readonly socket: Socket
  /** For plain HTTP over a proxy that requires absolute URLs: its additional headers. Null for a direct connection. */
  readonly proxy: readonly string[] | null
}

/** The policy and the outgoing connections of the gateway. */
export interface NetworkPorts {
  /** The decision without asking the user. Never rejects. */
  decide(target: Target): Promise<Verdict>
  /** All ports beside 80 and 443 that are permitted for some host. */
  ports(): Promise<readonly number[]>
  /** Asks the user; `signal` withdraws the question. Never rejects. */
  ask(target: Target, signal: AbortSignal): Promise<Verdict>
  /** `http`: a single plain request will be sent. Never rejects. */
  connect(target: Target, how: "http" | "stream", signal: AbortSignal): Promise<OpenedConnection | FailedConnection>
}
