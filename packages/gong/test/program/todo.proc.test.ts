import assert from "node:assert/strict"
import { test } from "node:test"
import type { TodoItem } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const one: TodoItem = { content: "look", status: "in_progress" }
const two: TodoItem = { content: "change", status: "pending" }

function todo(...todos: readonly TodoItem[]): Turn {
  return { calls: [{ name: "todo", args: { todos } }] }
}

test("a to-do list is in the events, at every level, and in a resumed session", async (t) => {
  const stage = await openStage(t, { turns: [todo(one, two), { text: "begun" }] })
  const tools = ["--tools", "+todo"]
  const run = await stage.gong(["--output", "events", "--permission", "plan", ...tools, "go"])
  const [end] = ofType(eventsOf(run), "tool_execution_end")
  assert.deepEqual([end?.status, end?.details], ["ok", { todos: [one, two] }])

  stage.server.begin([todo({ ...one, status: "completed" }), { text: "done" }])
  const client = startRpc(t, stage, ["-c", ...tools])
  assert.deepEqual((await client.request("get_state")).todos, [one, two])
  await client.request("prompt", { text: "go on" })
  const after = await client.event("result")
  assert.equal(after.status, "done")
  assert.deepEqual((await client.request("get_state")).todos, [{ ...one, status: "completed" }])

  // The branch that never saw the last list has the one before it.
  const { entries } = await client.request("get_entries")
  const before = entries.find((entry) => entry.type === "run_end")
  await client.request("navigate", { entry: before?.id ?? "" })
  assert.deepEqual((await client.request("get_state")).todos, [one, two])
  await client.request("fork")
  assert.deepEqual((await client.request("get_state")).todos, [one, two])
})

test("a rule can forbid the tool todo, and it is offered only if enabled", async (t) => {
  const stage = await openStage(t)
  const statusOf = async (...args: readonly string[]) => {
    stage.server.begin([todo(one), { text: "done" }])
    const run = await stage.gong(["--output", "events", "--no-session", "--yolo", ...args, "go"])
    return ofType(eventsOf(run), "tool_execution_end").map(({ status }) => status)
  }
  assert.deepEqual(await statusOf("--tools", "read,todo"), ["ok"])
  assert.deepEqual(await statusOf("--tools", "read,todo", "--deny", "todo"), ["refused"])
  assert.deepEqual(await statusOf(), ["error"])
})
