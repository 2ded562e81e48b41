import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { folder } from "@gong/testing/folder"
import type { Cli } from "../../src/cli.ts"
import type { Options } from "../../src/command-line/flags.ts"
import { screenOptions, screenSettings } from "../../src/terminal-screen.ts"
import { cliIn, type Folders } from "../commands/test-cli.ts"

interface Terminal {
  readonly cli: Cli
  readonly languages: string[]
  settings(text: string): void
}

/** A terminal of 80 columns on which the screen is drawn. */
function terminal(t: TestContext, more: Partial<Cli> = {}, env: Readonly<Record<string, string>> = {}): Terminal {
  const root = folder(t)
  const gongHome = join(root, "gong")
  const folders: Folders = { root, home: root, gongHome, repo: root, temp: root }
  const { cli } = cliIn(folders, [], { terminal: true, env: { TERM: "xterm", GONG_HOME: gongHome, ...env } })
  const languages: string[] = []
  const setLocale = async (language: string): Promise<void> => void languages.push(language)
  Object.defineProperties(cli, Object.getOwnPropertyDescriptors({ stdin: "terminal", columns: 80, setLocale, ...more }))
  const settings = (text: string): void => {
    mkdirSync(gongHome, { recursive: true, mode: 0o700 })
    writeFileSync(join(gongHome, "settings.json"), text)
  }
  return { cli, languages, settings }
}

const hasScreen = async ({ cli }: Terminal, options: Options = {}): Promise<boolean> =>
  (await screenSettings(cli, options)) !== null

test("the screen needs a terminal that understands control sequences and has 20 columns", async (t) => {
  for (const [name, expected, more, env] of [
    ["a terminal", true, {}, {}],
    ["20 columns", true, { columns: 20 }, {}],
    ["19 columns", false, { columns: 19 }, {}],
    ["stdin is a file", false, { stdin: "file" }, {}],
    ["stdout is a pipe", false, { outIsTerminal: false }, {}],
    ["dumb", false, {}, { TERM: "dumb" }],
    ["no TERM", false, {}, { TERM: "" }],
    ["Windows has no TERM", true, { platform: "win32" }, { TERM: "" }],
  ] as const)
    assert.equal(await hasScreen(terminal(t, more, env)), expected, name)
  assert.equal(await hasScreen(terminal(t), { plain: true }), false)
  const { cli } = terminal(t)
  assert.equal(await screenSettings({ ...cli, env: { ...cli.env, TERM: undefined } } as Cli, {}), null)
})

test("the view and the language are those of the settings of the user; unreadable and bare ones are the defaults", async (t) => {
  const lines = terminal(t)
  lines.settings('{"terminal.view": "plain"}')
  assert.equal(await hasScreen(lines), false)
  assert.deepEqual(lines.languages, [])
  assert.equal(await hasScreen(lines, { bare: true }), true)
  const chinese = terminal(t)
  chinese.settings('{"language": "zh-CN"}')
  assert.equal(await hasScreen(chinese), true)
  assert.deepEqual(chinese.languages, ["zh-CN"])
  const broken = terminal(t)
  broken.settings("no json")
  assert.equal(await hasScreen(broken), true)
})

test("title, images, vi keys and problems of the keys are those of the settings", async (t) => {
  const view = async (text: string) => {
    const place = terminal(t, {}, { TERM: "xterm-kitty", TERM_PROGRAM: "kitty" })
    place.settings(text)
    const settings = (await screenSettings(place.cli, {})) ?? assert.fail("it has a screen")
    const { hasTitle, images, hasVim, problems } = screenOptions(place.cli, {}, settings)
    return { hasTitle, images: images !== null, hasVim, problems }
  }
  assert.deepEqual(await view("{}"), { hasTitle: true, images: true, hasVim: false, problems: [] })
  const off = '{"terminal.title": false, "terminal.images": false, "terminal.vim": true}'
  assert.deepEqual(await view(off), { hasTitle: false, images: false, hasVim: true, problems: [] })
  const keys = '{"terminal.keys": ["fly=f2", "send=f3", "new-line=f3"]}'
  const { problems } = await view(keys)
  assert.deepEqual(problems.toSorted(), [
    "gong: terminal.keys: f3 is a key of two actions, send, new-line; the first one has it.",
    "gong: terminal.keys: there is no action fly; docs/terminal.md lists them.",
  ])
})
