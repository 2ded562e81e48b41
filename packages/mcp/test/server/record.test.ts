import assert from "node:assert/strict"
import { test } from "node:test"
import { recordIn } from "@gong/mcp"

const tool = { name: "a", exposed: "s__a", description: "", schema: {} }
const prompt = { name: "p", description: "", arguments: [] }
const record = { tools: [tool], withdrawn: ["b"], prompts: [prompt], resources: true, era: { kind: "legacy" } }

test("a stored record is read; unknown fields of it are not", () => {
  assert.deepEqual(recordIn({ ...record, other: 1 }), record)
  assert.deepEqual(recordIn({ ...record, resources: "yes", era: "legacy" }), { ...record, resources: false, era: null })
  const { era: _, resources: __, ...rest } = record
  assert.deepEqual(recordIn(rest), { ...rest, resources: false, era: null })
})

test("a record with a wrong part is none", () => {
  for (const wrong of [
    null,
    [],
    { ...record, tools: {} },
    { ...record, tools: [tool, null] },
    { ...record, tools: [{ ...tool, name: 1 }] },
    { ...record, tools: [{ ...tool, exposed: 1 }] },
    { ...record, tools: [{ ...tool, description: undefined }] },
    { ...record, tools: [{ ...tool, schema: null }] },
    { ...record, prompts: undefined },
    { ...record, prompts: [null] },
    { ...record, prompts: [{ ...prompt, name: 1 }] },
    { ...record, prompts: [{ ...prompt, description: 1 }] },
    { ...record, prompts: [{ ...prompt, arguments: {} }] },
    { ...record, withdrawn: "b" },
    { ...record, withdrawn: ["b", 1] },
  ])
    assert.equal(recordIn(wrong), null, JSON.stringify(wrong))
})
