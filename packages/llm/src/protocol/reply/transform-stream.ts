import { failure, type PartialUpdate, type Provider, type Reply } from "@gong/spec"

/** What becomes of a reply that is streaming. */
export interface StreamTransform {
  /** The partials to pass on in place of this one. */
  pass(partial: PartialUpdate): Iterable<PartialUpdate>
  /** The last partials, and the reply. Default: the same reply. */
  end?(reply: Reply): Generator<PartialUpdate, Reply, undefined>
}

/**
 * The stream of a provider with its partials and its reply changed. `load` is called when the request is under way, so that
 * loading it delays nothing; the partial `start` precedes it and is passed on.
 */
export async function* transformStream(
  stream: ReturnType<Provider["stream"]>,
  load: () => Promise<StreamTransform>,
): ReturnType<Provider["stream"]> {
  try {
    const start = await stream.next()
    if (start.done) return start.value
    yield start.value
    let next = stream.next()
    const transform = await load()
    for (;;) {
      const { value, done } = await next
      if (done) return transform.end === undefined ? value : yield* transform.end(value)
      yield* transform.pass(value)
      next = stream.next()
    }
  } finally {
    await stream.return(aborted)
  }
}

const aborted: Reply = { ok: false, failure: failure("aborted", "Operation aborted"), partial: null }
