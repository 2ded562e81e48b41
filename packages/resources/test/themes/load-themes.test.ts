import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf } from "@gong/spec"
import { createLocalHost } from "@gong/tools/host/local"
import { folder } from "@gong/testing/folder"
import { readTheme } from "../../src/themes/load-theme.ts"
import { loadThemes, type ThemeLocations } from "../../src/themes/load-themes.ts"
import { themeFile } from "../../src/themes/theme.ts"
import { trust } from "../skills/fixture.ts"

const host = createLocalHost({ cwd: "/" })
const red = '{"colors": {"match": "red"}}'

async function loaded(root: string, places: Partial<ThemeLocations>) {
  const { themes, diagnostics } = await loadThemes({ host, user: [], project: null, paths: [], ...places })
  return {
    themes: themes.map(({ name, level, location }) => `${level} ${name} ${location.slice(root.length + 1)}`),
    lines: diagnostics.map(
      ({ type, path, line, text }) =>
        `${type} ${path.slice(root.length + 1)}:${line} ${englishOf(text).replaceAll(`${root}/`, "")}`,
    ),
  }
}

test("themes of the user, of a trusted folder, then named ones; the first of one name counts, others are reported", async (t) => {
  const root = folder(t, {
    "user/b.json": red,
    "user/a.json": red,
    "user/.hidden.json": red,
    "user/notes.txt": red,
    "user/sub/x.json": red,
    "repo/.gong/themes/a.json": red,
    "repo/.gong/themes/c.json": red,
    "repo/.gong/themes/.d.json": red,
    "repo/.gong/themes/e.txt": red,
    "repo/.gong/themes/deep/f.json": red,
    "named/b.json": red,
    "named/g.json": red,
    "one.json": red,
    "odd.name": red,
  })
  symlinkSync(join(root, "one.json"), join(root, "named/same.json"))
  const found = await loaded(root, {
    user: [join(root, "user"), join(root, "missing")],
    project: { trusted: await trust(join(root, "repo")), folders: [".gong/themes"] },
    paths: [join(root, "one.json"), join(root, "named"), join(root, "odd.name"), join(root, "gone.json")],
  })
  assert.deepEqual(found.themes, [
    "user a user/a.json",
    "user b user/b.json",
    "project c repo/.gong/themes/c.json",
    "path one one.json",
    "path g named/g.json",
    "path odd.name odd.name",
  ])
  assert.deepEqual(found.lines, [
    'collision repo/.gong/themes/a.json:1 the theme "a" is left out: user/a.json has this name. Rename one of them.',
    'collision named/b.json:1 the theme "b" is left out: user/b.json has this name. Rename one of them.',
  ])
})

test("a theme of a trusted folder may be named itself; a changed one is left out", async (t) => {
  const root = folder(t, { "repo/.gong/themes/a.json": red, "repo/.gong/themes/ab.json": red })
  const trusted = await trust(join(root, "repo"))
  const alone = { trusted, folders: [".gong/themes/a.json"] }
  assert.deepEqual((await loaded(root, { project: alone })).themes, ["project a repo/.gong/themes/a.json"])
  assert.deepEqual((await loaded(root, { project: { trusted, folders: [".gong/them"] } })).themes, [])
  writeFileSync(join(root, "repo/.gong/themes/a.json"), '{"colors": {}}')
  assert.deepEqual(await loaded(root, { project: alone }), {
    themes: [],
    lines: ["error repo/.gong/themes/a.json:1 this changed since this folder was trusted; it is left out."],
  })
})

test("a pipe, a folder of this name and a file over 64 KiB are reported, and the others count", async (t) => {
  const padded = (length: number) => red.padEnd(length)
  const root = folder(t, { "user/most.json": padded(65_536), "user/more.json": padded(65_537) })
  execFileSync("mkfifo", [join(root, "user/pipe.json")])
  mkdirSync(join(root, "user/dir.json"))
  symlinkSync("gone", join(root, "user/link.json"))
  assert.deepEqual(await loaded(root, { user: [join(root, "user")] }), {
    themes: ["user most user/most.json"],
    lines: [
      "error user/dir.json:1 this is no regular file. Put a theme there, or move it away.",
      "error user/link.json:1 this cannot be read (ENOENT). Fix its permissions, or move it away.",
      "error user/more.json:1 this has 65537 bytes; a theme may have 65536.",
      "error user/pipe.json:1 this is no regular file. Put a theme there, or move it away.",
    ],
  })
})

