import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { crc32 } from "../../src/store/artifacts/digest.ts"
import { foundBy, testHome } from "./home.ts"
import { input } from "../world.ts"

// One session with malformed fields from another writer must not make the others unreachable.

const info = { format: 1, id: "evil", cwd: "/w", workspace: "/w", created: "2026-01-01T00:00:00.000Z" }
const infos: Readonly<Record<string, object>> = {
  "a workspace that is no text": { ...info, workspace: { a: 1 } },
  "a time that is none": { ...info, created: [] },
  "an origin that is none": { ...info, from: 7 },
  "an origin of objects": { ...info, from: { id: [], entry: {} } },
  "an id with control characters": { ...info, id: "\u001b]0;x\u0007" },
}

const time = '"timestamp":"2026-01-01T00:00:00.000Z"'
const head = (type: string, at = 0) => `{"id":"aaaaaaaaaaa${at}","parentId":null,"type":"${type}",${time}`
const many = `[${'"",'.repeat(400_000)}""]`
const noText = '{"toString":1,"valueOf":1}'
const bodies: Readonly<Record<string, string>> = {
  "an id twice": `${head("input")},"text":"word","id":{}`,
  "a type twice": `${head("input")},"text":"word","type":[]`,
  "a time twice": `${head("input")},"text":"word","timestamp":{}`,
  "content that is no list": `${head("message")},"message":{"role":"user","content":{"find":1}}`,
  "a message of many parts": `${head("message")},"message":{"role":"user","content":${many}}`,
  "arguments of many parts": `${head("message")},"message":{"role":"assistant","content":[{"type":"tool_call","arguments":${many}}]}`,
  "a model that cannot be said": `${head("message")},"message":{"role":"assistant","content":[],"model":{"id":"m","provider":${noText}}}`,
  "a choice that cannot be said": `${head("model_change")},"provider":${noText},"modelId":${noText}`,
  "prices beyond all numbers": [1, 2, 3]
    .map((at) => `${head("model_call", at)},"cost":${at < 3 ? 1e308 : -1}e${at < 3 ? 1 : 999}`)
    .join("\n"),
  "a name that is none": `${head("session_info")},"name":{}`,
  "a failure that is none": `${head("run_end")},"failure":7`,
  "details that are text": `${head("custom")},"data":"\\u001b"`,
  "a message that is none": `${head("message")},"message":null`,
}

const sealed = (text: string): string => {
  const sum = (crc32(text) >>> 0).toString(16).padStart(8, "0")
  return `${text},"crc":"${sum}"}\n`
}

function checkBeside(t: Parameters<typeof testHome>[0], tapeJson: object, lines: string): void {
  const home = testHome(t)
  const mine = home.make("mine")
  mine.append([input("word of mine")], { sync: true })
  mine.close()
  const folder = `${home.sessions}/evil/anchors/001_session-start`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${home.sessions}/evil/tape.json`, JSON.stringify(tapeJson))
  writeFileSync(`${folder}/entries.jsonl`, lines)
  const index = home.index()
  index.catchUp()
  assert.ok(index.list().sessions.some(({ id }) => id === "mine"))
  assert.equal(foundBy(index, "word").filter((one) => one.startsWith("mine/")).length, 1)
  const { cost, sessions } = index.stats()
  assert.ok(Number.isFinite(cost) && sessions > 0)
  // The same, computed from the current content of the index.
  index.close()
  const again = home.index()
  assert.ok(again.list().sessions.some(({ id }) => id === "mine"))
}

for (const [name, body] of Object.entries(bodies))
  test(`a session with ${name} leaves the others in the list and in searches`, (t) => {
    checkBeside(t, info, body.split("\n").map(sealed).join(""))
  })

test("a session of 200,000 damaged lines leaves the others in the list and in searches", (t) => {
  checkBeside(t, info, "x\n".repeat(200_000))
})

for (const [name, tapeJson] of Object.entries(infos))
  test(`a session with ${name} leaves the others in the list and in searches`, (t) => {
    checkBeside(t, tapeJson, sealed(`${head("input")},"text":"word"`))
  })
