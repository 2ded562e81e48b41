import assert from "node:assert/strict"
import { test } from "node:test"
import type { Model } from "@gong/spec"
import type { Config } from "../../src/compose/config.ts"
import { liveSettings, streamTimeouts } from "../../src/compose/models/settings-values.ts"
import { limitsOf } from "../../src/compose/models/limits.ts"

/** Settings of which only these are looked at. */
const configOf = (values: object) => ({ settings: { values } }) as unknown as Config

test("seconds in the settings become milliseconds, and unset ones are omitted", () => {
  const stream = (firstEvent: number | null, gap: number | null) =>
    streamTimeouts(configOf({ "stream.firstEvent": firstEvent, "stream.gap": gap }))
  assert.deepEqual(stream(null, 30), { gap: 30_000 })
  assert.deepEqual(stream(2, 30), { firstEvent: 2_000, gap: 30_000 })
  assert.deepEqual(stream(null, null), {})
  const set = (more: object) => {
    const values = { "retry.count": 3, "retry.baseMs": 7, "queue.steer": "all", "queue.followUp": "one" }
    const { retry, ...rest } = liveSettings(configOf({ ...values, ...more }))
    return { ...rest, retry: [retry.count, retry.baseMs] }
  }
  const same = { retry: [3, 7], queue: { steer: "all", followUp: "one" } }
  assert.deepEqual(set({ "ask.timeout": null, writeGuard: "on" }), { answerTime: null, writeGuard: true, ...same })
  assert.deepEqual(set({ "ask.timeout": 5, writeGuard: "off" }), { answerTime: 5_000, writeGuard: false, ...same })
})

test("an unattended run is limited to 500 replies, and a cost limit requires the price of each model", () => {
  const none = { "limits.maxTurns": null, "limits.maxCost": null, "limits.maxTokens": null, "limits.maxTime": null }
  const [priced, free] = [
    { provider: "a", id: "b", price: {} },
    { provider: "c", id: "d" },
  ] as unknown as [Model, Model]
  const limits = (more: object, models: readonly Model[] = [priced], interactive = false) => {
    const found = limitsOf(configOf({ ...none, ...more }).settings, models, interactive)
    return found.ok ? found.value : found.error.lines
  }
  assert.deepEqual(limits({}), { maxTurns: 500 })
  assert.deepEqual(limits({}, [priced], true), {})
  assert.deepEqual(limits({ "limits.maxTurns": 2 }, [priced], true), { maxTurns: 2 })
  const all = { "limits.maxCost": 0, "limits.maxTokens": 0, "limits.maxTime": 0, "limits.maxTurns": 0 }
  assert.deepEqual(limits(all), { maxTurns: 0, maxCost: 0, maxTokens: 0, maxTime: 0 })
  assert.deepEqual(limits({}, [free]), { maxTurns: 500 })
  assert.deepEqual(limits({ "limits.maxCost": 1 }, [priced, free]), [
    "gong: --max-cost needs prices; none are known for c/d. Use --max-tokens, or add its price to ~/.gong/models.json.",
  ])
})
