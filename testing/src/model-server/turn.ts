/** One scripted reply. Plain data, so that a script can be a JSON file. */
export interface Turn {
  readonly thinking?: string
  readonly text?: string
  readonly calls?: readonly PlayedCall[]
  /** UTF-16 units of text or thinking per event; default 16. */
  readonly delta?: number
  /** UTF-16 units of a call's arguments per event; default 16. */
  readonly argDelta?: number
  /** Milliseconds between two events; default 0: as fast as the client reads. */
  readonly delayMs?: number
  /** Bytes per write, regardless of events: 1 cuts everywhere. Default: as many as fit. */
  readonly chunkBytes?: number
  /** `false` leaves the usage out. */
  readonly usage?: PlayedUsage | false
  /** The stop reason in the wire format's terms; default: the matching one. */
  readonly stop?: string
  /** How call ids are sent; default: a unique one in the first event of the call. */
  readonly ids?: "missing" | "duplicate" | "late"
  readonly fault?: Fault
}

export interface PlayedCall {
  readonly name: string
  /** Text is sent unchanged, valid or not; anything else as JSON. */
  readonly args: unknown
  /** Default: generated, unique in a conversation. */
  readonly id?: string
}

export interface PlayedUsage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** A fault of a reply. Counts of chunks and bytes refer to the body. */
export type Fault =
  /** No more data; the connection stays open. */
  | { readonly kind: "stall"; readonly after: "connect" | "headers" | { readonly chunks: number } }
  /** The connection is destroyed. */
  | { readonly kind: "drop"; readonly after: "connect" | "headers" | Count }
  /** The body ends properly, but too early. */
  | { readonly kind: "cut"; readonly after: Count }
  /** A refusal before the stream. `overflow`: the API's error for too long a context. */
  | {
      readonly kind: "status"
      readonly status: number
      readonly message?: string
      readonly code?: string
      readonly overflow?: boolean
      readonly retryAfter?: string
    }
  /** An error event in the middle of the stream, which then ends. */
  | { readonly kind: "error-event"; readonly after: { readonly chunks: number }; readonly message?: string }
  /** An event whose data is not JSON, after which the stream goes on. */
  | { readonly kind: "malformed"; readonly after: { readonly chunks: number } }
  /** A non-streamed JSON reply. */
  | { readonly kind: "not-streamed" }
  /** A different body: a web page, random bytes, any text. */
  | {
      readonly kind: "body"
      readonly body: "html" | "garbage" | { readonly text: string }
      readonly status?: number
      readonly type?: string
    }

export type Count = { readonly chunks: number } | { readonly bytes: number }

/** Splits text into pieces of `size` UTF-16 units, never inside a surrogate pair. */
export function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + Math.max(1, size))
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to++
    yield text.slice(from, to)
    from = to
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

export function argumentsText(call: PlayedCall): string {
  return typeof call.args === "string" ? call.args : JSON.stringify(call.args)
}

/** The same usage in every wire format; too small to trigger compaction. */
export function usageOf(turn: Turn): Required<PlayedUsage> | null {
  if (turn.usage === false) return null
  return { input: 120, output: 40, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...turn.usage }
}
