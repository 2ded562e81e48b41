import assert from "node:assert/strict"
import { test } from "node:test"
import { readError } from "../../src/openai-completions/failure.ts"

test("a refusal is parsed in each of its forms, with the status of its code", () => {
  const rows: readonly (readonly [unknown, unknown])[] = [
    [{ error: "a" }, { message: "a", code: "" }],
    [[{ error: { message: "a", type: "t", code: "c" } }], { message: "a", code: "t c" }],
    [{ error: { detail: "a", code: 399 } }, { message: "a", code: "399" }],
    [{ error: { error_msg: "a", code: 400 } }, { status: 400, message: "a", code: "400" }],
    [{ error: { message: "a", code: "599" } }, { status: 599, message: "a", code: "599" }],
    [{ error: { message: "a", code: 600, status: "S" } }, { message: "a", code: "600 S" }],
    [{ error: { message: "a", metadata: { raw: "b" } } }, { message: "a: b", code: "" }],
    [{ error: { message: "", metadata: { raw: 1 } } }, { message: "", code: "" }],
    [
      { message: "a", code: "c" },
      { message: "a", code: "c" },
    ],
    [{ message: "a", choices: [] }, null],
    [{ base_resp: { status_code: 0 } }, null],
    [{ base_resp: { status_code: 1, status_msg: 2 } }, { message: "", code: "1" }],
    [{ message: "" }, null],
    [null, null],
  ]
  for (const [body, refusal] of rows) assert.deepEqual(readError(body), refusal, JSON.stringify(body))
  const statuses = { 429: "1002 1039 1041 2045 2056", 401: "1004 2049", 402: "1008", 400: "1026 1042 2013" }
  for (const [status, codes] of Object.entries(statuses))
    for (const code of codes.split(" "))
      assert.deepEqual(readError({ base_resp: { status_code: Number(code), status_msg: "m" } }), {
        status: Number(status),
        message: "m",
        code,
      })
})
