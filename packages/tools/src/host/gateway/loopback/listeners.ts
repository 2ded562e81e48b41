import { readFile } from "node:fs/promises"

/** A TCP socket that listens on the loopback interface. */
export interface Listener {
  readonly port: number
  /** The loopback address at which it answers. */
  readonly address: "127.0.0.1" | "::1"
}

/** Maximum lines read of one /proc/…/net/tcp; the rest is ignored. */
const LINES_MAX = 20_000
const listening = "0A"

const loopback4 = "0100007F"
const any4 = "00000000"
const loopback6 = "00000000000000000000000001000000"
const any6 = "0".repeat(32)

/** Listeners on the loopback interface of a process's network (proc(5)). Empty if it cannot be read. */
export async function listenersOf(process: number | "self"): Promise<readonly Listener[]> {
  const tables = ["tcp", "tcp6"].map((name) => readFile(`/proc/${process}/net/${name}`, "latin1").catch(() => ""))
  const [table4 = "", table6 = ""] = await Promise.all(tables)
  const four = portsIn(table4, [loopback4, any4])
  const six = portsIn(table6, [loopback6, any6])
  const dual = portsIn(table6, [any6])
  // A socket at `::` answers IPv4 as well, unless it is IPv6 only; then IPv4 connections are refused, as on the host.
  const all = new Set([...four, ...dual])
  return [
    ...[...all].map((port): Listener => ({ port, address: "127.0.0.1" })),
    ...[...six].map((port): Listener => ({ port, address: "::1" })),
  ]
}

function portsIn(table: string, addresses: readonly string[]): ReadonlySet<number> {
  const ports = new Set<number>()
  for (const line of table.split("\n", LINES_MAX)) {
    const [, local = "", , state] = line.trim().split(/\s+/)
    const [address = "", port = ""] = local.split(":")
    if (state === listening && addresses.includes(address)) ports.add(Number.parseInt(port, 16))
  }
  return ports
}
