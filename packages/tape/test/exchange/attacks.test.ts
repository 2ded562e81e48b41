import { attack } from "@gong/testing/attacks"
import { sessionName, transcript } from "../../src/index.ts"
import { createTape } from "../../src/tape.ts"
import { fromPi, toMarkdown } from "../../src/exchange/index.ts"
import { importTape, openStore } from "../../src/store/file.ts"
import { testIds, testPorts } from "../world.ts"

// Names in a session come from models, servers and strangers; the exported page is opened by users.

const forged = "x\n\n## forged\n\n<script>alert(1)</script>`"
const reply = (more: object) => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "text", text: "fine" }],
    api: "a",
    provider: "p",
    model: "m",
    usage: {},
    stopReason: "stop",
    ...more,
  },
})
const call = {
  content: [{ type: "toolCall", id: "c1", name: forged, arguments: { path: forged } }],
  stopReason: "toolUse",
}
const result = {
  role: "toolResult",
  toolCallId: "c1",
  toolName: forged,
  isError: false,
  content: [{ type: "image", mimeType: forged, data: "AA==" }],
}

const cases: Readonly<Record<string, readonly object[]>> = {
  "the session's name": [{ type: "session_info", name: forged }],
  "a provider": [reply({ provider: forged })],
  "a model": [reply({ model: forged })],
  "a tool": [reply(call)],
  "the type of an image": [reply(call), { type: "message", message: result }],
  "a failure": [
    {
      type: "custom",
      customType: "gong.run_end",
      data: { status: "failed", turns: 1, failure: { kind: "network", message: forged, retryable: true } },
    },
  ],
  "an extension's message": [{ type: "custom_message", customType: forged, content: "fine", display: true }],
  "a model that was chosen": [{ type: "model_change", provider: forged, modelId: forged }],
}

for (const [name, lines] of Object.entries(cases))
  attack(`${name} adds no heading and no HTML to an export as Markdown`, (_t, guard) => {
    // Text of the conversation is unchanged.
    const plain = [{ type: "message", message: { role: "user", content: forged } }]
    const printed = markdownOf(guard === "on" ? lines : plain, "/w")
    return { reached: isForged(printed), printed }
  })

attack("the folder of a session adds no heading and no HTML to an export as Markdown", (_t, guard) => {
  const printed = guard === "on" ? markdownOf([reply({})], forged) : `# x\n\n${forged}`
  return { reached: isForged(printed), printed }
})

/** Code in a line is no HTML. */
function isForged(text: string): boolean {
  return /^## forged/m.test(text) || /(?<!\\)<script/.test(text.replaceAll(/(`+) ?[^\n]*?[^`] ?\1(?!`)/g, ""))
}

function markdownOf(lines: readonly object[], cwd: string): string {
  const ports = testPorts()
  const time = "2026-01-01T00:00:00.000Z"
  const head = { type: "session", version: 3, id: "in", cwd, timestamp: time }
  const entries = lines.map((line, at) => ({
    id: `a${at}`,
    parentId: at === 0 ? "in" : `a${at - 1}`,
    timestamp: time,
    ...line,
  }))
  const text = [head, ...entries].map((line) => JSON.stringify(line)).join("\n")
  const path = importTape(ports, fromPi(text, testIds("z"), 0), { sessions: "/sessions", id: "in" })
  const tape = createTape(openStore(ports, { path }), ports)
  return toMarkdown(tape.store.info, tape.follow(sessionName).value, tape.follow(transcript).value)
}
