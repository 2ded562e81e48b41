import type { PartialArguments } from "@gong/spec"
import { accumulator, type Accumulator } from "./partial-json.ts"

/** The streaming arguments of one call. Parsed only on access, and only the new part. */
export class LiveArguments {
  #text = ""
  #unread: string[] = []
  #reader: Accumulator | null = null

  /** The raw text so far. */
  get text(): string {
    return this.#text
  }

  add(index: number, delta: string): PartialArguments {
    this.#text += delta
    this.#unread.push(delta)
    return new ArgsPiece(index, delta, this)
  }

  /** A partial with the whole text so far. */
  all(index: number): PartialArguments {
    return new ArgsPiece(index, this.#text, this)
  }

  read(): Readonly<Record<string, unknown>> {
    this.#reader ??= accumulator()
    const { value } = this.#reader.add(this.#unread.join(""))
    this.#unread = []
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  }
}

/** A class, so that the getter is not an own property: JSON and copies of a partial leave it out. */
class ArgsPiece implements PartialArguments {
  readonly type = "args"
  readonly index: number
  readonly delta: string
  readonly #live: LiveArguments

  constructor(index: number, delta: string, live: LiveArguments) {
    this.index = index
    this.delta = delta
    this.#live = live
  }

  get partialArgs(): Readonly<Record<string, unknown>> {
    return this.#live.read()
  }
}
