import { type PartialUpdate, type Model, type Provider, type Reply } from "@gong/spec"
import { scriptedModel } from "./provider.ts"

/** A model whose reply a test controls piece by piece. */
export interface PushedReply extends Provider {
  push(partial: PartialUpdate): void
  end(reply: Reply): void
}

/** One stream: pushed partials in order, then the reply. Partials may be pushed before the stream is read. */
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
