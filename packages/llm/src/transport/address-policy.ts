import { failure, FailureError } from "@gong/spec"
import { isNetworkAddress, isPublicAddress } from "./addresses.ts"

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** The addresses that a transport may connect to. */
export interface AddressPolicy {
  /** All addresses of a name, resolved once per connection: the checked addresses are the ones connected to. */
  resolve(name: string): Promise<readonly Address[]>
  allows(address: string): boolean
  /** Checks a host name; an internal name need not be resolved. */
  allowsName(name: string): boolean
}

/** The public internet only; `resolve` gives the addresses of a name. */
export function publicAddressPolicy(resolve: AddressPolicy["resolve"]): AddressPolicy {
  return { resolve, allows: isPublicAddress, allowsName: isPublicName }
}

/** The public internet and local networks, but not this machine itself. */
export function networkAddressPolicy(resolve: AddressPolicy["resolve"]): AddressPolicy {
  const allowsName = (name: string): boolean => !/(^|\.)localhost$/.test(name)
  return { resolve, allows: isNetworkAddress, allowsName }
}

/** Excludes single-label names and those reserved for private networks. */
function isPublicName(name: string): boolean {
  return name.includes(".") && !/\.(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/.test(name)
}

/** Throws FailureError (`denied`) for a host that is denied by its spelling. */
export function checkHost({ allows, allowsName }: AddressPolicy, url: URL): void {
  const host = url.hostname.toLowerCase().replace(/\.$/, "")
  const literal = /^\[.*\]$/.test(host) ? host.slice(1, -1) : /^[\d.]+$/.test(host) ? host : null
  if (literal === null ? !allowsName(host) : !allows(literal)) throw refused(url.hostname)
}

type Done = (error: NodeJS.ErrnoException | null, address: string | Address[], family?: number) => void

/**
 * A lookup function for sockets. They connect only to the addresses that it returns, so a changed DNS answer cannot slip in
 * between check and connection (DNS rebinding). One denied address denies the name.
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
