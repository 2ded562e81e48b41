import assert from "node:assert/strict"
import { test } from "node:test"
import type { Entry } from "@gong/spec"
import {
  externalizeDetails,
  externalizeImages,
  mayHaveLargeDetails,
  resolveReferences,
} from "../../../src/store/artifacts/references.ts"

const head = { id: "a", parentId: null, timestamp: "t" }
const entryOf = (body: object): Entry => ({ ...head, ...body }) as Entry

/** Artifacts by a name that tells their content. */
function kept() {
  const all = new Map<string, Uint8Array>()
  const put = (bytes: Uint8Array): string => {
    const name = `sha256-${Buffer.from(bytes).toString("latin1").slice(0, 20)}`
    all.set(name, bytes)
    return name
  }
  return { all, put, get: (name: string) => all.get(name) ?? null }
}

const text = { type: "text", text: "a" }
const image = (printed: string) => ({
  type: "image",
  mimeType: "image/png",
  data: Buffer.from(printed).toString("base64"),
})
const out = (printed: string) => ({ ...image(printed), data: { $artifact: `sha256-${printed}` } })

test("images of messages, of extensions and of inputs leave the line and come back in their places", () => {
  for (const [whole, line] of [
    [
      { type: "message", message: { role: "user", content: [text, image("one"), image("two")] } },
      { type: "message", message: { role: "user", content: [text, out("one"), out("two")] } },
    ],
    [
      { type: "message", message: { role: "tool", content: [image("one")], details: null } },
      { type: "message", message: { role: "tool", content: [out("one")], details: null } },
    ],
    [
      { type: "custom_message", content: [image("one"), text] },
      { type: "custom_message", content: [out("one"), text] },
    ],
    [
      { type: "input", text: "go", images: [image("one")] },
      { type: "input", text: "go", images: [out("one")] },
    ],
  ] as const) {
    const { put, get } = kept()
    const stored = externalizeImages(entryOf(whole), put)
    assert.deepEqual(stored, entryOf(line))
    assert.deepEqual(resolveReferences(stored, get), entryOf(whole))
  }
})

test("an entry without an image is the entry itself, whatever its line holds", () => {
  const { all, put, get } = kept()
  for (const body of [
    { type: "message", message: { role: "user", content: [text, null] } },
    { type: "message", message: { role: "user", content: "plain" } },
    { type: "message", message: { role: "assistant", content: [image("x")] } },
    { type: "message", message: { role: "tool", content: [text], details: { a: 1 } } },
    { type: "message", message: { role: "tool", content: [], details: { $artifact: 7 } } },
    { type: "custom_message", content: [text] },
    { type: "custom_message" },
    { type: "input", text: "go" },
    { type: "custom", data: [image("x")] },
  ]) {
    const entry = entryOf(body)
    assert.equal(externalizeImages(entry, put), entry, JSON.stringify(body))
    assert.equal(resolveReferences(entry, get), entry, JSON.stringify(body))
  }
  assert.equal(all.size, 0)
})

test("an image without data does not change, and a missing one is named", () => {
  const { put, get } = kept()
  const odd = entryOf({
    type: "custom_message",
    content: [
      { ...image("x"), data: 7 },
      { ...text, data: out("y").data },
    ],
  })
  assert.deepEqual(externalizeImages(odd, put), odd)
  assert.deepEqual(resolveReferences(odd, get), odd)
  const lost = [{ type: "text", text: "[image is missing: sha256-gone]" }]
  for (const type of ["custom_message", "message"]) {
    const line = { content: [out("gone")] }
    const body = type === "message" ? { type, message: { role: "user", ...line } } : { type, ...line }
    const back = resolveReferences(entryOf(body), get)
    assert.deepEqual(type === "message" ? (back as { message: object }).message : back, {
      ...(type === "message" ? { role: "user" } : { ...head, type }),
      content: lost,
    })
  }
  const input = resolveReferences(entryOf({ type: "input", images: [out("gone")] }), get)
  assert.deepEqual(input, entryOf({ type: "input", images: [] }))
})

test("details of more than 64 K characters are stored outside the line; missing or invalid ones are named", () => {
  const { put, get, all } = kept()
  const limit = 64 * 1024
  const result = (details: unknown) => entryOf({ type: "message", message: { role: "tool", content: [], details } })
  const long = (length: number) => ({ a: "x".repeat(length - '{"a":""}'.length) })
  const small = result(long(limit))
  assert.equal(externalizeDetails(small, put), small)
  const stored = externalizeDetails(result(long(limit + 1)), put)
  const [name = ""] = [...all.keys()]
  assert.deepEqual(stored, result({ $artifact: name }))
  assert.deepEqual(resolveReferences(stored, get), result(long(limit + 1)))
  assert.deepEqual(resolveReferences(result({ $artifact: "gone" }), get), result({ missing: "gone" }))
  const list = put(Buffer.from("[1]"))
  assert.deepEqual(resolveReferences(result({ $artifact: list }), get), result({ missing: list }))
  for (const other of [
    result(null),
    entryOf({ type: "custom", message: { role: "tool", details: long(limit + 1) } }),
    entryOf({ type: "message", message: { role: "user", content: [], details: long(limit + 1) } }),
  ])
    assert.equal(externalizeDetails(other, put), other)
  assert.deepEqual(
    [mayHaveLargeDetails(new Uint8Array(limit)), mayHaveLargeDetails(new Uint8Array(limit + 1))],
    [false, true],
  )
})
