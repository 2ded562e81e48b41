import type { PartialArguments } from "@gong/spec"
import { accumulator, type Accumulator } from "./partial-json.ts"

/** The arguments of one call while they stream. Parsed only when somebody looks, and then only what is new. */
export class LiveArguments {
  #text = ""
  #unread: string[] = []
  #reader: Accumulator | null = null

  /** All that has come. */
  get text(): string {
    return this.#text
  }

  add(index: number, delta: string): PartialArguments {
    this.#text += delta
    this.#unread.push(delta)
    return new ArgsPiece(index, delta, this)
  }

  /** A partial that brings all that has come so far at once. */
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

/** A class because its getter must not be an own property: JSON lines and copies of a partial do not see it. */
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
