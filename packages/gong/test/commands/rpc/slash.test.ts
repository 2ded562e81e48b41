import assert from "node:assert/strict"
import { test } from "node:test"
import { answers, place } from "./answers.ts"

test("gong rpc runs slash commands and returns their lines and data", async (t) => {
  const program = await place(t)
  const found = await answers(
    program,
    [
      { type: "command", name: "name", arguments: "  first  " },
      { type: "command", name: "/name" },
      { type: "command", name: "permissions", arguments: "auto" },
      { type: "command", name: "tools", arguments: "read, ls" },
      { type: "command", name: "fork", arguments: "000000000000" },
      { type: "command", name: "copy" },
      { type: "command", name: "quit" },
      { type: "command", name: "nothing" },
      { type: "command" },
      { type: "command", name: "new", arguments: "second" },
      { type: "command", name: "name" },
      { type: "command", name: "reload" },
      { type: "reload" },
      { type: "get_jobs" },
      { type: "get_diff" },
    ],
    "--trust",
    "yes",
  )
  const refused = (code: string, message: string, hint?: string) => ({
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
  })
  assert.deepEqual(
    found.map((one) => (one as readonly unknown[])[1]),
    [
      { lines: ["The session is called first."], data: { name: "first" }, run: null },
      { lines: ["The session is called first."], data: { name: "first" }, run: null },
      {
        lines: ["auto: edits in the workspace run; anything outside of it needs permission."],
        data: { permission: "auto" },
        run: null,
      },
      { lines: ["From now on: read, ls"], data: { tools: ["read", "ls"] }, run: null },
      {
        lines: ["gong: this session has no step E1."],
        data: { refused: "not_found" },
        run: null,
      },
      refused("bad_arguments", "/copy works only in a conversation at a terminal."),
      refused("bad_arguments", "/quit works only in a conversation at a terminal."),
      refused("not_found", "There is no /nothing.", "complete lists all commands"),
      refused("bad_arguments", "command: arguments must have required properties name."),
      { lines: [], data: { session: "S2" }, run: null },
      { lines: ["The session is called second."], data: { name: "second" }, run: null },
      { lines: [], data: { session: "S2" }, run: null },
      { session: "S2", resumed: true },
      { jobs: [] },
      { files: [] },
    ],
  )
})

test("gong rpc completes names and arguments of slash commands", async (t) => {
  const program = await place(t)
  program.write({ ".gong/prompts/greet.md": "---\ndescription: greets\n---\nSay hello to $1.\n" })
  const found = await answers(
    program,
    [
      { type: "complete", name: "re" },
      { type: "complete", name: "gree" },
      { type: "complete", name: "permissions", arguments: "a" },
      { type: "complete", name: "settings", arguments: "retry.c" },
      { type: "complete", name: "model", arguments: "other" },
      { type: "complete", name: "trust", arguments: "" },
      { type: "complete", name: "nothing", arguments: "" },
      { type: "complete", name: "compact", arguments: "x" },
    ],
    "--trust",
    "yes",
    "-m",
    "other",
  )
  assert.deepEqual(
    found.map((one) => (one as readonly { completions: readonly object[] }[])[1]?.completions),
    [
      [
        { value: "redo", about: "repeat the changes that the last /undo reverted" },
        { value: "reload", about: "reload settings, keys, rules and resources" },
        { value: "resume", about: "continue another session of this workspace" },
        { value: "review", about: "look for what is wrong in the changes, or in what is named" },
        { value: "share", about: "write the session to a file for others" },
        { value: "tree", about: "go back to an earlier step, or to another branch" },
        { value: "greet", about: "greets" },
      ],
      [{ value: "greet", about: "greets" }],
      [
        { value: "ask", about: "changes need permission" },
        { value: "auto", about: "edits in the workspace run; anything outside of it needs permission" },
        { value: "plan", about: "nothing is changed" },
      ],
      [
        {
          value: "retry.count",
          about: "retries of a request after a temporary failure, 0 to 10",
        },
      ],
      [{ value: "custom/other" }],
      [{ value: "yes" }, { value: "no" }, { value: "forget" }, { value: "show" }],
      [],
      [],
    ],
  )
})
