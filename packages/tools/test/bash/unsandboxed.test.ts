import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecOptions, ExecResult } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createBashTool } from "../../src/index.ts"
import { context, messages } from "../workspace.ts"

/** A host whose commands exit as given. */
function toolWith(exec: (options: ExecOptions) => Promise<ExecResult>, sandboxed = true) {
  return createBashTool("/work", { host: createMemoryHost({ exec: (_, options) => exec(options) }), sandboxed })
}

test("unsandboxed is offered only with a sandbox, and passed to the host", async () => {
  const names = (sandboxed: boolean) => {
    const { parameters } = toolWith(async () => ({ code: 0, signal: null }), sandboxed)
    return Object.keys(parameters["properties"] ?? {})
  }
  assert.ok(names(true).includes("unsandboxed"))
  assert.ok(!names(false).includes("unsandboxed"))
  const asked: (boolean | undefined)[] = []
  const tool = toolWith(async ({ unsandboxed }) => {
    asked.push(unsandboxed)
    return { code: 0, signal: null }
  })
  await tool.execute("c", { command: "x" }, context())
  await tool.execute("c", { command: "x", unsandboxed: true }, context())
  assert.deepEqual(asked, [false, true])
})

test("notes of the host are between the output and the exit status", async () => {
  const tool = toolWith(async ({ onData }) => {
    onData(Buffer.from("no\n"), "stderr")
    return { code: 2, signal: null, note: "[sandbox: blocked write to /x]" }
  })
  const result = await tool.execute("c", { command: "x" }, context())
  assert.equal(messages(result), "no\n[sandbox: blocked write to /x]\n\nCommand exited with code 2")
})

test("a failed start of the sandbox is reported as such: no exit code, the command was not run", async () => {
  const tool = toolWith(async () => {
    throw Object.assign(new Error("The sandbox could not be started (x)"), { code: "ESANDBOX" })
  })
  const result = await tool.execute("c", { command: "x" }, context())
  assert.deepEqual([messages(result), result.details], ["The sandbox could not be started (x)", null])
})
