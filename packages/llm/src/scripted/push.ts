import { type PartialUpdate, type Model, type Provider, type Reply } from "@gong/spec"
import { scriptedModel } from "./provider.ts"

/** A model whose reply a test plays by hand, piece by piece. */
export interface PushedReply extends Provider {
  push(partial: PartialUpdate): void
  end(reply: Reply): void
}

/** One stream: what is pushed comes out in order, then the reply. Pieces may be pushed before anybody reads. */
export function pushedReply(model: Model = scriptedModel): PushedReply {
  const partials: PartialUpdate[] = []
  let reply: Reply | null = null
  let wake = () => {}
  return {
    model,
    push(partial) {
      partials.push(partial)
      wake()
    },
    end(last) {
      reply = last
      wake()
    },
    async *stream() {
      for (;;) {
        const partial = partials.shift()
        if (partial) yield partial
        else if (reply) return reply
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
