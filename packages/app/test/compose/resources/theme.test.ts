import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { createStyle } from "@gong/texts/style"
import type { Theme } from "@gong/resources/themes/theme"
import { chosenStyles, findTheme, themeStyles } from "../../../src/compose/resources/theme.ts"
import { servicesOf } from "../services.ts"

const theme = (name: string, location: string): Theme => ({ name, location, level: "user", colors: {}, light: {} })

test("a theme is found by its name, or by the full path of its file", () => {
  const [ocean, file] = [theme("ocean", "/t/ocean.json"), theme("mine", "/home/u/mine.json")]
  const find = (selected: string | null) => findTheme([ocean, file], selected, "/home/u")?.name
  assert.equal(find("ocean"), "ocean")
  assert.equal(find("~/mine.json"), "mine")
  assert.equal(find("/t/ocean.json"), "ocean")
  for (const wrong of ["sea", "/t/mine", "~/ocean", "mine.json", null]) assert.equal(find(wrong), undefined)
})

test("on a light background the colours of a theme for it replace the others; without such both styles are one", () => {
  const env = { TERM: "xterm-256color", COLORTERM: "truecolor" }
  const { dark, light } = themeStyles(
    { env },
    { colors: { error: "#010203", warn: "#040506" }, light: { error: "#070809" } },
  )
  assert.match(dark.error("x"), /38;2;1;2;3m/)
  assert.match(light.error("x"), /38;2;7;8;9m/)
  assert.equal(light.warn("x"), dark.warn("x"))
  const same = themeStyles({ env }, { colors: { error: "red" }, light: {} })
  assert.equal(same.dark, same.light)
})

interface Chosen {
  readonly themes: readonly boolean[]
  readonly warned: readonly string[]
}

/** Whether the styles are not the default ones, for these settings. */
async function chosen(t: TestContext, setting: string | null, outIsTerminal = true): Promise<Chosen> {
  const services = servicesOf(t)
  const home = services.env["GONG_HOME"] ?? ""
  const warned: string[] = []
  const write = (path: string, value: object): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, path), JSON.stringify(value))
  }
  write("settings.json", setting === null ? {} : { theme: setting })
  write("themes/ocean.json", { colors: { error: "#010203" }, light: { error: "#040506" } })
  const style = createStyle({ terminal: true, env: {} })
  const terminal = { ...services, style, outIsTerminal, warn: (line: string) => void warned.push(line) }
  const { dark, light } = await chosenStyles(terminal, {})
  return { themes: [dark !== style, light !== style], warned }
}

test("a terminal has the styles of the selected theme; a theme that there is not is reported with a similar name", async (t) => {
  assert.deepEqual(await chosen(t, "ocean"), { themes: [true, true], warned: [] })
  assert.deepEqual(await chosen(t, null), { themes: [false, false], warned: [] })
  assert.deepEqual(await chosen(t, "ocean", false), { themes: [false, false], warned: [] })
  assert.deepEqual(await chosen(t, "ocaen"), {
    themes: [false, false],
    warned: ['gong: there is no theme "ocaen". Did you mean ocean? gong doctor lists all themes.'],
  })
})
