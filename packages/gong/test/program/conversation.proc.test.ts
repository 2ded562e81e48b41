import assert from "node:assert/strict"
import { test } from "node:test"
import stringWidth from "string-width"
import { textOf, type Message } from "@gong/spec"
import type { Stage } from "./harness.ts"
import { converse, skip } from "./terminal.ts"

/** The last message of the user that the model got. */
function lastSent({ server }: Stage): string {
  const body = server.requests.at(-1)?.body as { messages?: readonly { role: string; content: unknown }[] } | undefined
  const { content = "" } = body?.messages?.findLast(({ role }) => role === "user") ?? {}
  return typeof content === "string" ? content : textOf({ content } as Pick<Message, "content"> as never)
}

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`

for (const language of ["en", "zh-CN"]) {
  for (const columns of [40, 100]) {
    test(`a paste is one message (${language}, ${columns} columns)`, { skip }, async (t) => {
      const { stage, terminal } = await converse(t, { columns, language })
      await terminal.until("\u001B[?2004h")
      await terminal.until("> ")
      stage.server.begin([{ text: "One." }, { text: "Two." }])
      terminal.type(paste("first\r\nsecond\r\n/quit\r\n"))
      terminal.type("\r")
      await terminal.until("One.")
      await terminal.until("> ")
      assert.equal(lastSent(stage), "first\nsecond\n/quit")
      const long = Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n")
      terminal.type(`see ${paste(long)}`)
      await terminal.until("[50 pasted lines]")
      terminal.type("\r")
      await terminal.until("Two.")
      await terminal.until("> ")
      assert.equal(lastSent(stage), `see ${long}`)
      terminal.type("exit\r")
      assert.equal(await terminal.ended, 0)
      assert.equal(stage.server.requests.length, 2)
      assert.ok(terminal.text.includes("\u001B[?2004l"), "the terminal is left as it was")
    })

    test(`answers are broken at words, and code is not (${language}, ${columns} columns)`, { skip }, async (t) => {
      const { stage, terminal } = await converse(t, { columns, language })
      await terminal.until("> ")
      const said =
        language === "en"
          ? "The cause is a wrong comparison in the loop. "
          : "原因是循环里的比较写错了，所以结果总是少一个。"
      const code = `const total = items.reduce((sum, { price }) => sum + price, 0) // ${"x".repeat(60)}`
      stage.server.begin([{ text: `${said.repeat(6)}\n\n\`\`\`ts\n${code}\n\`\`\`\nEND\n`, delta: 7 }])
      terminal.type("why?\r")
      await terminal.until("END")
      const answer = terminal.text.slice(terminal.text.indexOf(said.slice(0, 5)), terminal.text.lastIndexOf("```ts"))
      const lines = answer.trim().split(/\r?\n/)
      assert.ok(lines.length > 1)
      for (const line of lines) assert.ok(stringWidth(line) <= columns, line)
      assert.equal(lines.join("").replaceAll(/\s/g, ""), said.repeat(6).replaceAll(/\s/g, ""))
      if (language === "en") for (const line of lines) assert.match(line, /^\S+( \S+)*$/)
      assert.ok(terminal.text.includes(code), "a line of code is written as it is")
    })

    test(`a question shows the diff, and its answers (${language}, ${columns} columns)`, { skip }, async (t) => {
      const { stage, terminal } = await converse(t, { columns, language, args: ["--permission", "ask", "go"] })
      stage.write({ "src/a.txt": "one\ntwo\n" })
      const edits = [{ oldText: "two", newText: "zwei" }]
      stage.server.begin([{ calls: [{ name: "edit", args: { path: "src/a.txt", edits } }] }, { text: "Done." }])
      await terminal.until("- 2 two")
      await terminal.until("+ 2 zwei")
      await terminal.until("edit(src/a.txt)")
      await terminal.until("edit(src/**)")
      await terminal.until("permissions.json")
      await terminal.until("[w]")
      // Neither a paste nor what was typed before answers it.
      terminal.type(paste("y\n"))
      terminal.type("\u007Fs\r")
      await terminal.until("Done.")
      await terminal.until("> ")
      terminal.type("quit\r")
      assert.equal(await terminal.ended, 0)
      assert.equal(stage.read("src/a.txt"), "one\nzwei\n")
    })

    test(
      `diffs have the colours of the theme, and none with NO_COLOR (${language}, ${columns} columns)`,
      { skip },
      async (t) => {
        for (const [env, added] of [
          [{}, "\u001B[32m"],
          [{ NO_COLOR: "1" }, null],
          [{ COLORTERM: "truecolor" }, "\u001B[38;2;1;2;3m"],
        ] as const) {
          const { stage, terminal } = await converse(t, {
            columns,
            language,
            args: ["--permission", "ask", "go"],
            env,
            theme: "#010203",
          })
          stage.write({ "a.txt": "one\ntwo\n" })
          const edits = [{ oldText: "two", newText: "zwei" }]
          stage.server.begin([{ calls: [{ name: "edit", args: { path: "a.txt", edits } }] }, { text: "END" }])
          await terminal.until("zwei")
          terminal.type("y\r")
          await terminal.until("END")
          assert.equal(terminal.text.includes("\u001B[32m"), added === "\u001B[32m")
          if (added !== null) assert.ok(terminal.text.includes(`${added}`), JSON.stringify(terminal.text))
          terminal.type("exit\r")
          assert.equal(await terminal.ended, 0)
        }
      },
    )

    test(`commands and words that are none are not sent (${language}, ${columns} columns)`, { skip }, async (t) => {
      const { stage, terminal } = await converse(t, { columns, language })
      await terminal.until("> ")
      for (const [line, answer] of [
        ["/xyzzy", "/xyzzy"],
        ["?", "/clear = /new"],
        ["/status", stage.repo.slice(-8)],
        ["!echo $((40 + 2)) seen", "42 seen"],
        ["!!echo $((40 + 3)) hidden", "43 hidden"],
      ] as const) {
        terminal.type(`${line}\r`)
        await terminal.until(answer)
        await terminal.until("> ")
      }
      assert.equal(stage.server.requests.length, 0)
      stage.server.begin([{ text: "Yes." }])
      terminal.type("what did I run?\r")
      await terminal.until("Yes.")
      const sent = JSON.stringify(stage.server.requests[0]?.body)
      assert.ok(sent.includes("42 seen") && !sent.includes("hidden"))
      await terminal.until("> ")
      terminal.type("/exit\r")
      assert.equal(await terminal.ended, 0)
    })
  }
}

test("@file in a typed message sends the file; a folder and a missing one are named", { skip }, async (t) => {
  const { stage, terminal } = await converse(t, { columns: 100 })
  stage.write({ "src/a.txt": "forty-two\n" })
  await terminal.until("> ")
  stage.server.begin([{ text: "One." }, { text: "Two." }])
  terminal.type("what is in @src/a.txt?\r")
  await terminal.until("One.")
  assert.match(lastSent(stage), /forty-two/)
  await terminal.until("> ")
  terminal.type("and in @src or @src/b.txt?\r")
  await terminal.until("@src is a folder")
  await terminal.until("@src/b.txt is no file")
  await terminal.until("Two.")
  await terminal.until("> ")
  terminal.type("@nothing\r")
  await terminal.until("@nothing: no such file")
  await terminal.until("> ")
  assert.equal(stage.server.requests.length, 2)
  terminal.type("quit\r")
  assert.equal(await terminal.ended, 0)
})
