import type { Socket } from "node:net"

/** Where a command wants to connect to: a host by its name in lower case, `localhost` for this machine's own services. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** `refused`: `why` is a sentence for the model that names the rule which would let it through. */
export type Verdict = { readonly verdict: "allow" | "ask" } | { readonly verdict: "refuse"; readonly why: string }

/** Why a connection was not made, in a sentence for the model. */
export interface FailedConnection {
  readonly why: string
}

/** A connection to a target. */
export interface OpenedConnection {
  readonly socket: Socket
  /** For plain HTTP to a proxy that wants whole addresses: the headers that it wants besides; null: to the server itself. */
  readonly proxy: readonly string[] | null
}

/** What the gateway does not know itself: what may be reached, and the way there. */
export interface NetworkPorts {
  /** What holds without anybody being asked. Never rejects. */
  decide(target: Target): Promise<Verdict>
  /** The ports beside 80 and 443 that some host may be reached at. */
  ports(): Promise<readonly number[]>
  /** Asks the person who is there; `signal` takes the question back. Never rejects. */
  ask(target: Target, signal: AbortSignal): Promise<Verdict>
  /** `http`: one plain request will be sent. Never rejects. */
  connect(target: Target, how: "http" | "stream", signal: AbortSignal): Promise<OpenedConnection | FailedConnection>
}
