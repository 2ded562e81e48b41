import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import stringWidth from "string-width"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

const rowsWith = (rows: readonly string[], text: string): number => rows.filter((row) => row.includes(text)).length

for (const language of ["en", "zh-CN"])
  for (const columns of [40, 100])
    test(
      `a streamed answer stands above the input, each line once and in order (${language}, ${columns} columns)`,
      { skip },
      async (t) => {
        const shown = await converse(t, { columns, language })
        const said = Array.from({ length: 40 }, (_, at) => `line ${at} ${"word ".repeat(at % 12)}end${at}.`)
        shown.stage.server.begin([{ text: said.join("\n"), delta: 7, delayMs: 1 }])
        shown.terminal.type("tell me\r")
        await shown.shows("end39.")
        await shown.rests()
        const emulator = await shown.screen()
        const rows = emulator.rows().map(({ text }) => text)
        for (const row of rows) assert.ok(stringWidth(row) <= columns)
        const text = rows.join(" ").replaceAll(/\s+/g, " ")
        assert.ok(text.includes(`> tell me ${said.join(" ")}`), text)
        assert.deepEqual(emulator.cursor(), { row: rows.length - 2, column: 2 }, "the cursor is in the input")
        assert.match(rows.at(-1) ?? "", /custom\/mock · ask/)
        await leave(shown)
        const after = (await shown.screen()).rows().map((row) => row.text)
        assert.match(after.at(-1) ?? "", /end39\.$/, "input and status row are gone")
      },
    )

test("what is typed before the session is open stays, and Enter sends it then", { skip }, async (t) => {
  const shown = await converse(t)
  shown.terminal.type("typed at once\r")
  await shown.shows("Hello.")
  assert.match(JSON.stringify(shown.stage.server.requests[0]?.body), /typed at once/)
  await leave(shown)
})

test("trust in the folder and a missing model are asked for on the screen", { skip }, async (t) => {
  const shown = await converse(t, {
    // The input is drawn before the question, for a time that may be shorter than a look at the screen.
    ready: /contains 1 command template[^]*\[t\] trust the current content/,
    prepare(stage) {
      stage.write({ ".gong/prompts/greet.md": "Greet them.\n" })
      const { GONG_API_KEY: _1, GONG_BASE_URL: _2, GONG_MODEL: _3, GONG_API: _4, ...env } = stage.env
      return { ...stage, env }
    },
  })
  shown.terminal.type("t")
  await shown.shows(/Any compatible endpoint[^]*Esc leaves/)
  shown.terminal.type("endpoint\r")
  await shown.shows("Base URL, for example")
  shown.terminal.type(`${shown.stage.server.url}/v1\r`)
  await shown.shows("Key (not shown; Enter for none)")
  shown.terminal.type("\r")
  await shown.shows("Model:")
  shown.terminal.type("mock\r")
  await shown.shows(/^custom\/mock/m)
  await shown.shows(/^> $/m)
  shown.terminal.type("/greet\r")
  await shown.shows("Hello.")
  assert.match(JSON.stringify(shown.stage.server.requests.at(-1)?.body), /Greet them/)
  await leave(shown)
})

test(
  "a permission question shows the whole call; keys meant for the input do not answer, and typed text stays",
  { skip },
  async (t) => {
    const shown = await converse(t)
    shown.stage.write({ "a.txt": "one\ntwo\n" })
    const edits = [{ oldText: "two", newText: "zwei" }]
    shown.stage.server.begin([
      { calls: [{ name: "edit", args: { path: "a.txt", edits } }], delayMs: 20 },
      { text: "Done." },
    ])
    shown.terminal.type("go\r")
    // Typed on, past the moment in which the question appears.
    for (let at = 0; at < 60 && !shown.terminal.text.includes("wants to change"); at++) {
      shown.terminal.type("y")
      await sleep(20)
    }
    shown.terminal.type("y")
    const rows = await shown.shows("Change")
    assert.match(rows.join("\n"), /edit wants to change a\.txt \(\+1 -1\)[^]*- 2 two[^]*\+ 2 zwei[^]*\[y\]es/)
    await sleep(500)
    assert.equal(shown.stage.read("a.txt"), "one\ntwo\n")
    shown.terminal.type("ｙ")
    await shown.shows("Done.")
    assert.equal(shown.stage.read("a.txt"), "one\nzwei\n")
    const after = await shown.shows(/^> y+$/m)
    assert.equal(rowsWith(after, "wants to change"), 0, "the question leaves nothing behind")
    shown.terminal.type("\u0003")
    await shown.shows(/^> $/m)
    await leave(shown)
  },
)

