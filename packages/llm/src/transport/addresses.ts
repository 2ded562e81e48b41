/**
 * Whether an address, in any notation, belongs to the public internet: not to this machine, a private network, a cloud
 * metadata service or a reserved range. False for an invalid address.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*/, "")
  const ipv4 = parseIpv4(bare)
  if (ipv4 !== null) return isPublicIpv4(ipv4)
  const groups = parseIpv6(bare)
  return groups !== null && isPublicIpv6(groups)
}

/**
 * Whether an address may belong to a server on a local network or on the internet: not to this machine itself, to an
 * unspecified or multicast range, or to a cloud metadata service.
 */
export function isNetworkAddress(address: string): boolean {
  const bare = address.replace(/%.*/, "")
  const ipv4 = parseIpv4(bare)
  if (ipv4 !== null) return !isLocalIpv4(ipv4)
  const groups = parseIpv6(bare)
  if (groups === null) return false
  const inner = embeddedIpv4(groups)
  if (inner !== null) return !isLocalIpv4(inner)
  const [first = 0] = groups
  const own = (first & 0xffc0) === 0xfe80 || first >= 0xff00 || groups.every((group) => group === 0)
  return !own && !metadataIpv6.some((one) => one.every((group, at) => group === groups[at]))
}

/** IPv6 addresses of cloud metadata services (AWS, Google). */
const metadataIpv6 = ["fd00:ec2::254", "fd20:ce::254"].map((text) => parseIpv6(text) ?? [])

/** IPv4: this machine, link-local, multicast and reserved, and the metadata services of Alibaba, Oracle and Azure. */
const localIpv4 = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
].map(networkOf)

function isLocalIpv4(address: number): boolean {
  return localIpv4.some(({ base, span }) => Math.floor(address / span) === Math.floor(base / span))
}

/** IPv4 networks outside the public internet (IANA's registry of special-purpose addresses). */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  // Multicast, reserved, broadcast.
  "224.0.0.0/3",
  // Cloud metadata services at public addresses.
  "168.63.129.16/32",
].map(networkOf)

function networkOf(text: string): { readonly base: number; readonly span: number } {
  const [base = "", bits = ""] = text.split("/")
  return { base: parseIpv4(base) ?? 0, span: 2 ** (32 - Number(bits)) }
}

function isPublicIpv4(address: number): boolean {
  return specialIpv4.every(({ base, span }) => Math.floor(address / span) !== Math.floor(base / span))
}

/** Only global unicast, without addresses that embed IPv4 or are for documentation. */
function isPublicIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  const inner = embeddedIpv4(groups)
  if (inner !== null) return isPublicIpv4(inner)
  if (first < 0x2000 || first > 0x3fff) return false
  const special = first === 0x2001 && second < 0x0200
  const documents = (first === 0x2001 && second === 0x0db8) || (first === 0x3fff && second < 0x1000)
  return !special && !documents
}

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, NAT64 or 6to4. */
function embeddedIpv4(groups: readonly number[]): number | null {
  const [first = 0, second = 0, third = 0] = groups
  const last = (groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0)
  const zero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0)
  const mapped = zero(0, 4) && ((groups[4] === 0xffff && groups[5] === 0) || (groups[4] === 0 && groups[5] === 0xffff))
  // `::` and `::1` are the compatible forms of 0.0.0.0 and 0.0.0.1, which are blocked as well.
  if (mapped || zero(0, 6)) return last
  if (first === 0x0064 && second === 0xff9b && zero(2, 6)) return last
  return first === 0x2002 ? second * 0x10000 + third : null
}

/** A dotted-decimal address as a number. */
function parseIpv4(text: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null
  const parts = text.split(".").map(Number)
  return parts.some((part) => part > 255) ? null : parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** The eight groups of an IPv6 address. */
function parseIpv6(text: string): readonly number[] | null {
  const halves = asGroups(text).split("::")
  if (halves.length > 2) return null
  const [front = [], back = []] = halves.map((half) => (half === "" ? [] : half.split(":")))
  const missing = 8 - front.length - back.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...front, ...Array.from({ length: missing }, () => "0"), ...back]
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}

/** Converts a trailing IPv4 notation into two groups. */
function asGroups(text: string): string {
  const tail = /[\d.]+$/.exec(text)?.[0] ?? ""
  const ipv4 = parseIpv4(tail)
  if (ipv4 === null) return text
  return `${text.slice(0, -tail.length)}${Math.floor(ipv4 / 0x10000).toString(16)}:${(ipv4 % 0x10000).toString(16)}`
}
