import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { jsonLines, rowsOf } from "./rows.ts"

test("each setting of Pi is listed with file and line", async (t) => {
  const settings = [
    { defaultProvider: "openai" },
    { defaultModel: "gpt-5.1" },
    { defaultProvider: "openai", defaultModel: "gpt-5.1" },
    { defaultProvider: "kimi-for-coding", defaultModel: "nope" },
    { defaultProvider: "azure-openai-responses", defaultModel: "zzz" },
    { defaultProvider: "vercel-ai-gateway", defaultModel: "zzz" },
    { defaultProvider: "toString", defaultModel: "zzz" },
    { defaultThinkingLevel: "high" },
    { steeringMode: "one-at-a-time", followUpMode: "all" },
    { steeringMode: "odd", followUpMode: 1 },
    {
      compaction: { enabled: false, reserveTokens: 1, keepRecentTokens: 2, odd: 3 },
      retry: { maxRetries: 1, baseDelayMs: 2, toString: 1 },
      images: { blockImages: true, other: "x" },
    },
    { compaction: { enabled: "yes" }, retry: 1 },
    { theme: "dark" },
  ]
  const found: unknown[] = []
  for (const one of settings) {
    const program = openProgram(t)
    program.write({ [`${program.home}/.pi/agent/settings.json`]: jsonLines(one) })
    found.push(rowsOf(program, await program.gong(["import", "--from", "pi", "--json"])))
  }
  assert.deepEqual(found, [
    [
      "left settings: defaultProvider openai <- ~/.pi/agent/settings.json:2: a provider is set with its model: gong config set model PROVIDER/ID",
    ],
    ["left settings: defaultModel gpt-5.1 <- ~/.pi/agent/settings.json:2: it has no provider: gong models"],
    ["taken settings: model gpt-5.1 <- ~/.pi/agent/settings.json:3: $GONG/settings.json"],
    [
      "left settings: model nope <- ~/.pi/agent/settings.json:3: Gong does not know this model of kimi-coding. gong models kimi-coding lists them.",
    ],
    [
      "left settings: model zzz <- ~/.pi/agent/settings.json:3: Gong does not know this model of azure. gong models azure lists them.",
    ],
    [
      "left settings: model zzz <- ~/.pi/agent/settings.json:3: Gong does not know this model of vercel. gong models vercel lists them.",
    ],
    ["left settings: model zzz <- ~/.pi/agent/settings.json:3: Gong does not know the provider toString."],
    ["taken settings: defaultThinkingLevel high <- ~/.pi/agent/settings.json:2: $GONG/settings.json"],
    [
      "taken settings: steeringMode one-at-a-time <- ~/.pi/agent/settings.json:2: $GONG/settings.json",
      "taken settings: followUpMode all <- ~/.pi/agent/settings.json:3: $GONG/settings.json",
    ],
    [
      "left settings: steeringMode odd <- ~/.pi/agent/settings.json:2: Gong has no equivalent.",
      "left settings: followUpMode 1 <- ~/.pi/agent/settings.json:3: Gong has no equivalent.",
    ],
    [
      "taken settings: compaction.enabled false <- ~/.pi/agent/settings.json:3: $GONG/settings.json",
      "taken settings: compaction.reserveTokens 1 <- ~/.pi/agent/settings.json:4: $GONG/settings.json",
      "taken settings: compaction.keepRecentTokens 2 <- ~/.pi/agent/settings.json:5: $GONG/settings.json",
      "taken settings: retry.maxRetries 1 <- ~/.pi/agent/settings.json:9: $GONG/settings.json",
      "taken settings: retry.baseDelayMs 2 <- ~/.pi/agent/settings.json:10: $GONG/settings.json",
      "taken settings: images.blockImages true <- ~/.pi/agent/settings.json:14: $GONG/settings.json",
      "left settings: compaction.odd 3 <- ~/.pi/agent/settings.json:6: Gong has no equivalent.",
      "left settings: retry.toString 1 <- ~/.pi/agent/settings.json:11: Gong has no equivalent.",
      "left settings: images.other x <- ~/.pi/agent/settings.json:15: Gong has no equivalent.",
    ],
    ["left settings: compaction.enabled yes <- ~/.pi/agent/settings.json:3: Gong has no equivalent."],
    ["left settings: theme dark <- ~/.pi/agent/settings.json:2: Gong has no equivalent."],
  ])
})