test("a question that does not fit is answered with yes only after its end was visible", { skip }, async (t) => {
  const shown = await converse(t, { rows: 16, args: ["--permission", "ask"] })
  const command = Array.from({ length: 60 }, (_, at) => `touch file${at}`).join("\n")
  shown.stage.server.begin([{ calls: [{ name: "bash", args: { command } }] }, { text: "Done." }])
  shown.terminal.type("go\r")
  await shown.shows("bash wants to run")
  await sleep(450)
  shown.terminal.type("y")
  await sleep(150)
  await shown.shows("Run it?")
  for (let at = 0; at < 12; at++) shown.terminal.type("\u001B[6~")
  await shown.shows("touch file59")
  shown.terminal.type("y")
  await shown.shows("Done.")
  assert.equal(shown.stage.read("file59"), "")
  await leave(shown)
})

test(
  "Enter during a run sends after the running tool, Alt+Enter at the end; Alt+Up takes the last one back",
  { skip },
  async (t) => {
    const shown = await converse(t, { args: ["--yolo"] })
    shown.stage.server.begin([
      { calls: [{ name: "bash", args: { command: "sleep 1.5" } }] },
      { text: "One." },
      { text: "Two." },
    ])
    shown.terminal.type("go\r")
    await shown.shows("bash sleep 1.5")
    shown.terminal.type("look here\r")
    await shown.shows("queued: look here")
    shown.terminal.type("then this\u001B\r")
    await shown.shows("queued: then this")
    shown.terminal.type("not this\u001B\r")
    await shown.shows("queued: not this")
    shown.terminal.type("\u001B[1;3A")
    await shown.shows(/^> not this$/m)
    await shown.shows("Two.")
    await shown.rests()
    const sent = shown.stage.server.requests.map(({ body }) => JSON.stringify(body))
    assert.equal(sent.length, 3)
    assert.ok(sent[1]?.includes("look here") && !sent[1].includes("then this"))
    assert.ok(sent[2]?.includes("then this") && !sent[2].includes("not this"))
    shown.terminal.type("\u0003")
    await shown.shows(/^> $/m)
    await leave(shown)
  },
)

test("Esc stops a run; Ctrl+C clears the text, stops the run, and twice exits", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo"] })
  shown.stage.server.begin([
    { calls: [{ name: "bash", args: { command: "sleep 30" } }] },
    { calls: [{ name: "bash", args: { command: "sleep 31" } }] },
  ])
  shown.terminal.type("go\r")
  await shown.shows("bash sleep 30")
  const began = performance.now()
  shown.terminal.type("\u001B")
  await shown.shows("Stopped.")
  assert.ok(performance.now() - began < 3_000)
  shown.terminal.type("more\u0003")
  await shown.shows(/^> $/m)
  shown.terminal.type("go on\r")
  await shown.shows("bash sleep 31")
  shown.terminal.type("\u0003")
  await shown.shows("Ctrl+C again exits")
  shown.terminal.type("\u0003")
  assert.equal(await shown.terminal.ended, 130)
})

