import assert from "node:assert/strict"
import { test } from "node:test"
import { type Message, skillText, textOf, type ToolResultMessage } from "@gong/spec"
import { type AppendEntry, context, shortened, type Tape, withoutSkill } from "../../src/index.ts"
import { newTape, reopen, reply, testIds, testPorts, user } from "../world.ts"

function result(id: string, text: string): AppendEntry {
  return { type: "message", message: message(text, id) }
}

function message(text: string, id = "c1"): ToolResultMessage {
  const content = [{ type: "text", text } as const]
  return { role: "tool", toolCallId: id, toolName: "read", content, details: null, isError: false, status: "ok" }
}

const messagesOf = (tape: Tape): readonly Message[] => tape.follow(context).value.messages

test("from a prune on old results are shortened, new ones and everything else are the same messages", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  tape.append([user("u"), reply("r", ["c1", "c2"]), result("c1", "a".repeat(5000)), result("c2", "short")], {
    sync: true,
  })
  const upTo = tape.leaf ?? ""
  tape.append([reply("r", ["c3"]), result("c3", "b".repeat(5000))], { sync: true })
  const before = messagesOf(tape)
  const bytes = JSON.stringify(before)
  tape.append([{ type: "prune", upTo, chars: 400, tokensBefore: 2600, tokensAfter: 1400 }], { sync: true })
  const after = messagesOf(tape)
  const same = after.map((one, at) => one === before[at])
  assert.deepEqual(same, [true, true, false, true, true, true])
  const gap =
    "\n[... 4600 characters of this old result were left out to make room; run the call again if they are needed ...]\n"
  assert.equal(textOf(after[2] ?? message("")), `${"a".repeat(200)}${gap}${"a".repeat(200)}`)
  assert.equal(JSON.stringify(before), bytes, "whoever holds the array from before keeps it as it was")
  assert.equal(tape.follow(context).value.countedFrom, 6)
  const [kept] = tape.entriesOfBranch().filter((entry) => entry.type === "message" && entry.message.role === "tool")
  assert.equal(kept?.type === "message" && textOf(kept.message).length, 5000, "the tape holds it whole")
  tape.close()
  const again = reopen({ ...ports, ids: testIds("b") })
  assert.equal(JSON.stringify(messagesOf(again)), JSON.stringify(after), "a session that goes on sends the same bytes")
})

test("a prune keeps skills in use, and leaves a line in place of a removed one", () => {
  const ports = testPorts()
  const tape = newTape(ports)
  const called = `${skillText("release", "/s/release/SKILL.md", ["body ".repeat(300), "x"])}\n\nfor 2.1`
  const last = (): string => tape.leaf ?? ""
  tape.append([user(called)], { sync: true })
  const asked = last()
  tape.append([reply("r", ["c1", "c2"]), result("c1", "a".repeat(5000))], { sync: true })
  const whole = last()
  tape.append([result("c2", "b".repeat(5000))], { sync: true })
  const read = last()
  const before = messagesOf(tape)
  const skills = [asked, read, "notthere0000"].map((id) => ({ id, line: "[gone]" }))
  const prune = {
    type: "prune",
    upTo: read,
    chars: 400,
    whole: [whole],
    skills,
    tokensBefore: 2,
    tokensAfter: 1,
  } as const
  tape.append([prune], { sync: true })
  const after = messagesOf(tape)
  assert.deepEqual(
    after.map((one) => textOf(one)),
    ["[gone]\n\nfor 2.1", "r", "a".repeat(5000), "[gone]"],
  )
  assert.equal(after[2], before[2])
  const { upTo: _, ...none } = prune
  tape.append([{ ...none, upTo: null, whole: [], skills: [] }], { sync: true })
  assert.deepEqual(messagesOf(tape), after, "nothing more is shortened")
  tape.close()
  assert.deepEqual(messagesOf(reopen({ ...ports, ids: testIds("b") })), after)
})

test("a slightly longer result does not change, images are named, and no character is cut in half", () => {
  const nearly = message("x".repeat(600))
  assert.equal(shortened(nearly, 400), nearly)
  const picture = { type: "image", mimeType: "image/png", data: "AA" } as const
  const seen = shortened({ ...message("a picture"), content: [{ type: "text", text: "a picture" }, picture] }, 400)
  const gapOf = (what: string) =>
    `[... ${what} of this old result were left out to make room; run the call again if they are needed ...]`
  assert.equal(textOf(seen), `a picture\n${gapOf("1 image(s)")}`)
  assert.equal(textOf(shortened({ ...message(""), content: [picture] }, 400)), gapOf("1 image(s)"))
  const nearlyToo = { ...nearly, content: [...nearly.content, picture] }
  assert.equal(textOf(shortened(nearlyToo, 400)), `${"x".repeat(600)}\n${gapOf("1 image(s)")}`)
  const both = { ...message(""), content: [{ type: "text", text: "x".repeat(500) }, picture, picture] } as const
  assert.equal(textOf(shortened(both, 0)), gapOf("500 characters and 2 image(s)"))
  assert.equal(seen.content.length, 1)
  const faces = textOf(shortened(message("😀".repeat(1000)), 401))
  assert.ok(faces.isWellFormed())
  assert.ok(!textOf(shortened(message("x".repeat(1000)), 0)).includes("x".repeat(2)), "nothing of it is nothing of it")
})

test("a skill is taken out of the text block that holds it, and nothing else changes", () => {
  const picture = { type: "image", mimeType: "image/png", data: "AA" } as const
  const skill = { type: "text", text: `${skillText("release", "/s/SKILL.md", ["body"])}!` } as const
  const plain = { type: "text", text: "plain" } as const
  const asked: Message = { role: "user", content: [picture, plain, skill] }
  assert.deepEqual(withoutSkill(asked, "[gone]").content, [picture, plain, { type: "text", text: "[gone]!" }])
  const printed = (reply("r") as { message: Message }).message
  assert.equal(withoutSkill(printed, "[gone]"), printed)
})
