import assert from "node:assert/strict"
import { test } from "node:test"
import { errorCode } from "../../src/index.ts"

const cases: readonly (readonly [name: string, thrown: unknown, code: string | null])[] = [
  ["a call of the system", Object.assign(new Error(), { code: "ENOSPC", errno: -28 }), "ENOSPC"],
  ["a used-up quota, which Node has no name for, on Linux", { code: "UNKNOWN", errno: -122 }, "EDQUOT"],
  ["a used-up quota on macOS", { code: "Unknown system error -69", errno: -69 }, "EDQUOT"],
  ["a code that only begins like one of the system", { code: "ENOENT or so", errno: -69 }, "EDQUOT"],
  ["another number without a name", { code: "UNKNOWN", errno: -9999 }, "UNKNOWN"],
  ["a code of Node's own", Object.assign(new Error(), { code: "ERR_INVALID_ARG_TYPE" }), "ERR_INVALID_ARG_TYPE"],
  ["an error of the program", new Error("no"), null],
  ["no error at all", undefined, null],
]

for (const [name, thrown, code] of cases) test(`the code of ${name}`, () => assert.equal(errorCode(thrown), code))
