import { Session } from "node:inspector"
import { fileURLToPath } from "node:url"
import { type Clock, parseJson } from "@gong/spec"

/** A location of running code; `line` counts from 1. */
export interface Frame {
  readonly path: string
  readonly line: number
  readonly name: string
}

/** Milliseconds to wait for a thread to pause. */
const pauseTime = 2_000

/**
 * The stack of a running thread, innermost frame first, read by pausing it with the debugger. Empty if it runs no code
 * or does not pause. Afterwards the thread can only be ended.
 */
export async function whereIs(threadId: number, clock: Clock): Promise<readonly Frame[]> {
  const session = new Session()
  const { promise, resolve } = Promise.withResolvers<readonly Frame[]>()
  const cancel = clock.timer(pauseTime, () => resolve([]))
  try {
    session.connect()
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
      // The inspector's session id is unrelated to the thread id, which is in the title.
      if (workerInfo.title.startsWith(`[worker ${threadId}]`)) pause(session, sessionId, resolve)
    })
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false })
    return await promise
  } catch {
    return []
  } finally {
    cancel()
    session.disconnect()
  }
}

interface DebuggerMessage {
  readonly method?: string
  readonly params?: {
    readonly scriptId?: string
    readonly url?: string
    readonly callFrames?: readonly {
      readonly functionName: string
      readonly location: { readonly scriptId: string; readonly lineNumber: number }
    }[]
  }
}

function pause(session: Session, sessionId: string, found: (frames: readonly Frame[]) => void): void {
  const urls = new Map<string, string>()
  let ids = 0
  const send = (method: string): void => {
    ids += 1
    session.post("NodeWorker.sendMessageToWorker", { sessionId, message: JSON.stringify({ id: ids, method }) })
  }
  session.on("NodeWorker.receivedMessageFromWorker", ({ params: received }) => {
    if (received.sessionId !== sessionId) return
    const { method, params = {} } = (parseJson(received.message) ?? {}) as Partial<DebuggerMessage>
    if (method === "Debugger.scriptParsed") urls.set(params.scriptId ?? "", params.url ?? "")
    if (method !== "Debugger.paused") return
    const frames = (params.callFrames ?? []).map(({ functionName, location }) => ({
      url: urls.get(location.scriptId) ?? "",
      line: location.lineNumber + 1,
      name: functionName,
    }))
    // A paused thread could not be ended.
    send("Debugger.resume")
    found(
      frames.flatMap(({ url, ...frame }) => (url.startsWith("file:") ? [{ ...frame, path: fileURLToPath(url) }] : [])),
    )
  })
  send("Debugger.enable")
  send("Debugger.pause")
}