test("a long paste is folded and sent whole; lines, history and undo of the input", { skip }, async (t) => {
  const shown = await converse(t)
  const pasted = Array.from({ length: 50 }, (_, at) => `row ${at}`).join("\n")
  shown.stage.server.begin([{ text: "One." }, { text: "Two." }])
  shown.terminal.type(`see \u001B[200~${pasted}\u001B[201~`)
  await shown.shows("> see [paste 1: 50 lines]")
  shown.terminal.type("\r")
  await shown.shows("One.")
  assert.ok(JSON.stringify(shown.stage.server.requests[0]?.body).includes(JSON.stringify(`see ${pasted}`).slice(1, -1)))
  await shown.shows(/^> $/m)
  shown.terminal.type("first\nsecond\u0017third\u001F\u001F")
  await shown.shows(/^> first\n {2}second$/m)
  shown.terminal.type("\r")
  await shown.shows("Two.")
  await shown.rests()
  assert.ok(JSON.stringify(shown.stage.server.requests[1]?.body).includes("first\\nsecond"))
  shown.terminal.type("draft\u001B[A\u001B[A")
  await shown.shows(/^> first\n {2}second$/m)
  shown.terminal.type("\u001B[B\u001B[B")
  await shown.shows(/^> draft$/m)
  shown.terminal.type("\u0003")
  await shown.shows(/^> $/m)
  await leave(shown)
})

test("the size changes while text streams: no line is lost or doubled", { skip }, async (t) => {
  const shown = await converse(t)
  const said = Array.from({ length: 60 }, (_, at) => `<${at}> ${"word ".repeat(at % 20)}`)
  shown.stage.server.begin([{ text: `${said.join("\n")}\nEND`, delta: 12, delayMs: 8 }])
  shown.terminal.type("go\r")
  await shown.shows("<5>")
  for (const [columns, rows] of [
    [50, 24],
    [120, 30],
    [33, 12],
    [80, 24],
  ] as const) {
    await shown.resize(columns, rows)
    await sleep(250)
    await shown.screen()
  }
  await shown.shows("END")
  await shown.rests()
  const text = (await shown.screen()).lines().join("\n")
  for (let at = 0; at < 60; at++) assert.equal(text.split(`<${at}>`).length - 1, 1, `<${at}> in\n${text}`)
  await leave(shown)
})

test(
  "choices are picked from a list with a filter; commands, arguments and paths are completed",
  { skip },
  async (t) => {
    const shown = await converse(t)
    shown.terminal.type("/perm\t")
    await shown.shows(/^> \/permissions $/m)
    await shown.shows(/^> plan +nothing is changed$/m)
    shown.terminal.type("pl")
    await shown.shows(/^> \/permissions pl\n> plan /m)
    shown.terminal.type("\t")
    await shown.shows(/^> \/permissions plan $/m)
    shown.terminal.type("\u0015/model\r")
    await shown.shows(/^\/ type to filter/m)
    shown.terminal.type("\u001B")
    await shown.shows(/^> $/m)
    shown.stage.write({ "src/用户 手册.md": "the manual", "src/other.md": "other" })
    shown.terminal.type("read ＠用户")
    await shown.shows(/^> src\/用户 手册\.md$/m)
    shown.terminal.type("\r")
    await shown.shows(/^> read @"src\/用户 手册\.md" $/m)
    shown.terminal.type("\r")
    await shown.shows("Hello.")
    assert.match(JSON.stringify(shown.stage.server.requests[0]?.body), /the manual/)
    await leave(shown)
  },
)

