import assert from "node:assert/strict"
import { test } from "node:test"
import { abilitiesOf } from "../../src/terminal/abilities.ts"

const protocols = [
  [{ TERM: "xterm-kitty" }, "kitty"],
  [{ TERM: "xterm-ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "iterm"],
  [{ TERM: "xterm", TERM_PROGRAM: "mintty" }, "iterm"],
  [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, "iterm"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, null],
  [{ TERM: "xterm-256color" }, null],
  [{ TERM: "linux" }, null],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "WezTerm" }, null],
  [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux-0/default,1,0" }, null],
  [{ TERM: "xterm-kitty", STY: "1.pts-0.host" }, null],
  [{ TERM: "xterm-kitty", ZELLIJ: "0" }, null],
] as const

test("images are drawn where the environment names a terminal that can, and never in a multiplexer", () => {
  for (const [env, protocol] of protocols) assert.equal(abilitiesOf(env).images, protocol, JSON.stringify(env))
})

test("the console of Linux has no title and no links; xterm, screen and the console do not reflow", () => {
  const { hasTitle, hasLinks } = abilitiesOf({ TERM: "linux" })
  assert.deepEqual([hasTitle, hasLinks], [false, false])
  const reflows = (env: Readonly<Record<string, string>>) => abilitiesOf(env).reflows
  assert.deepEqual(
    [{ TERM: "linux" }, { TERM: "screen" }, { TERM: "xterm", XTERM_VERSION: "XTerm(379)" }].map(reflows),
    [false, false, false],
  )
  assert.deepEqual([{ TERM: "xterm-256color" }, { TERM: "screen", TMUX: "/tmp/tmux-0/default,1,0" }].map(reflows), [
    true,
    true,
  ])
})

test("other terminals have titles and links; a multiplexer tells of a new size late", () => {
  const { hasTitle, hasLinks, resizeMs } = abilitiesOf({})
  assert.deepEqual([hasTitle, hasLinks, resizeMs], [true, true, 50])
  assert.equal(abilitiesOf({ TMUX: "/tmp/tmux-0/default,1,0" }).resizeMs, 300)
  assert.equal(abilitiesOf({ TERM: "screen-256color" }).reflows, false)
  assert.equal(abilitiesOf({ TERM: "my-screen" }).reflows, true)
  assert.equal(abilitiesOf({ TERM: "xterm-kitty-2" }).images, null)
  assert.equal(abilitiesOf({ TERM: "my-xterm-kitty" }).images, null)
  assert.equal(abilitiesOf({ TERM_PROGRAM: "mintty2" }).images, null)
  assert.equal(abilitiesOf({ TERM_PROGRAM: "not-mintty" }).images, null)
  assert.equal(abilitiesOf({ TERM: "not-tmux", TERM_PROGRAM: "mintty" }).images, "iterm")
})
