import { isHostName } from "./client-hello.ts"

/** The head of an HTTP/1 request, with everything needed to forward it. */
export interface RequestHead {
  readonly method: string
  /** In lower case, without a port. */
  readonly host: string
  readonly port: number
  /** Path and query; for CONNECT the host and port. */
  readonly path: string
  /** Header lines to forward, without hop-by-hop headers. */
  readonly headers: readonly string[]
  /** Length of the body in bytes. */
  readonly length: number
  /** Offset of the body. */
  readonly end: number
}

export type HeadRead =
  | { readonly read: "head"; readonly head: RequestHead }
  | { readonly read: "more" }
  /** `status`: the response to send. */
  | { readonly read: "bad"; readonly status: 400 | 411 | 431 }

export const HEAD_MAX_BYTES = 16 * 1024

const ends = "\r\n\r\n"
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers for a proxy. */
const hopByHop = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "proxy-authorization",
  "proxy-authenticate",
])

/**
 * Parses the head strictly: an ambiguous request is rejected. The host is that of an absolute target, otherwise of the
 * Host header; the two must agree.
 */
export function readRequestHead(bytes: Buffer): HeadRead {
  const at = bytes.indexOf(ends)
  if (at > HEAD_MAX_BYTES || (at < 0 && bytes.length > HEAD_MAX_BYTES)) return { read: "bad", status: 431 }
  if (at < 0) return { read: "more" }
  const [first = "", ...lines] = bytes.toString("latin1", 0, at).split("\r\n")
  const [, method = "", target = ""] = /^([A-Z]{1,20}) ([!-~]+) HTTP\/1\.[01]$/.exec(first) ?? []
  const headers = lines.map(headerOf)
  if (method === "" || headers.includes(null)) return bad(400)
  const known = headers.filter((header) => header !== null)
  const values = (name: string) => known.filter((header) => header.name === name).map(({ value }) => value)
  if (values("transfer-encoding").length > 0) return bad(411)
  const length = lengthOf(values("content-length"))
  const place = placeOf(method, target, values("host"))
  if (length === null || place === null) return bad(400)
  const named = new Set(values("connection").flatMap((value) => value.toLowerCase().split(/[\s,]+/)))
  const passed = known.filter(({ name }) => name !== "host" && !hopByHop.has(name) && !named.has(name))
  const head = { method, ...place, headers: passed.map(({ line }) => line), length, end: at + ends.length }
  return { read: "head", head }
}

function bad(status: 400 | 411): HeadRead {
  return { read: "bad", status }
}

interface Header {
  /** In lower case. */
  readonly name: string
  readonly value: string
  readonly line: string
}

function headerOf(line: string): Header | null {
  const colon = line.indexOf(":")
  const name = line.slice(0, Math.max(0, colon))
  if (!token.test(name) || /[\0\r\n]/.test(line)) return null
  return { name: name.toLowerCase(), value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, ""), line }
}

function lengthOf(values: readonly string[]): number | null {
  const [value = "0", ...others] = values
  return others.length === 0 && /^\d{1,15}$/.test(value) ? Number(value) : null
}

type Place = Pick<RequestHead, "host" | "port" | "path">

function placeOf(method: string, target: string, hosts: readonly string[]): Place | null {
  if (hosts.length > 1) return null
  if (method === "CONNECT") {
    const at = authority(target, null)
    return at === null ? null : { ...at, path: target }
  }
  const given = hosts[0] === undefined ? null : authority(hosts[0], 80)
  if (target.startsWith("/") || target === "*") return given === null ? null : { ...given, path: target }
  const [, named = "", path = ""] = /^http:\/\/([^/?#@]+)([/?][^#]*)?$/i.exec(target) ?? []
  const wanted = authority(named, 80)
  if (wanted === null) return null
  // Servers use either of them.
  if (hosts[0] !== undefined && (given?.host !== wanted.host || given.port !== wanted.port)) return null
  return { ...wanted, path: path.startsWith("/") ? path : `/${path}` }
}

/** `port`: the default port; null if a port is required. */
function authority(text: string, port: number | null): Pick<Place, "host" | "port"> | null {
  const [, host = "", written] = /^([^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const number = written === undefined ? port : Number(written)
  const name = host.toLowerCase().replace(/\.$/, "")
  if (number === null || number < 1 || number > 65535 || !isHostName(name)) return null
  return { host: name, port: number }
}
