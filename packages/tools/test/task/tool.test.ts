import assert from "node:assert/strict"
import { test } from "node:test"
import { toolResult } from "../../src/result.ts"
import { createTaskTool } from "../../src/task/tool.ts"
import { context } from "../workspace.ts"

test("a task runs as requested, titled by its own title or the first line of its prompt", async () => {
  const asked: unknown[] = []
  const tool = createTaskTool({
    async run(...given) {
      asked.push(given)
      return toolResult("done", null)
    },
  })
  const here = context()
  const args = { prompt: "look\naround", title: "Look" }
  assert.deepEqual(await tool.execute("call", args, here), toolResult("done", null))
  assert.deepEqual(asked, [[args, "call", here]])
  assert.equal(tool.title(args), "Look")
  assert.equal(tool.title({ prompt: "look\naround" }), "look ...")
  assert.deepEqual([tool.readOnly, tool.interruptible, tool.keepsTime, tool.startsSession], [false, true, true, true])
})

test("a description is used as title if there is none", () => {
  const { mapArguments } = createTaskTool({ run: () => assert.fail("it was not called") })
  assert.deepEqual(mapArguments?.({ prompt: "p", description: "d" }), { prompt: "p", title: "d" })
  assert.deepEqual(mapArguments?.({ prompt: "p", description: "d", title: "t" }), { prompt: "p", title: "t" })
  assert.deepEqual(mapArguments?.({ prompt: "p" }), { prompt: "p" })
})
