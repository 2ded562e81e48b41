import { failure, FailureError } from "@gong/spec"
import { isNetworkAddress, isPublicAddress } from "./addresses.ts"

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Which addresses a transport connects to. */
export interface AddressPolicy {
  /** All addresses of a name, asked once for each connection: what is allowed of them is what is connected to. */
  resolve(name: string): Promise<readonly Address[]>
  allows(address: string): boolean
  /** Of hosts that are named; a name that is nobody's on the internet need not be looked up. */
  allowsName(name: string): boolean
}

/** The public internet: what addresses of names are there, this machine says. */
export function publicAddressPolicy(resolve: AddressPolicy["resolve"]): AddressPolicy {
  return { resolve, allows: isPublicAddress, allowsName: isPublicName }
}

/** The public internet and the networks behind this machine, but not this machine itself. */
export function networkAddressPolicy(resolve: AddressPolicy["resolve"]): AddressPolicy {
  const allowsName = (name: string): boolean => !/(^|\.)localhost$/.test(name)
  return { resolve, allows: isNetworkAddress, allowsName }
}

/** Names of one label, and those that are kept for networks of one's own. */
function isPublicName(name: string): boolean {
  return name.includes(".") && !/\.(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/.test(name)
}

/** Throws FailureError (`denied`) for a host that can be told by the way it is written. */
export function checkHost({ allows, allowsName }: AddressPolicy, url: URL): void {
  const host = url.hostname.toLowerCase().replace(/\.$/, "")
  const literal = /^\[.*\]$/.test(host) ? host.slice(1, -1) : /^[\d.]+$/.test(host) ? host : null
  if (literal === null ? !allowsName(host) : !allows(literal)) throw refused(url.hostname)
}

type Done = (error: NodeJS.ErrnoException | null, address: string | Address[], family?: number) => void

/**
 * Looks a name up as sockets ask for it: they connect to what comes from here and to nothing else, so nobody can answer
 * with another address between the look and the connection. One address that is not allowed spoils the name.
 */
export function lookupAllowed(
  addressPolicy: AddressPolicy,
): (name: string, options: { readonly all?: boolean | undefined }, done: Done) => void {
  return (name, { all }, done) => {
    addressPolicy.resolve(name).then(
      (found) => {
        const [first] = found
        if (first === undefined) return done(new FailureError(failure("network", `ENOTFOUND ${name}`)), "")
        if (!found.every(({ address }) => addressPolicy.allows(address))) return done(refused(name), "")
        return all === true ? done(null, [...found]) : done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ""),
    )
  }
}

function refused(host: string): FailureError {
  const text = `${host} is this machine, a private network or no address of the internet`
  return new FailureError(failure("denied", text))
}