test("hostile texts of the model, of tools and of names do nothing to the terminal", { skip }, async (t) => {
  const payloads = [
    "\u001B]0;TITLE\u0007",
    "\u001B[2J\u001B[H",
    "\u001B[?1049h",
    "\u001B[?1000h",
    "\u001B]52;c;aGk=\u0007",
    "\u009B31m",
    "\u001B[6n",
    "\u202Erev",
    "\u001BP+q\u001B\\",
    "\u0007",
    "\u001B[?25l",
  ]
  const shown = await converse(t, { args: ["--yolo"] })
  const all = payloads.join(" x ")
  shown.stage.write({ "evil.txt": `${all}\n` })
  shown.stage.server.begin([
    {
      text: `begin ${all} end`,
      calls: [
        { name: "bash", args: { command: `cat evil.txt; false; : ${all}` } },
        { name: "read", args: { path: `no${all}` } },
      ],
    },
    { text: "DONE" },
  ])
  const titles: string[] = []
  ;(await shown.screen()).terminal.onTitleChange((title) => titles.push(title))
  shown.terminal.type("go\r")
  await shown.shows("DONE")
  await shown.rests()
  const { terminal, replies } = await shown.screen()
  assert.deepEqual([...new Set(titles)].sort(), ["repo ... · gong", "repo · gong"])
  assert.deepEqual([replies, terminal.buffer.active.type], [[], "normal"])
  assert.equal(terminal.modes.mouseTrackingMode, "none")
  await leave(shown)
})

test(
  "in a run, commands are not sent to the model; a refusal by a rule is shown with its reason",
  { skip },
  async (t) => {
    const shown = await converse(t, { args: ["--permission", "full", "--deny", "bash(touch *)"] })
    const calls = [
      { name: "bash", args: { command: "touch made" } },
      { name: "bash", args: { command: "sleep 2" } },
    ]
    shown.stage.server.begin([{ calls }, { text: "END" }])
    shown.terminal.type("go\r")
    await shown.shows("bash sleep 2")
    shown.terminal.type("／cost\r")
    await shown.shows("> ／cost")
    shown.terminal.type("!echo mine\r")
    await shown.shows("> !echo mine")
    await shown.shows("END")
    await shown.shows(/^gong: bash was refused.*bash\(touch \*\)|^gong: bash was .*bash\(touch/m)
    const sent = JSON.stringify(shown.stage.server.requests.map(({ body }) => body))
    assert.ok(!sent.includes("cost") && !sent.includes("echo mine"))
    await leave(shown)
  },
)

test("leaving with a running job asks what becomes of it; Esc stays", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo", "--set", "bash.timeout=1"] })
  shown.stage.server.begin([{ calls: [{ name: "bash", args: { command: "sleep 60" } }] }, { text: "It runs." }])
  shown.terminal.type("go\r")
  await shown.shows("It runs.")
  shown.terminal.type("\u0004")
  await shown.shows("1 job is running: sleep 60.")
  shown.terminal.type("\u001B")
  await shown.shows(/^> $/m)
  shown.terminal.type("/quit\r")
  await shown.shows(/1 job is running: sleep 60\. \[e\]nd it/)
  // A letter that is typed when the question appears is no answer.
  await sleep(500)
  shown.terminal.type("e")
  assert.equal(await shown.terminal.ended, 0)
})

test("Ctrl+Z gives the terminal back, and fg shows the input again", { skip }, async (t) => {
  const job = `"$@"; stty -a > stopped.txt; echo SUSPENDED; read -r line; echo "GOT $line"; fg > /dev/null; stty -a > after.txt`
  const shown = await converse(t, { shell: `stty -a > before.txt; exec bash -c 'set -m; ${job}' bash "$@"` })
  shown.terminal.type("half a message")
  await shown.shows("> half a message")
  shown.terminal.type("\u001A")
  await shown.shows("SUSPENDED")
  assert.equal(shown.stage.read("stopped.txt"), shown.stage.read("before.txt"))
  assert.equal((await shown.screen()).terminal.modes.bracketedPasteMode, false)
  shown.terminal.type("a line\n")
  await shown.shows("GOT a line")
  await shown.shows(/GOT a line[^]*> half a message/)
  shown.terminal.type("\u0003")
  await shown.shows(/^> $/m)
  shown.terminal.type("\u0004")
  await shown.terminal.ended
  assert.equal(shown.stage.read("after.txt"), shown.stage.read("before.txt"))
})
