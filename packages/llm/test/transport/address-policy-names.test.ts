import assert from "node:assert/strict"
import { test } from "node:test"
import { failureOf } from "@gong/spec"
import {
  type Address,
  checkHost,
  lookupAllowed,
  networkAddressPolicy,
  publicAddressPolicy,
  type AddressPolicy,
} from "../../src/transport/address-policy.ts"

const found: Address[] = [
  { address: "8.8.8.8", family: 4 },
  { address: "2606::1", family: 6 },
]

function allowed(addressPolicy: AddressPolicy, host: string): boolean {
  try {
    checkHost(addressPolicy, new URL(`http://${host}/`))
    return true
  } catch (error) {
    assert.equal(failureOf(error).kind, "denied")
    return false
  }
}

test("single-label names and those reserved for private networks are not public", () => {
  const addressPolicy = publicAddressPolicy(async () => found)
  const own = "localhost local internal intranet lan home corp private home.arpa".split(" ")
  for (const name of own) assert.equal(allowed(addressPolicy, `a.${name}`), false, name)
  for (const name of own) assert.equal(allowed(addressPolicy, `a.x${name}`), true, name)
  for (const name of own) assert.equal(allowed(addressPolicy, `a.${name}.com`), true, name)
  for (const name of ["box", "a.local.", "10.0.0.1", "[::1]"]) assert.equal(allowed(addressPolicy, name), false, name)
  for (const name of ["a.com.", "8.8.8.8", "[2606::1]", "1.2.3.com"])
    assert.equal(allowed(addressPolicy, name), true, name)
})

test("with local networks every name is permitted, except for this machine's", () => {
  const addressPolicy = networkAddressPolicy(async () => found)
  for (const name of ["localhost", "a.localhost", "localhost.", "127.0.0.1"])
    assert.equal(allowed(addressPolicy, name), false)
  for (const name of ["box", "a.local", "notlocalhost", "localhost.com", "10.0.0.1", "[fd00::1]"])
    assert.equal(allowed(addressPolicy, name), true, name)
})

test("a lookup returns all addresses or the first one, and none if one is denied or there are none", async () => {
  const look = (addresses: AddressPolicy["resolve"], all?: boolean) =>
    new Promise<readonly unknown[]>((resolve) => {
      lookupAllowed(publicAddressPolicy(addresses))("a.com", { all }, (...answer) => resolve(answer))
    })
  assert.deepEqual(await look(async () => found, true), [null, found])
  assert.deepEqual(await look(async () => found), [null, "8.8.8.8", 4])
  assert.deepEqual(await look(async () => found, false), [null, "8.8.8.8", 4])
  const [none] = await look(async () => [])
  assert.deepEqual([failureOf(none).kind, failureOf(none).message], ["network", "ENOTFOUND a.com"])
  const [closed, nothing] = await look(async () => [...found, { address: "10.0.0.1", family: 4 }])
  assert.deepEqual([failureOf(closed).kind, nothing], ["denied", ""])
  const thrown = new Error("EAI_AGAIN")
  assert.deepEqual(await look(() => Promise.reject(thrown)), [thrown, ""])
})
