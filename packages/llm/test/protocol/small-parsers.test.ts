import assert from "node:assert/strict"
import { test } from "node:test"
import type { ThinkingLevel } from "@gong/spec"
import { effortOf } from "../../src/protocol/request/effort.ts"
import { detailsOf } from "../../src/protocol/errors/error-details.ts"
import { retryAfter } from "../../src/protocol/errors/retry-after.ts"
import { tokenCount } from "../../src/protocol/reply/token-count.ts"
import { modelOf } from "../helpers.ts"

test("a delay is parsed in milliseconds, in seconds or as a date, and is never negative", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")
  const rows: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{}, undefined],
    [{ "retry-after-ms": "12.6", "retry-after": "9" }, 13],
    [{ "retry-after-ms": "0", "retry-after": "9" }, 0],
    [{ "retry-after-ms": "-1", "retry-after": "9" }, 9000],
    [{ "retry-after-ms": "soon", "retry-after": " 1.5 " }, 1500],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "   " }, undefined],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5000],
    [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
    [{ "retry-after": "2 cups" }, undefined],
  ]
  for (const [headers, ms] of rows) assert.equal(retryAfter(headers, now), ms, JSON.stringify(headers))
})

test("the nearest supported effort, the lower of two; off if supported", () => {
  const efforts = (...known: ThinkingLevel[]) => modelOf({ compat: { efforts: known } })
  const rows: readonly (readonly [ThinkingLevel, ReturnType<typeof modelOf>, string | undefined])[] = [
    ["high", modelOf({ reasoning: false }), undefined],
    ["minimal", modelOf(), "low"],
    ["medium", modelOf(), "medium"],
    ["xhigh", modelOf(), "high"],
    ["off", modelOf(), undefined],
    ["off", efforts("off", "low"), "none"],
    ["high", efforts("off"), "none"],
    ["high", efforts(), undefined],
    ["medium", efforts("low", "high"), "low"],
    ["low", efforts("medium", "xhigh"), "medium"],
    ["xhigh", efforts("minimal", "low"), "low"],
    ["minimal", efforts("high", "xhigh"), "high"],
  ]
  for (const [level, model, effort] of rows)
    assert.equal(effortOf(level, model), effort, `${level} of ${String(model.compat?.efforts)}`)
})

test("Google's error details: the first reason, the delay, and which limit was reached", () => {
  const limit = (quotaId: unknown) => ({ violations: [{ quotaId }] })
  const rows: readonly (readonly [unknown, unknown])[] = [
    [undefined, { reason: "" }],
    ["no list", { reason: "" }],
    [[null, "text", { reason: 1 }, { reason: "" }, { reason: "A" }, { reason: "B" }], { reason: "A" }],
    [[{ retryDelay: "1.5s" }], { reason: "", retryAfterMs: 1500, exhausted: "rate" }],
    [[{ retryDelay: "x2s" }, { retryDelay: "2s " }, { retryDelay: "2" }, { retryDelay: 3 }], { reason: "" }],
    [[{ retryDelay: "0s" }], { reason: "", retryAfterMs: 0, exhausted: "rate" }],
    [[{ reason: "QUOTA_EXHAUSTED" }], { reason: "QUOTA_EXHAUSTED", exhausted: "quota" }],
    [[{ reason: "RATE_LIMIT_EXCEEDED" }], { reason: "RATE_LIMIT_EXCEEDED", exhausted: "rate" }],
    [
      [{ reason: "RATE_LIMIT_EXCEEDED" }, limit("RequestsPerDay")],
      { reason: "RATE_LIMIT_EXCEEDED", exhausted: "quota" },
    ],
    [[limit("TokensPerMonth")], { reason: "", exhausted: "quota" }],
    [[limit("daily")], { reason: "", exhausted: "quota" }],
    [[limit("PerSecond")], { reason: "", exhausted: "rate" }],
    [[limit("PerMinute")], { reason: "", exhausted: "rate" }],
    [[limit("PerHour")], { reason: "", exhausted: "rate" }],
    [[limit("PerYear"), limit(5), { violations: "PerDay" }, { violations: [null] }], { reason: "" }],
    [[limit("per"), limit("day")], { reason: "" }],
    [[limit("RequestsPerDay"), { retryDelay: "3s" }], { reason: "", retryAfterMs: 3000, exhausted: "quota" }],
  ]
  for (const [details, read] of rows) assert.deepEqual(detailsOf({ details }), read, JSON.stringify(details))
})

test("a token count is a finite number and never negative", () => {
  const rows = [
    [1, 1],
    [0, 0],
    [-1, 0],
    [Number.NaN, null],
    [Infinity, null],
    ["1", null],
    [undefined, null],
  ] as const
  for (const [value, count] of rows) assert.equal(tokenCount(value), count, String(value))
})
