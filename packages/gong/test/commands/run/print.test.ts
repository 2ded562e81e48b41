import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"
import type { RunOptions } from "../test-cli.ts"

async function printed(
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err).replaceAll(/\d+(\.\d+)? s\b/g, "N s")]
}

test("stdout and stderr of one prompt in each output format", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const { repo } = program
  assert.deepEqual(await printed(program, ["-p", "hello"]), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello", "--quiet"]), [0, "Fine.\n", ""])
  assert.deepEqual(await printed(program, ["-p", "hello"], { errTerminal: true }), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\nN s · 0 tool calls · cost unknown · gong -c to continue\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello", "-q"], { errTerminal: true }), [0, "Fine.\n", ""])
  assert.deepEqual(await printed(program, ["-p", "hello", "--no-session"], { errTerminal: true }), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\nN s · 0 tool calls · cost unknown\n",
  ])
  assert.deepEqual(await printed(program, ["-c", "-p", "again"]), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off · session s4\n",
  ])
  assert.deepEqual(JSON.parse((await printed(program, ["-p", "hello", "--output", "json"]))[1] as string), {
    type: "result",
    status: "done",
    exit: 0,
    text: "Fine.",
    session: "S5",
    turns: 1,
    toolCalls: 0,
    usage: { input: 120, output: 40, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: null,
    cacheHitRate: 0,
    models: {
      "custom/mock": { usage: { input: 120, output: 40, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, cost: null },
    },
    files: [],
    denials: [],
    durationMs: 0,
  })
  assert.deepEqual(await printed(program, ["-p", "hello", "-o", `${repo}/answer.txt`]), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.equal(program.read("answer.txt"), "Fine.\n")
  mkdirSync(`${repo}/folder`)
  assert.deepEqual(await printed(program, ["-p", "hello", "-o", `${repo}/folder`]), [
    2,
    "",
    "gong: -o $REPO/folder: this is a folder. Name a file in it.\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello", "-o", `${repo}/nowhere/x`]), [
    2,
    "",
    "gong: -o $REPO/nowhere/x: cannot write there (ENOENT).\n",
  ])
  assert.deepEqual(await printed(program, ["-p"], { stdin: "from stdin" }), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello"], { stdin: "and this" }), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-"], { stdin: "only this" }), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p"], {}), [
    2,
    "",
    'gong: no prompt. Try: gong -p "what does this repository do?"\n',
  ])
  assert.deepEqual(await printed(program, ["-", "--api-key", "-"], { stdin: "x" }), [
    2,
    "",
    "gong: stdin can hold the key or the prompt, not both.\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello", "--image", "nope.png"]), [
    2,
    "",
    "gong: nope.png: cannot read this file (ENOENT).\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "/nope and more"]), [
    0,
    "Fine.\n",
    "custom/mock from GONG_API_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "hello", "--session", "nope"]), [
    2,
    "",
    'gong: there is no session "nope". gong sessions lists them.\n',
  ])
  const sent = program.server.requests.map(
    ({ body }) =>
      (body as { messages: readonly { role: string; content: unknown }[] }).messages.findLast(
        ({ role }) => role === "user",
      )?.content,
  )
  assert.deepEqual(sent, [
    "hello",
    "hello",
    "hello",
    "hello",
    "hello",
    "again",
    "hello",
    "hello",
    "from stdin",
    "hello\n\n<stdin>\nand this\n</stdin>",
    "only this",
    "/nope and more",
  ])
})
