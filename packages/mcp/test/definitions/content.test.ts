import assert from "node:assert/strict"
import { test } from "node:test"
import { promptText, resultOf } from "@gong/mcp"

const partsOf = (...content: readonly unknown[]) => resultOf({ content }).parts

test("each kind of content becomes a part; malformed content is left out", () => {
  for (const [block, parts] of [
    [{ type: "text", text: "a\u200bb" }, [{ kind: "text", text: "ab" }]],
    [{ type: "text", text: 1 }, []],
    [{ type: "image", data: "AA==", mimeType: "image/PNG" }, [{ kind: "image", mimeType: "image/png", data: "AA==" }]],
    [{ type: "image", mimeType: "image/png" }, []],
    [
      { type: "image", data: "AA==", mimeType: "image/tiff" },
      [{ kind: "bytes", mimeType: "image/tiff", data: "AA==", name: "image" }],
    ],
    [
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      [{ kind: "bytes", mimeType: "audio/wav", data: "AA==", name: "audio" }],
    ],
    [{ type: "audio", data: 1 }, []],
    [
      { type: "audio", data: "AA==", mimeType: "audio wav" },
      [{ kind: "bytes", mimeType: "unknown type", data: "AA==", name: "audio" }],
    ],
    [{ type: "audio", data: "A" }, [{ kind: "bytes", mimeType: "unknown type", data: "A", name: "audio" }]],
    [{ type: "resource", resource: { uri: "a:b", text: "t" } }, [{ kind: "text", text: "t" }]],
    [
      { type: "resource", resource: { uri: "a:\u200bb", blob: "AA==", mimeType: "application/pdf" } },
      [{ kind: "bytes", mimeType: "application/pdf", data: "AA==", name: "a:b" }],
    ],
    [
      { type: "resource", resource: { uri: "u".repeat(300), blob: "A", mimeType: "x/y z" } },
      [{ kind: "bytes", mimeType: "unknown type", data: "A", name: "u".repeat(200) }],
    ],
    [
      { type: "resource", resource: { blob: "A" } },
      [{ kind: "bytes", mimeType: "unknown type", data: "A", name: "resource" }],
    ],
    [{ type: "resource", resource: { uri: "a:b" } }, []],
    [{ type: "resource", resource: null }, []],
    [{ type: "resource_link", uri: "a:b", name: "n", description: "d\u200b" }, [{ kind: "text", text: "a:b  n  d" }]],
    [{ type: "resource_link", uri: "a:b", name: 1 }, [{ kind: "text", text: "a:b" }]],
    [{ type: "resource_link", uri: "u".repeat(1_200) }, [{ kind: "text", text: "u".repeat(1_000) }]],
    [{ type: "other", text: "x" }, []],
    [null, []],
  ] as const)
    assert.deepEqual(partsOf(block), parts, JSON.stringify(block)?.slice(0, 100))
})

test("a type with more text before or after it is unknown", () => {
  for (const mimeType of ["x image/png", "image/png x", "image", "image/png;a=b"])
    assert.deepEqual(partsOf({ type: "image", data: "A", mimeType }), [
      { kind: "bytes", mimeType: "unknown type", data: "A", name: "image" },
    ])
})

test("the contents of a resource are parts", () => {
  assert.deepEqual(resultOf({ contents: [{ uri: "a:1", text: "one" }, { uri: "a:2", blob: "AA==" }, null] }), {
    parts: [
      { kind: "text", text: "one" },
      { kind: "bytes", mimeType: "unknown type", data: "AA==", name: "a:2" },
    ],
    isError: false,
  })
})

test("structured content is used only where there is no other part", () => {
  const structuredContent = { a: 1 }
  assert.deepEqual(resultOf({ content: [], structuredContent }).parts, [{ kind: "text", text: '{\n  "a": 1\n}' }])
  assert.deepEqual(resultOf({ structuredContent: null }).parts, [{ kind: "text", text: "null" }])
  assert.deepEqual(resultOf({ content: [{ type: "text", text: "t" }], structuredContent }).parts, [
    { kind: "text", text: "t" },
  ])
  assert.deepEqual(resultOf({}), { parts: [], isError: false })
})

test("a result is an error only where it says true, or is no object", () => {
  for (const [result, isError] of [
    [{ isError: true }, true],
    [{ isError: "true" }, false],
    [{ isError: false }, false],
    [{}, false],
    ["text", true],
    [null, true],
  ] as const)
    assert.equal(resultOf(result).isError, isError)
})

test("at most 1,000 parts of each list are read", () => {
  const content = Array.from({ length: 1_001 }, (_, at) => ({ type: "text", text: `${at}` }))
  const contents = Array.from({ length: 1_002 }, (_, at) => ({ text: `c${at}` }))
  const { parts } = resultOf({ content, contents })
  assert.equal(parts.length, 2_000)
  assert.deepEqual(
    [parts[999], parts[1_999]],
    [
      { kind: "text", text: "999" },
      { kind: "text", text: "c999" },
    ],
  )
})

test("the text of a prompt is that of its messages, separated by empty lines", () => {
  const messages = [
    { role: "user", content: { type: "text", text: "a" } },
    { role: "user", content: { type: "image", data: "A", mimeType: "image/png" } },
    null,
    { role: "assistant", content: { type: "text", text: "b\u200b" } },
  ]
  assert.equal(promptText({ messages }), "a\n\nb")
  for (const other of [{ messages: {} }, null, "x", {}]) assert.equal(promptText(other), "")
})
