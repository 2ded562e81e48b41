import assert from "node:assert/strict"
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

test("the text is edited with $EDITOR, and a failing one changes nothing", { skip }, async (t) => {
  const shown = await converse(t, {
    prepare(stage) {
      stage.write({
        "edit.sh": '#!/bin/sh\nstty -a < /dev/tty | grep -c -- " icanon"\necho "edited ($1 $2)" >> "$2"\n',
      })
      chmodSync(join(stage.repo, "edit.sh"), 0o755)
      return { ...stage, env: { ...stage.env, VISUAL: "", EDITOR: `${stage.repo}/edit.sh --wait` } }
    },
  })
  shown.terminal.type("first line\u0007")
  await shown.shows(/^> first line\n {2}edited \(--wait .*message\.md\)$/m)
  shown.terminal.type("\r")
  await shown.shows("Hello.")
  assert.match(JSON.stringify(shown.stage.server.requests[0]?.body), /first line\\nedited \(--wait/)
  assert.match(shown.terminal.text, /1\r\n/, "the terminal was in its own modes")
  shown.stage.write({ "edit.sh": "#!/bin/sh\nexit 3\n" })
  shown.terminal.type("kept\u0007")
  await shown.shows("the editor failed; the text is unchanged")
  await shown.shows(/^> kept$/m)
  shown.terminal.type("\u0015")
  await leave(shown)
})

test("the transcript is read on the alternate screen, and the conversation stands as before", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo"] })
  const call = { name: "bash", args: { command: "seq 1 40" } }
  shown.stage.server.begin([{ text: "I **count**.", calls: [call] }, { text: "```ts\nconst a = 1\n```\nDone." }])
  shown.terminal.type("count\r")
  await shown.shows("Done.")
  await shown.rests()
  const before = (await shown.screen()).rows().map(({ text }) => text)
  shown.terminal.type("\u000f")
  await shown.shows(/^transcript · rows \d+-\d+ of \d+ /m)
  assert.equal((await shown.screen()).terminal.buffer.active.type, "alternate")
  shown.terminal.type("g")
  await shown.shows(/^> count\n\nI count\.\n\nbash seq 1 40 +\d\.\d s +ok\n/m)
  shown.terminal.type("/17\r")
  await shown.shows(/^ +17\n +18$/m)
  shown.terminal.type("q")
  await shown.shows(/^> count$/m)
  await shown.rests()
  const after = await shown.screen()
  assert.equal(after.terminal.buffer.active.type, "normal")
  assert.deepEqual(
    after.rows().map(({ text }) => text),
    before,
  )
  shown.terminal.type("\u000f")
  await shown.shows(/^transcript · rows/m)
  shown.terminal.type("q")
  await leave(shown)
})

test("[CLIP-1] the image of the clipboard is sent with the message", { skip }, async (t) => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  const shown = await converse(t, {
    prepare(stage) {
      // Programs of the project do not count.
      const bin = join(stage.root, "bin")
      mkdirSync(bin)
      stage.write({
        [join(bin, "wl-paste")]:
          `#!/bin/sh\ncase "$1" in --list-types) echo image/png;; *) echo ${png} | base64 -d;; esac\n`,
      })
      chmodSync(join(bin, "wl-paste"), 0o755)
      const path = `${bin}:${stage.env["PATH"] ?? ""}`
      return { ...stage, env: { ...stage.env, PATH: path, WAYLAND_DISPLAY: "wayland-0" } }
    },
  })
  shown.terminal.type("\u0016")
  await shown.shows(/^> \[image 1: 1 KB\] $/m)
  shown.terminal.type("what is it?\r")
  await shown.shows("Hello.")
  const body = JSON.stringify(shown.stage.server.requests[0]?.body)
  assert.match(body, /what is it\?/)
  // The model of the test takes text only, which is reported.
  assert.match(body, /\[image left out: no images are sent to mock\]/)
  await shown.shows("no images are sent to mock")
  await leave(shown)
})

test("an earlier message is found, the permission and thinking levels are changed by keys", { skip }, async (t) => {
  const shown = await converse(t)
  for (const text of ["look at the parser", "run the tests"]) {
    shown.terminal.type(`${text}\r`)
    await shown.shows(new RegExp(`^> ${text}\\n\\nHello\\.`, "m"))
    await shown.shows(/^> $/m)
  }
  shown.terminal.type("\u0012")
  await shown.shows(/^> run the tests\n {2}look at the parser\n\/ type/m)
  shown.terminal.type("pars\r")
  await shown.shows(/^> look at the parser\ncustom/m)
  shown.terminal.type("\u0015\u001b[Z")
  await shown.shows("permission level: auto")
  shown.terminal.type(" \u007f")
  await shown.shows(/^custom\/mock · auto/m)
  shown.terminal.type("\u001bt")
  await shown.shows(/thinking level: \w+/)
  await leave(shown)
})

test("the status row is that of the user's command, and that of Gong when it fails", { skip }, async (t) => {
  const command = `sed 's/.*"permission":"\\([a-z]*\\)".*/own row: \\1/'; test ! -e broken`
  const shown = await converse(t, { args: ["--set", `terminal.statusLine=${command}`] })
  await shown.shows(/^own row: ask$/m)
  shown.terminal.type("\u001b[Z")
  await shown.shows(/permission level: auto/)
  shown.terminal.type("x\u0015")
  await shown.shows(/^own row: auto$/m)
  shown.stage.write({ broken: "" })
  shown.terminal.type("\u001b[Z")
  await shown.shows(/permission level: plan/)
  shown.terminal.type("x\u0015")
  await shown.shows(/^custom\/mock · plan/m)
  await leave(shown)
})

test("a resumed session has its messages in the history", { skip }, async (t) => {
  const shown = await converse(t, { shell: '"$@"; "$@" -c' })
  shown.terminal.type("look at the parser\r")
  await shown.shows(/Hello\.\n\n> $/m)
  shown.terminal.type("\u0004")
  await shown.shows(/session \w+[^]*\n> $/m)
  shown.terminal.type("\u001b[A")
  await shown.shows(/^> look at the parser\ncustom/m)
  shown.terminal.type("\u0015")
  await leave(shown)
})
