import { join } from "node:path"
import { keys, type SceneGroup, type Scene, type Driver } from "./scene.ts"

const typed = (name: string, text: string, more: Partial<Scene> = {}): Scene => ({
  name,
  play: async (show) => show.type(text),
  back: clear,
  ...more,
})

async function clear(show: Driver): Promise<void> {
  await show.rests()
  show.type(keys.ctrl("c"))
}

async function leave(show: Driver): Promise<void> {
  await show.rests()
  show.type(keys.escape)
}

const picker = (name: string, line: string, shown: string | RegExp): Scene => ({
  name,
  play: async (show) => {
    show.type(`${line}\r`)
    await show.shows(shown)
  },
  back: leave,
})

/** What the user types, and lists. */
export const input: SceneGroup = {
  prepare(stage) {
    const files = Array.from({ length: 30 }, (_, at) => [`src/part-${at}.ts`, ""] as const)
    const theme = { colors: { muted: "blue", keyword: "#ff8800", strong: "brightRed" } }
    stage.write({ [join(stage.gongHome, "themes/night.json")]: JSON.stringify(theme) })
    stage.write({ ...Object.fromEntries(files), "文档/说明.md": "", "with blank.txt": "", "README.md": "# It\n" })
    return stage
  },
  scenes: [
    typed("typed", "Fix the failing test in the parser"),
    typed("several lines", `first line${keys.ctrl("j")}second line${keys.ctrl("j")}third`),
    typed("a long line", "word ".repeat(40).trimEnd()),
    typed("wide, joined and combining characters", "中文输入，日本語 👍🏽 👨‍👩‍👧 e\u0301 ｆ"),
    typed("the cursor in the middle", `中文输入${keys.left}${keys.left}`),
    typed("40 lines", Array.from({ length: 40 }, (_, at) => `line ${at}`).join(keys.ctrl("j"))),
    typed("a pasted text", keys.paste("two\nlines")),
    typed("a long pasted text", keys.paste(Array.from({ length: 30 }, (_, at) => `row ${at}`).join("\n"))),
    typed("control characters in a pasted text", keys.paste("a\u001b[31mb\u0007c\u202e")),
    typed("completion of commands", "/s"),
    typed("completion of commands: moved", `/s${keys.down}${keys.down}`),
    typed("completion of commands, full-width", "／mo"),
    typed("completion of arguments", "/permissions "),
    typed("completion of paths", "look at @part"),
    typed("completion of paths: none", "look at @zzzzz"),
    typed("completion of paths: Chinese", "看 @说"),
    typed("completion of paths: with a blank", `@blank\t`),
    typed("keys behind Ctrl+X", keys.ctrl("x"), { back: async (show) => show.type("z") }),
    typed("Ctrl+C without text", keys.ctrl("c"), { back: async (show) => show.type("a\u007f") }),
    { name: "a message, for what follows", play: (show) => show.run("explain the parser", { text: "It parses." }) },
    { name: "another message", play: (show) => show.run("run the tests", { text: "They pass." }) },
    {
      name: "earlier messages",
      play: async (show) => {
        show.type(keys.ctrl("r"))
        await show.shows("> run the tests")
      },
    },
    {
      name: "earlier messages: filtered",
      follows: true,
      play: async (show) => show.type("parser"),
      back: async (show) => show.type("\r"),
    },
    { name: "an earlier message in the input", follows: true, play: async () => undefined, back: clear },
    typed("the message before", keys.up),
    picker("/model", "/model", "custom/mock"),
    picker("/tree", "/tree", "explain the parser"),
    picker("/settings", "/settings", "= "),
    {
      name: "/settings: filtered",
      play: async (show) => {
        show.type("/settings\r")
        await show.shows("> model = ")
        show.type("terminal.v")
      },
      back: leave,
    },
    {
      name: "/settings: the values of one",
      play: async (show) => {
        show.type("/settings\r")
        await show.shows("> model = ")
        show.type("terminal.view\r")
        await show.shows("> screen")
      },
      back: leave,
    },
    {
      name: "/theme",
      play: async (show) => {
        show.type("/theme\r")
        await show.shows("night")
        show.type(keys.down)
      },
      back: leave,
    },
    { name: "/resume without another session", play: async (show) => show.type("/resume\r") },
    { name: "/permissions", play: async (show) => show.type("/permissions auto\r") },
    { name: "/permissions full", play: async (show) => show.type("/permissions full\r"), back: leave },
    {
      name: "the next permission level",
      play: async (show) => show.type("\u001b[Z"),
      back: async (show) => show.type("a\u007f"),
    },
    { name: "/cost", play: async (show) => show.type("/cost\r") },
    { name: "/skills", play: async (show) => show.type("/skills\r") },
    { name: "/tools", play: async (show) => show.type("/tools\r") },
    { name: "/memory", play: async (show) => show.type("/memory\r") },
    { name: "/hotkeys", play: async (show) => show.type("/hotkeys\r") },
    { name: "/trust", play: async (show) => show.type("/trust\r"), back: leave },
    { name: "an unknown command", play: async (show) => show.type("/modle\r") },
    { name: "/name", play: async (show) => show.type("/name the parser\r") },
    {
      name: "the transcript",
      play: async (show) => {
        show.type(keys.ctrl("o"))
        await show.shows("They pass.")
      },
    },
    { name: "the transcript: a search", follows: true, play: async (show) => show.type("/parse") },
    { name: "the transcript: found", follows: true, play: async (show) => show.type("\r") },
    {
      name: "the transcript: not found",
      follows: true,
      play: async (show) => show.type("/nowhere\r"),
      back: async (show) => show.type("q"),
    },
    { name: "/fork", play: async (show) => show.type("/fork\r") },
    picker("/resume", "/resume", "> 2026"),
    { name: "/new", play: async (show) => show.type("/new\r") },
    { name: "/help", play: async (show) => show.type("/help\r") },
  ],
}
