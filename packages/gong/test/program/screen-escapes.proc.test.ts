import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openEmulator } from "@gong/testing/emulator"
import { notificationBytes, titleBytes } from "../../src/terminal/attention.ts"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

/** What a text must not do to a terminal: modes, titles, colours, links, the clipboard, replies, movements, disguise. */
const payloads = [
  "\u001B]0;TITLE\u0007",
  "\u001B]2;TITLE\u001B\\",
  "\u001B[2J\u001B[H",
  "\u001B[3J",
  "\u001B[?1049h",
  "\u001B[?1000;1006h",
  "\u001B[?25l",
  "\u001B[?2004l",
  "\u001B[201~",
  "\u001B]52;c;aGk=\u0007",
  "\u001B]8;;javascript:alert(1)\u001B\\",
  "\u001B]4;1;#ffffff\u0007",
  "\u001B]10;#000000\u0007",
  "\u001B]9;NOTE\u0007",
  "\u001B]1337;File=name=eA==:eA==\u0007",
  "\u001B_Ga=T;eA==\u001B\\",
  "\u001BP+q544e\u001B\\",
  "\u001B[6n\u001B[c",
  "\u001B[1;5r",
  "\u001B[8;1;1t",
  "\u001Bc",
  "\u009B31m",
  "\u009D0;TITLE\u009C",
  "\u0005\u0007\u0008\u0008\u0008",
  "\u202Eelif\u2066 \u200B\u{E0041}",
]

const all = payloads.join(" x ")

test("[SC-19] titles and notifications hold no sequence of a text", async () => {
  for (const payload of payloads) {
    const emulator = openEmulator(80, 24)
    const titles: string[] = []
    emulator.terminal.onTitleChange((title) => titles.push(title))
    await emulator.write(titleBytes(`a${payload}b`))
    for (const env of [{ TERM: "xterm-kitty" }, { TERM_PROGRAM: "WezTerm" }, { VTE_VERSION: "7600" }, {}])
      await emulator.write(notificationBytes(`a${payload}b`, env))
    assert.equal(titles.length, 1, JSON.stringify(payload))
    assert.ok(titles[0]?.startsWith("a") && titles[0].endsWith("b"), JSON.stringify(titles))
    assert.deepEqual([emulator.replies, emulator.rows()], [[], []], JSON.stringify(payload))
  }
})

test("[SC-19] 25 payloads from 13 sources do nothing to the terminal", { skip }, async (t) => {
  // A file name holds no slash, and at most 255 bytes.
  const short = payloads
    .filter((payload) => !payload.includes("/"))
    .slice(0, 12)
    .join("")
  const skill = `---\nname: evil\ndescription: ${JSON.stringify(all)}\n---\n${all}\n`
  const extension = `export default (gong) => gong.on("agent.start", () => gong.say(${JSON.stringify(all)}))\n`
  const shown = await converse(t, {
    columns: 100,
    rows: 40,
    args: ["--yolo", "-m", `mock${short}`],
    prepare(stage) {
      const repo = join(stage.repo, `folder${short}`)
      mkdirSync(repo)
      stage.write({
        [join(repo, "evil.txt")]: `${all}\nsecond\n`,
        [join(repo, `name${short}.txt`)]: "content\n",
        [join(repo, ".git/HEAD")]: `ref: refs/heads/${all}\n`,
        [join(stage.gongHome, "skills/evil/SKILL.md")]: skill,
        [join(stage.gongHome, "extensions/evil.js")]: extension,
      })
      return { ...stage, repo, env: { ...stage.env } }
    },
  })
  const calls = [
    { name: "bash", args: { command: `cat evil.txt; ls; false; : ${all}` } },
    { name: "read", args: { path: "evil.txt" } },
    { name: "read", args: { path: `name${short}.txt` } },
    { name: "edit", args: { path: "evil.txt", edits: [{ oldText: "second", newText: `${all} more` }] } },
    { name: `tool${all}`, args: { [all]: all } },
  ]
  shown.stage.server.begin([
    { thinking: `thought ${all}`, text: `begin ${all} \`${all}\` [${all}](http://a.b/${all}) end`, calls },
    { text: "First.", fault: { kind: "error-event", after: { chunks: 1 }, message: all } },
    { text: "DONE" },
  ])
  const titles: string[] = []
  ;(await shown.screen()).terminal.onTitleChange((title) => titles.push(title))
  shown.terminal.type("go\r")
  await shown.shows("DONE")
  shown.terminal.type("/ev")
  await shown.shows("skill:evil")
  shown.terminal.type("\u0015@name")
  await shown.shows(/^> name/m)
  shown.terminal.type("\u001B\u0015\u000F")
  await shown.shows(/^transcript · rows/m)
  shown.terminal.type("g")
  await shown.shows("thought")
  for (let page = 0; page < 30; page++) shown.terminal.type(" ")
  await shown.rests()
  shown.terminal.type("q")
  await shown.rests()
  shown.terminal.type("/copy\r")
  await shown.rests()
  const { terminal, replies } = await shown.screen()
  // Some are also sequences of Gong itself, but not behind an x.
  for (const payload of payloads.slice(1))
    assert.ok(!shown.terminal.text.includes(`x ${payload}`), `${JSON.stringify(payload)} was written as it is`)
  assert.deepEqual([replies, terminal.buffer.active.type], [[], "normal"])
  assert.equal(terminal.modes.mouseTrackingMode, "none")
  assert.equal(terminal.modes.bracketedPasteMode, true)
  for (const title of titles) assert.ok(title.startsWith("folder"), title)
  await leave(shown)
})
