import assert from "node:assert/strict"
import { test } from "node:test"
import { notificationBytes, titleBytes } from "../../src/terminal/attention.ts"

test("a notification takes the form that the terminal knows, and else is the bell", () => {
  const bytes = (env: Readonly<Record<string, string>>): string => notificationBytes("done; all", env)
  assert.equal(bytes({ TERM: "xterm-kitty" }), "\u001b]99;;done; all\u001b\\")
  for (const TERM_PROGRAM of ["iTerm.app", "WezTerm", "ghostty"])
    assert.equal(bytes({ TERM_PROGRAM }), "\u001b]9;done; all\u0007")
  assert.equal(bytes({ VTE_VERSION: "7600" }), "\u001b]777;notify;Gong;done, all\u0007")
  assert.equal(bytes({ TERM: "xterm-256color" }), "\u0007")
  assert.equal(bytes({ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }), "\u0007")
})

test("nothing in a text ends the sequence or begins another one", () => {
  for (const text of ["a\u0007b", "a\u001b]0;x\u0007", "a\u009c\u001b\\b", "line\nline", "x".repeat(500)]) {
    const body = titleBytes(text).slice("\u001b]0;".length, -1)
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(body, /[\u0000-\u001f\u007f-\u009f]/)
    assert.ok(body.length <= 100)
  }
})

test("Ghostty is known by its TERM too, names in any case, and 100 characters are shown", () => {
  assert.equal(notificationBytes("x", { TERM: "xterm-ghostty" }), "\u001b]9;x\u0007")
  assert.equal(notificationBytes("x", { TERM_PROGRAM: "wezterm" }), "\u001b]9;x\u0007")
  for (const TERM_PROGRAM of ["ghostty2", "not-ghostty", "iTermXapp"])
    assert.equal(notificationBytes("x", { TERM_PROGRAM }), "\u0007")
  assert.equal(notificationBytes("x", {}), "\u0007")
  assert.equal(notificationBytes("x".repeat(200), { TERM: "xterm-kitty" }), `\u001b]99;;${"x".repeat(100)}\u001b\\`)
  assert.equal(titleBytes("a title"), "\u001b]0;a title\u0007")
})
