import assert from "node:assert/strict"
import { test } from "node:test"
import { systemAddresses } from "../../src/transport/transport.ts"

test("the system's resolver gives all addresses of a name, with their families", async () => {
  assert.deepEqual(await systemAddresses("127.0.0.1"), [{ address: "127.0.0.1", family: 4 }])
  assert.deepEqual(await systemAddresses("::1"), [{ address: "::1", family: 6 }])
})
