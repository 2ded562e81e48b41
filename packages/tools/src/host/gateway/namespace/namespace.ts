import type { ChildProcess } from "node:child_process"
import type { Socket as Datagrams } from "node:dgram"
import { existsSync } from "node:fs"
import type { Server, Socket } from "node:net"
import { fileURLToPath } from "node:url"
import type { HolderReply, HolderRequest } from "./messages.ts"

/** A network namespace with loopback only, for all commands of one session. */
export interface Namespace {
  /** The pid of the holder process on the host. */
  readonly pid: number
  /** Prefix of a command line that runs inside. Not valid after it is closed, since the pid may be reused. */
  readonly enter: readonly string[]
  readonly closed: boolean
  /**
   * These create sockets inside, owned by this process. They reject with the system's error code (`EADDRINUSE`, ...).
   */
  listen(address: string, port: number): Promise<Server>
  bind(address: string, port: number): Promise<Datagrams>
  connect(address: string, port: number): Promise<Socket>
  close(): void
}

export interface NamespaceOptions {
  /** Full paths. */
  readonly bwrap: string
  readonly nsenter: string
  /** The user of this process. Root needs no user namespace. */
  readonly uid: number | null
}

/** Milliseconds for the holder to start, and for each socket. */
const ANSWER_MAX_MS = 10_000

/**
 * Rejects with the reason if the kernel does not allow it. The namespace ends with this process, also after SIGKILL.
 */
export async function openNamespace(options: NamespaceOptions): Promise<Namespace> {
  const child = start(options)
  const waiting = new Map<number, PromiseWithResolvers<Received>>()
  let errors = ""
  let closed = false
  const close = (): void => {
    closed = true
    if (child.connected) child.disconnect()
    for (const { reject } of waiting.values()) reject(new Error(reasonIn(errors)))
    waiting.clear()
  }
  const expect = (id: number): Promise<Received> => {
    const wanted = Promise.withResolvers<Received>()
    waiting.set(id, wanted)
    const timer = setTimeout(() => wanted.reject(new Error("no answer came")), ANSWER_MAX_MS)
    return wanted.promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
  child.stderr?.on("data", (bytes: Buffer) => void (errors = (errors + bytes.toString()).slice(0, SAID_MAX_CHARS)))
  child.on("error", (error) => {
    errors ||= error.message
    close()
  })
  child.on("exit", close)
  child.on("disconnect", close)
  child.on("message", (reply: HolderReply, handle: unknown) => {
    const wanted = waiting.get(reply.id)
    if (wanted === undefined) return (handle as Socket | undefined)?.destroy?.()
    if (reply.error === undefined) wanted.resolve({ reply, handle })
    else wanted.reject(Object.assign(new Error(reply.error), { code: reply.error }))
  })
  const first = await expect(0)
  // Neither the process nor its channel keeps this process alive.
  child.unref()
  child.channel?.unref?.()
  ;(child.stderr as Socket | null)?.unref()
  const pid = first.reply.pid ?? 0
  let count = 0
  const request = async (what: HolderRequest["what"], address: string, port: number): Promise<unknown> => {
    if (closed) throw new Error(reasonIn(errors))
    const id = ++count
    const answer = expect(id)
    child.send({ id, what, address, port } satisfies HolderRequest)
    return (await answer).handle
  }
  return {
    pid,
    // Without root the namespace belongs to a user namespace, which must be entered as well.
    enter: [options.nsenter, `--target=${pid}`, "--net", ...(options.uid === 0 ? [] : ["--user"]), keepsUser, "--"],
    get closed() {
      return closed
    },
    listen: async (address, port) => withHalves((await request("listen", address, port)) as Server),
    bind: async (address, port) => (await request("bind", address, port)) as Datagrams,
    connect: async (address, port) => withHalves((await request("connect", address, port)) as Socket),
    close,
  }
}

/** A passed socket has default options, which would end the write side when the other side ends. */
function withHalves<T extends Server | Socket>(socket: T): T {
  return Object.assign(socket, { allowHalfOpen: true })
}

const keepsUser = "--preserve-credentials"

interface Received {
  readonly reply: HolderReply
  readonly handle: unknown
}

/** Maximum length of the error output of bubblewrap or Node. */
const SAID_MAX_CHARS = 4096

function reasonIn(errors: string): string {
  return errors.trim().split("\n").at(-1) || "the network of the session has ended"
}

/** Without capabilities except binding ports below 1024 in its own network, and without write access. */
function start({ bwrap, uid }: NamespaceOptions): ChildProcess {
  const user = uid === 0 ? ["--cap-drop", "ALL"] : ["--unshare-user"]
  const rights = ["--cap-add", "CAP_NET_BIND_SERVICE"]
  const view = ["--ro-bind", "/", "/", "--die-with-parent"]
  const program = [process.execPath, `--max-old-space-size=${HOLDER_HEAP_MB}`, holderFile()]
  const { spawn } = process.getBuiltinModule("node:child_process")
  return spawn(bwrap, ["--unshare-net", ...user, ...rights, ...view, "--", ...program], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  })
}

const HOLDER_HEAP_MB = 32

/** The source file, or its bundled form. */
function holderFile(): string {
  const source = new URL("./holder.ts", import.meta.url)
  return fileURLToPath(existsSync(source) ? source : new URL("./holder.cjs", import.meta.url))
}
