import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { validateAnthropicHeaders, validateAnthropicMessages } from "../../src/validator/anthropic-messages.ts"
import { validateGoogleGenerativeAI, validateGoogleHeaders } from "../../src/validator/google-generative-ai.ts"
import { validateOpenAICompletions } from "../../src/validator/openai-completions.ts"
import { validateOpenAIResponses } from "../../src/validator/openai-responses.ts"

interface Case {
  readonly why?: string
  readonly what?: string
  /** Part of the only reported problem. */
  readonly says: string
  readonly request: unknown
}

const validators = {
  "openai-completions": validateOpenAICompletions,
  "openai-responses": validateOpenAIResponses,
  "anthropic-messages": validateAnthropicMessages,
  "google-generative-ai": validateGoogleGenerativeAI,
}

for (const [api, validate] of Object.entries(validators) as [string, (request: unknown) => string[]][]) {
  for (const { why, says, request } of cases("invalid", api))
    test(`${api} rejects ${why}`, () => {
      const problems = validate(request)
      assert.ok(
        problems.some((problem) => problem.includes(says)),
        `expected "${says}" among ${JSON.stringify(problems)}`,
      )
    })
  for (const { what, request } of cases("valid", api))
    test(`${api} accepts ${what}`, () => assert.deepEqual(validate(request), []))
}

test("a request that is no object is rejected by all", () => {
  for (const validate of Object.values(validators)) assert.deepEqual(validate("x"), ["the request must be an object"])
})

test("google: a key, and for some models the signature of each step's first call in the current turn", () => {
  assert.deepEqual(validateGoogleHeaders({}), ["headers: x-goog-api-key is missing"])
  assert.deepEqual(validateGoogleHeaders({ "x-goog-api-key": "k" }), [])
  const signed = { functionCall: { name: "read" }, thoughtSignature: "c2VhbGVk" }
  const step = (...parts: object[]) => [
    { role: "model", parts },
    { role: "user", parts: parts.map(() => ({ functionResponse: { name: "read", response: {} } })) },
  ]
  const request = (...steps: object[]) => ({ contents: [{ role: "user", parts: [{ text: "hi" }] }, ...steps] })
  const { thoughtSignature: _, ...unsigned } = signed
  const strict = { signatures: true }
  assert.deepEqual(validateGoogleGenerativeAI(request(...step(signed, unsigned), ...step(signed)), strict), [])
  const missing = "contents: a function call is missing a thought_signature in functionCall parts"
  const second = request(...step(signed), ...step(unsigned, signed))
  assert.deepEqual(validateGoogleGenerativeAI(second, strict), [missing])
  assert.deepEqual(validateGoogleGenerativeAI(second), [])
  const before = request(...step(unsigned), { role: "user", parts: [{ text: "on" }] })
  assert.deepEqual(validateGoogleGenerativeAI(before, strict), [])
})

test("fields of compatible endpoints are accepted only if a test lists them", () => {
  const message = { role: "assistant", content: "x", reasoning_content: "hm" }
  const request = { model: "m", messages: [{ role: "user", content: "hi" }, message] }
  assert.equal(validateOpenAICompletions(request).length, 1)
  assert.deepEqual(validateOpenAICompletions(request, { message: ["reasoning_content"] }), [])
  const thought = { field: "reasoning_content", empty: false }
  const wanted = { message: ["reasoning_content"], thought }
  const without = { model: "m", messages: [request.messages[0], { ...message, reasoning_content: "" }] }
  assert.deepEqual(validateOpenAICompletions(request, wanted), [])
  assert.deepEqual(validateOpenAICompletions(without, wanted), ["messages[1]: reasoning_content must be passed back"])
  assert.deepEqual(validateOpenAICompletions(without, { ...wanted, thought: { ...thought, empty: true } }), [])
})

test("anthropic headers: the version and a key", () => {
  assert.equal(validateAnthropicHeaders({}).length, 2)
  assert.deepEqual(validateAnthropicHeaders({ "anthropic-version": "2023-06-01", "x-api-key": "k" }), [])
})

function cases(folder: string, api: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${folder}/${api}.json`, import.meta.url), "utf8")) as Case[]
}