test("at most 200 themes of a folder count", async (t) => {
  const names = Array.from({ length: 201 }, (_, at) => `${String(at).padStart(3, "0")}.json`)
  const root = folder(t, Object.fromEntries(names.map((name) => [`user/${name}`, red])))
  const { themes, lines } = await loaded(root, { user: [join(root, "user")] })
  assert.deepEqual([themes.length, themes.at(-1), lines], [200, "user 199 user/199.json", []])
})

const read = async (text: string) => {
  const { theme, diagnostics } = await readTheme(text, { name: "x", location: "/x.json", level: "user" })
  return {
    theme,
    lines: diagnostics.map(({ type, path, line, text: what }) => `${type} ${path}:${line} ${englishOf(what)}`),
  }
}

test("a theme: colours, and those on a light background; comments and trailing commas are accepted", async () => {
  assert.deepEqual(
    await read(
      '{\n// mine\n"$schema": "x",\n"colors": {"match": "#ff8800", "heading": "red",},\n"light": {"match": "blue"},\n}',
    ),
    {
      theme: {
        name: "x",
        location: "/x.json",
        level: "user",
        colors: { match: "#ff8800", heading: "red" },
        light: { match: "blue" },
      },
      lines: [],
    },
  )
  assert.deepEqual((await read(red)).theme?.light, {})
})

test("an invalid colour, an unknown name and a wrong part are reported with their line, and the rest counts", async () => {
  const { theme, lines } = await read(
    '{\n"colors": {\n"match": "#ff88",\n"mtach": "red",\n"heading": 7,\n"error": "red"},\n"more": 1,\n"light": []\n}',
  )
  assert.deepEqual([theme?.colors, theme?.light], [{ error: "red" }, {}])
  const [more = "", light = "", match = "", unknown = "", heading = "", ...others] = lines
  assert.equal(more, 'error /x.json:7 there is no "more" in a theme; it is left out.')
  assert.equal(light, 'error /x.json:8 the colours on a light background are an object, as "colors" is.')
  assert.match(match, /^error \/x\.json:3 "#ff88" is no colour\. Write "#ff8800", or one of \w+, .*\w\.$/)
  assert.match(unknown, /^error \/x\.json:4 there is no "mtach" to colour\. A theme colours \w+, .*match.*\.$/)
  assert.match(heading, /^error \/x\.json:5 7 is no colour\./)
  assert.deepEqual(others, [])
})

test("what is no theme is unusable, with the line of the problem", async () => {
  for (const [text, line] of [
    ["{\n\n", "error /x.json:3 this is no JSON: close brace expected. Fix it there, or move the file away."],
    ["[]", 'error /x.json:1 a theme is an object, {"colors": {"match": "#ff8800"}}.'],
    ["7", 'error /x.json:1 a theme is an object, {"colors": {"match": "#ff8800"}}.'],
    ["{}", 'error /x.json:1 a theme is an object, {"colors": {"match": "#ff8800"}}.'],
    ['{\n"colors": []}', 'error /x.json:2 a theme is an object, {"colors": {"match": "#ff8800"}}.'],
  ] as const)
    assert.deepEqual(await read(text), { theme: null, lines: [line] }, text)
})

test("the setting names a file by its absolute path or from the home, never relative to a folder", () => {
  for (const [setting, file] of [
    [null, null],
    ["dark", null],
    ["./dark.json", null],
    ["~dark", null],
    ["~/dark.json", "/home/u/dark.json"],
    ["/etc/dark.json", "/etc/dark.json"],
  ] as const)
    assert.equal(themeFile(setting, "/home/u"), file)
})
