import assert from "node:assert/strict"
import { test } from "node:test"
import { stripVTControlCharacters } from "node:util"
import stringWidth from "string-width"
import { converse, openTerminal, skip, type Terminal } from "./terminal.ts"

const words = {
  en: { interrupted: "The run was interrupted", at: "last active", queued: "queued: " },
  "zh-CN": { interrupted: "运行被中断", at: "上次活动", queued: "已排队：" },
} as const

const bash = (command: string) => ({ name: "bash", args: { command } })

for (const language of ["en", "zh-CN"] as const) {
  for (const columns of [40, 100]) {
    test(
      `running work is visible: a call and its last line, a failed command's output, an edit's lines (${language}, ${columns} columns)`,
      { skip },
      async (t) => {
        const { stage, terminal } = await converse(t, { columns, language, args: ["--permission", "full"] })
        stage.write({ "a.txt": `one\n${"rest\n".repeat(3)}` })
        await terminal.until("> ")
        const edits = [{ oldText: "one", newText: "eins" }]
        stage.server.begin([
          { calls: [bash("echo halfway; sleep 2.5; echo over")] },
          { calls: [bash("seq 1 30; echo it broke >&2; exit 3")] },
          { calls: [{ name: "edit", args: { path: "a.txt", edits } }] },
          { text: "END" },
        ])
        terminal.type("go\r")
        await terminal.until("bash echo halfway")
        await terminal.until(" ...")
        await terminal.until("  2.0 s  halfway")
        await terminal.until("seq 1 30")
        await terminal.until("it broke")
        await terminal.until("eins")
        await terminal.until("END")
        await terminal.until("> ")
        terminal.type("/output 2\r")
        await terminal.until("\n17\r\n")
        await terminal.until("> ")
        terminal.type("exit\r")
        assert.equal(await terminal.ended, 0)
        assert.doesNotMatch(terminal.text.slice(0, terminal.text.indexOf("/output 2")), /^17\r?$/m)
      },
    )

    test(
      `text typed while a reply streams is not in it; a line is queued, and that is shown (${language}, ${columns} columns)`,
      { skip },
      async (t) => {
        const { stage, terminal } = await converse(t, { columns, language })
        await terminal.until("> ")
        const reply = Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ")
        stage.server.begin([{ text: `${reply}\n`, delta: 4, delayMs: 20 }, { text: "SECOND" }])
        terminal.type("go\r")
        await terminal.until("w3 ")
        terminal.type("later")
        await terminal.until("w9 ")
        terminal.type(" please\r")
        await terminal.until(`${words[language].queued}later please`)
        await terminal.until("SECOND")
        await terminal.until("> ")
        terminal.type("exit\r")
        assert.equal(await terminal.ended, 0)
        const shown = terminal.text.slice(terminal.text.indexOf("w0"), terminal.text.indexOf("w39"))
        const streamed = shown.replace(`${words[language].queued}later please`, "").split(/\s+/).filter(Boolean)
        assert.deepEqual(streamed, reply.split(" ").slice(0, -1))
      },
    )

    test(
      `a resumed session shows when, its last exchange and what is open, also after a crash (${language}, ${columns} columns)`,
      { skip },
      async (t) => {
        const { stage, terminal } = await converse(t, { columns, language, args: ["first question"] })
        const long = Array.from(
          { length: 20 },
          (_, at) => `Line ${at} of the answer, which is long enough to be broken.`,
        )
        stage.server.begin([{ text: long.join("\n") }, { calls: [bash("echo begun; sleep 30")] }])
        await terminal.until("Line 19")
        await terminal.until("> ")
        terminal.type("/name the work\r")
        await terminal.until("> ")
        const seesExchange = async (again: Terminal, ...texts: readonly string[]): Promise<void> => {
          const from = again.text.length
          await again.until("the work")
          for (const text of texts) await again.until(text)
          await again.until("> ")
          const lines = stripVTControlCharacters(again.text.slice(from)).split(/\r?\n/)
          for (const line of lines) assert.ok(stringWidth(line) <= columns, line)
        }
        terminal.type("/new\r")
        await terminal.until("> ")
        terminal.type("/resume the work\r")
        await seesExchange(terminal, words[language].at, "> first question", "Line 0", "12")
        terminal.type("go on\r")
        await terminal.until("begun")
        terminal.close()
        await terminal.ended
        const again = openTerminal(t, { ...stage }, ["--plain", "-c"], `stty cols ${columns}; TERM=xterm exec "$@"`)
        await seesExchange(again, words[language].at, "> go on", words[language].interrupted)
        again.type("/exit\r")
        assert.equal(await again.ended, 0)
      },
    )
  }
}

test("a silent model is shown as what is waited for, in both languages", { skip }, async (t) => {
  const waits = async (language: string, columns: number, waiting: string): Promise<void> => {
    const { stage, terminal } = await converse(t, { columns, language })
    await terminal.until("> ")
    stage.server.begin([{ text: "END", fault: { kind: "stall", after: "headers" } }])
    terminal.type("go\r")
    await terminal.until(waiting)
    terminal.type("\u0003")
    await terminal.until("> ")
    terminal.type("exit\r")
    await terminal.ended
  }
  await Promise.all([waits("en", 40, "waiting for custom"), waits("zh-CN", 100, "正在等待 custom")])
})
