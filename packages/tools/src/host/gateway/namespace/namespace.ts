import type { ChildProcess } from "node:child_process"
import type { Socket as Datagrams } from "node:dgram"
import { existsSync } from "node:fs"
import type { Server, Socket } from "node:net"
import { fileURLToPath } from "node:url"
import type { HolderReply, HolderRequest } from "./messages.ts"

/** A network of its own: loopback and nothing else, for all commands of one session. */
export interface Namespace {
  /** The process that holds it, as the host numbers it. */
  readonly pid: number
  /** What a command line begins with whose program is to be inside; not once it is closed, when the number is another's. */
  readonly enter: readonly string[]
  readonly closed: boolean
  /** These three make sockets inside, owned by this process. They reject with the system's code (`EADDRINUSE`, ...). */
  listen(address: string, port: number): Promise<Server>
  bind(address: string, port: number): Promise<Datagrams>
  connect(address: string, port: number): Promise<Socket>
  close(): void
}

export interface NamespaceOptions {
  /** Full paths. */
  readonly bwrap: string
  readonly nsenter: string
  /** The user of this process; root needs no user namespace. */
  readonly uid: number | null
}

/** Milliseconds for the process inside to begin, and for each socket. */
const ANSWER_MAX_MS = 10_000

/** Rejects with the reason where the kernel allows none. The namespace ends with this process, also by SIGKILL. */
export async function openNamespace(options: NamespaceOptions): Promise<Namespace> {
  const child = start(options)
  const waiting = new Map<number, PromiseWithResolvers<Received>>()
  let said = ""
  let closed = false
  const close = (): void => {
    closed = true
    if (child.connected) child.disconnect()
    for (const { reject } of waiting.values()) reject(new Error(reasonIn(said)))
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
  child.stderr?.on("data", (bytes: Buffer) => void (said = (said + bytes.toString()).slice(0, SAID_MAX_CHARS)))
  child.on("error", (error) => {
    said ||= error.message
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
  // Neither the process nor the channel to it keeps this one running.
  child.unref()
  child.channel?.unref?.()
  ;(child.stderr as Socket | null)?.unref()
  const pid = first.reply.pid ?? 0
  let count = 0
  const request = async (what: HolderRequest["what"], address: string, port: number): Promise<unknown> => {
    if (closed) throw new Error(reasonIn(said))
    const id = ++count
    const answer = expect(id)
    child.send({ id, what, address, port } satisfies HolderRequest)
    return (await answer).handle
  }
  return {
    pid,
    // As an ordinary user it belongs to a user namespace, in which alone it may be entered.
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

/** A socket that was handed over is one with the usual options: it would end what it writes when the other side has. */
function withHalves<T extends Server | Socket>(socket: T): T {
  return Object.assign(socket, { allowHalfOpen: true })
}

const keepsUser = "--preserve-credentials"

interface Received {
  readonly reply: HolderReply
  readonly handle: unknown
}

/** What bubblewrap or Node say when they cannot begin. */
const SAID_MAX_CHARS = 4096

function reasonIn(said: string): string {
  return said.trim().split("\n").at(-1) || "the network of the session has ended"
}

/** Without rights but that to use the ports below 1024 of its own network, and it may write nothing. */
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

/** As source, or as the bundle has it. */
function holderFile(): string {
  const source = new URL("./holder.ts", import.meta.url)
  return fileURLToPath(existsSync(source) ? source : new URL("./holder.cjs", import.meta.url))
}
