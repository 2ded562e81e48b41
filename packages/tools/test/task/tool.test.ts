import assert from "node:assert/strict"
import { test } from "node:test"
import { toolResult } from "../../src/result.ts"
import { createTaskTool } from "../../src/task/tool.ts"
import { context } from "../workspace.ts"

test("a task is run as it was asked for, and its title is the user's words or the beginning of the prompt", async () => {
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
  assert.equal(tool.title({ prompt: "look\naround" }), "look")
  assert.deepEqual([tool.readOnly, tool.interruptible, tool.keepsTime, tool.startsSession], [false, true, true, true])
})

test("a description is taken as the title, unless there is one", () => {
  const { mapArguments } = createTaskTool({ run: () => assert.fail("it was not called") })
  assert.deepEqual(mapArguments?.({ prompt: "p", description: "d" }), { prompt: "p", title: "d" })
  assert.deepEqual(mapArguments?.({ prompt: "p", description: "d", title: "t" }), { prompt: "p", title: "t" })
  assert.deepEqual(mapArguments?.({ prompt: "p" }), { prompt: "p" })
})
