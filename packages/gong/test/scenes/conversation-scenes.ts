import { keys, type SceneGroup, type Scene } from "./scene.ts"

const markdown = (name: string, text: string): Scene => ({
  name,
  play: (show) => show.run("go", { text }),
})

const wideTable = [
  "| name | what it does | where |",
  "| --- | :---: | ---: |",
  "| parse | turns text into a tree, line by line, without looking back | src/parse.ts |",
  "| 打印 | 把语法树写成文本 | src/打印.ts |",
].join("\n")

const code = [
  "```ts\nconst answer: number = 42 // why\n```",
  '```python\ndef greet(name="you"):\n    return f"hi {name}"\n```',
  '```sh\nfor f in *.ts; do wc -l "$f"; done # count\n```',
  '```json\n{ "name": "gong", "size": 12, "ok": true }\n```',
].join("\n\n")

const stalled = { kind: "stall", after: { chunks: 9 } } as const

/** What a model says. */
export const conversation: SceneGroup = {
  args: ["--yolo"],
  scenes: [
    { name: "empty", play: (show) => show.shows(/^custom\/mock.*\n[^]*^custom\/mock/m) },
    markdown("a short answer", "Hello. It is done."),
    markdown("headings and emphasis", "# One\n\n## Two\n\nText with **bold**, *italic*, ~~struck~~ and `code`."),
    markdown(
      "lists",
      "1. first\n2. second\n   - nested with a longer text that is broken into two rows of the screen\n\n- [ ] open\n- [x] done",
    ),
    markdown(
      "a quotation and a rule",
      "> said by someone, with a longer text that is broken into two rows of the screen\n\n---\n\nEnd.",
    ),
    markdown("a table", "| a | b |\n| --- | ---: |\n| one | 1 |\n| two | 22 |"),
    markdown("a table that is too wide", wideTable),
    markdown("code in four languages", code),
    markdown(
      "links",
      "See [the docs](https://example.com/docs), <https://example.com> and [click](https://a.test/?q=b).",
    ),
    markdown(
      "wide, joined and combining characters",
      "中文、日本語と한국어 👍🏽 👨‍👩‍👧 🇨🇳 é ñ ｆｕｌｌ, and a long row of 中文字符中文字符中文字符中文字符中文字符中文字符中文字符.",
    ),
    markdown("HTML is text", "<b>bold</b> and <script>alert(1)</script>\n\n<div>block</div>"),
    {
      name: "a code block that is not finished",
      play: async (show) => {
        show.say("go", { text: "Look:\n\n```ts\nconst a = 1\nconst b = `x", delta: 5, fault: stalled })
        await show.shows("const b")
      },
      back: async (show) => show.type(keys.escape),
    },
    {
      name: "a reply that is being written",
      play: async (show) => {
        show.say("go", {
          text: `The first paragraph.\n\nThe second one ${"goes on ".repeat(9)}`,
          delta: 12,
          fault: stalled,
        })
        await show.shows("goes on")
      },
      back: async (show) => show.type(keys.escape),
    },
    {
      name: "thinking",
      play: async (show) => {
        show.say("go", { thinking: `I wonder ${"about this ".repeat(20)}`, text: "x", delta: 20, fault: stalled })
        await show.shows("about this")
      },
      back: async (show) => show.type(keys.escape),
    },
    { name: "after thinking", play: (show) => show.run("go", { thinking: "Some thoughts.", text: "The answer." }) },
    {
      name: "waiting for the first token",
      play: async (show) => {
        show.say("go", { text: "x", fault: { kind: "stall", after: "headers" } })
        await show.rests()
      },
    },
    { name: "stopped", follows: true, play: async (show) => show.type(keys.escape) },
    {
      name: "a reply that was discarded",
      play: (show) =>
        show.run(
          "go",
          { text: "First attempt of the reply.", delta: 4, delayMs: 5, fault: { kind: "drop", after: { chunks: 4 } } },
          { text: "Second." },
        ),
    },
    {
      name: "a refused key",
      play: (show) => show.run("go", { fault: { kind: "status", status: 401, message: "bad key" } }),
    },
    {
      name: "a refused request",
      play: (show) => show.run("go", { fault: { kind: "status", status: 400, message: "unknown field x" } }),
    },
    { name: "a reply that was cut off", play: (show) => show.run("go", { text: "The beginning", stop: "length" }) },
    {
      name: "a message in several lines",
      play: (show) => show.run(`one${keys.ctrl("j")}two`, { text: "Two lines." }),
    },
    {
      name: "one waiting message",
      play: async (show) => {
        show.say("go", { text: "x", fault: { kind: "stall", after: "headers" } })
        await show.rests()
        show.type(`and this${keys.altEnter}`)
        await show.rests()
      },
    },
    {
      name: "seven waiting messages",
      follows: true,
      play: async (show) => {
        for (let at = 0; at < 6; at++) {
          show.type(`message ${at}${keys.altEnter}`)
          await show.rests()
        }
      },
    },
    {
      name: "a message that was taken back",
      follows: true,
      play: async (show) => show.type(keys.altUp),
      back: async (show) => {
        show.type(keys.ctrl("u"))
        for (let at = 0; at < 6; at++) {
          show.type(keys.altUp)
          await show.rests()
          show.type(keys.ctrl("u"))
        }
        show.type(keys.escape)
        await show.rests()
      },
    },
    {
      name: "compaction",
      play: (show) => show.run("/compact", { text: "## Goal\nshort" }),
    },
    { name: "compaction undone", play: async (show) => show.type("/undo compaction\r") },
  ],
}
