import assert from "node:assert/strict"
import { test } from "node:test"
import { googleGenerativeAi } from "../../src/google-generative-ai/provider.ts"
import { collect, type FakeReply, fakeTransport, manualClock, modelOf } from "../helpers.ts"

const model = modelOf({ provider: "google", api: "google-generative-ai" })

async function failureOf(reply: FakeReply) {
  const ports = {
    transport: fakeTransport(reply),
    clock: manualClock(),
    credential: { key: "AIza-1", from: "GEMINI_API_KEY" },
  }
  const { reply: got } = await collect(googleGenerativeAi(model, ports))
  assert.ok(!got.ok)
  return got.failure
}

function refused(code: number, status: string, message: string, details: readonly object[] = []): FakeReply {
  return { status: code, body: [JSON.stringify({ error: { code, message, status, details } })] }
}

const type = (name: string) => ({ "@type": `type.googleapis.com/google.rpc.${name}` })
const quota = "You exceeded your current quota, please check your plan and billing details."
const violations = (...ids: readonly string[]) => ({
  ...type("QuotaFailure"),
  violations: ids.map((quotaId) => ({ quotaMetric: "generativelanguage.googleapis.com/requests", quotaId })),
})
const retry = (retryDelay: string) => ({ ...type("RetryInfo"), retryDelay })

test("[PROVIDER-04] a limit per minute and one per day have the same message: the first is retried, the second is not", async () => {
  const minute = violations("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")
  const rate = await failureOf(refused(429, "RESOURCE_EXHAUSTED", quota, [minute, retry("34.074824224s")]))
  assert.deepEqual([rate.kind, rate.retryable, rate.retryAfterMs], ["rate-limit", true, 34_075])
  const day = violations(
    "GenerateRequestsPerMinutePerProjectPerModel",
    "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
  )
  const spent = await failureOf(refused(429, "RESOURCE_EXHAUSTED", quota, [day, retry("3s")]))
  assert.deepEqual([spent.kind, spent.retryable], ["quota", false])
})

test("the exhausted limit, by the reason alone, by the delay alone, by the message alone", async () => {
  const kind = async (message: string, ...details: readonly object[]) =>
    (await failureOf(refused(429, "RESOURCE_EXHAUSTED", message, details))).kind
  assert.equal(await kind(quota, { ...type("ErrorInfo"), reason: "RATE_LIMIT_EXCEEDED" }), "rate-limit")
  assert.equal(await kind("Slow down.", { ...type("ErrorInfo"), reason: "QUOTA_EXHAUSTED" }), "quota")
  assert.equal(await kind(quota, retry("7s")), "rate-limit")
  assert.equal(await kind(quota), "quota")
  assert.equal(await kind("Resource has been exhausted (e.g. check quota)."), "rate-limit")
  assert.equal(await kind("Your prepayment credits are depleted."), "quota")
})

test("[PROVIDER-ADP.7] each refusal has its kind; a Retry-After precedes the delay in the details", async () => {
  const cases: readonly (readonly [FakeReply, string])[] = [
    [refused(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "auth"],
    [refused(400, "INVALID_ARGUMENT", "Renew it.", [{ ...type("ErrorInfo"), reason: "API_KEY_INVALID" }]), "auth"],
    [refused(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers."), "auth"],
    [refused(404, "NOT_FOUND", "models/m is not found for API version v1beta."), "bad-request"],
    [
      refused(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      ),
      "context-overflow",
    ],
    [refused(400, "FAILED_PRECONDITION", "User location is not supported for the API use."), "bad-request"],
    [refused(500, "INTERNAL", "An internal error has occurred."), "overloaded"],
    [refused(503, "UNAVAILABLE", "The model is overloaded."), "overloaded"],
    [refused(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."), "overloaded"],
  ]
  for (const [reply, kind] of cases) assert.equal((await failureOf(reply)).kind, kind, JSON.stringify(reply.body))
  const body = refused(503, "UNAVAILABLE", "The model is overloaded.", [retry("9s")])
  assert.equal((await failureOf(body)).retryAfterMs, 9000)
  assert.equal((await failureOf({ ...body, headers: { "retry-after": "2" } })).retryAfterMs, 2000)
})

test("an error in a list, and one of unknown form, are recognized", async () => {
  const error = { code: 400, message: "Please use a valid role: user, model.", status: "INVALID_ARGUMENT" }
  const listed = await failureOf({ status: 400, body: [JSON.stringify([{ error }])] })
  assert.deepEqual(
    [listed.kind, listed.message],
    ["bad-request", "google refused the request (400 Please use a valid role: user, model.)"],
  )
  const odd = await failureOf({
    status: 400,
    body: ['{"error":{"details":[7,{"violations":[null]},{"retryDelay":3}]}} '],
  })
  assert.equal(odd.kind, "context-overflow", "a 400 without a message (contract C-58)")
})
