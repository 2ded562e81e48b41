import assert from "node:assert/strict"
import { test } from "node:test"
import { englishOf, estimateTokens, type Message } from "@gong/spec"
import { compact, type CompactOptions } from "../../src/compaction/compact.ts"
import { reply, result, user, words } from "./messages.ts"

const talk: readonly Message[] = [user(words(100)), reply(words(100)), user(words(100)), reply(words(100))]

async function compacted(options: Partial<CompactOptions>, summary = "short", messages = talk) {
  const done = await compact(messages, {
    maxTokens: 0,
    keepTokens: 150,
    declared: () => null,
    summarize: async () => ({ ok: true, text: summary }),
    ...options,
  })
  return done.status === "failed" ? englishOf(done.failure.message) : done.status
}

test("messages up to the maximum are not compacted, nor where fewer than the least tokens would be removed", async () => {
  for (const [options, status] of [
    [{ maxTokens: 400 }, "unchanged"],
    [{ maxTokens: 399 }, "done"],
    [{ leastTokens: 200 }, "done"],
    [{ leastTokens: 201 }, "unchanged"],
    [{ keepTokens: 400 }, "unchanged"],
  ] as const)
    assert.equal(await compacted(options), status, JSON.stringify(options))
})

test("a summary has fewer tokens than what it replaces, an earlier summary included", async () => {
  const refused = "The summary is no shorter than what it would replace."
  const earlier = { written: words(50), carried: null }
  for (const [tokens, options, status] of [
    [199, {}, "done"],
    [200, {}, refused],
    [249, { earlier }, "done"],
    [250, { earlier }, refused],
  ] as const)
    assert.equal(await compacted(options, words(tokens)), status, String(tokens))
})

test("without a summary results are shortened to 2,000 characters, other messages stay", async () => {
  const long = [...talk, reply("", [{ id: "c", name: "read" }]), result("c", words(1000))]
  const failed = await compact(long, {
    maxTokens: 0,
    keepTokens: 150,
    declared: () => null,
    summarize: () => Promise.reject(new Error("no")),
  })
  assert.equal(failed.status, "failed")
  assert.deepEqual(failed.messages.slice(0, 5), long.slice(0, 5))
  assert.equal(estimateTokens(failed.messages.slice(5)), 528)
})
