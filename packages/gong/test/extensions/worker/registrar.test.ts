import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExtensionApi } from "../../../src/extensions/api.ts"
import { registrarOf } from "../../../src/extensions/worker/registrar.ts"

function open() {
  const extension = { id: 0, name: "x", path: "/x.ts", folder: "/", fence: null, settings: {} }
  const begin = { gong: "0", cwd: "/", workspace: "/", cache: null, memory: null, extensions: [extension] }
  return registrarOf(extension, begin, () => undefined)
}

test("an invalid registration is refused at its line, with the valid values", () => {
  const slips: readonly (readonly [(gong: ExtensionApi) => void, RegExp])[] = [
    [
      (gong) => gong.on("tool.end" as "tool.stop", () => 1),
      /there is no event "tool\.end"; session\.start, .*tool\.stop/,
    ],
    [(gong) => gong.on("tool.stop", "look" as never), /gong\.on\("tool\.stop", look\): look is a function/],
    [(gong) => gong.renderer({ tool: "ls" } as never), /"ls": "render" is a function/],
    [(gong) => gong.provider({ name: "A b", models: {} } as never), /"name" is 1 to 64 of/],
    [(gong) => gong.provider({ name: "a", models: {} } as never), /"a": "models" has a model/],
    [
      (gong) => gong.provider({ name: "a", models: { m: {} } } as never),
      /"baseUrl" says where it is asked, or "stream"/,
    ],
    [
      (gong) => gong.provider({ name: "a", models: { m: {} }, headers: {}, stream: () => [] } as never),
      /"headers" is for a wire format that Gong speaks/,
    ],
  ]
  const tool = { name: "a", description: "d", parameters: { type: "object" }, execute: () => "" }
  const declares = (more: object) => (gong: ExtensionApi) => gong.tool({ ...tool, ...more } as never)
  const declarations: typeof slips = [
    [declares({ effect: "reads" }), /"a": "effect" is one of none, read, write, execute, network/],
    [declares({ effect: "execute", readOnly: true }), /"a": "effect" is execute, so it is not "readOnly"/],
    [declares({ paths: ["path"] }), /"a": "paths" is a list of \{argument: NAME, holds: file or folder or tree\}/],
    [declares({ paths: [{ argument: "path", holds: "disk" }] }), /"a": "paths" is a list/],
    [declares({ aliases: "Read" }), /"a": "aliases" is a list of names/],
    [declares({ summary: 1 }), /"a": "summary" is the name of a field/],
  ]
  for (const [slip, text] of [...slips, ...declarations]) assert.throws(() => slip(open().api), text)
  const { api, close } = open()
  api.on("tool.stop", () => 1)
  assert.deepEqual(close().offers.events, ["tool.stop"])
  assert.throws(() => api.on("tool.stop", () => 1), /works only while the extension is loaded/)
})
