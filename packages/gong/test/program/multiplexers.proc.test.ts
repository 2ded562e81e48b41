import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { launcher, openStage, type Stage } from "./harness.ts"

const SIZE = { columns: 90, rows: 28 }
const WAIT_MS = 15_000

/** Gong in a real terminal multiplexer. */
interface Multiplexer {
  type(keys: string): void
  /** The visible rows. */
  rows(): readonly string[]
  /** Scrollback and visible rows as lines, joined where the terminal has broken them. */
  lines(): readonly string[]
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["-V"], { encoding: "utf8" }).error === undefined
}

function commandLine(stage: Stage, args: readonly string[]): readonly string[] {
  const env = Object.entries({ ...stage.env, GONG_LANG: "en" }).map(([name, value]) => `${name}=${value}`)
  return ["env", "-i", ...env, "SHELL=/bin/sh", process.execPath, launcher, ...args]
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")

async function shows(what: Pick<Multiplexer, "rows">, text: string | RegExp): Promise<readonly string[]> {
  for (let waited = 0; waited < WAIT_MS; waited += 50) {
    const rows = what.rows()
    const all = rows.join("\n")
    if (typeof text === "string" ? all.includes(text) : text.test(all)) return rows
    await sleep(50)
  }
  throw new Error(`it never showed ${String(text)}:\n${what.rows().join("\n")}`)
}

const serverOptions = ["start-server", ";", "set", "-g", "set-clipboard", "on", ";"]

/** Gong's command line in a shell of tmux. */
function inTmux(stage: Stage, args: readonly string[]): string {
  return quoted(commandLine(stage, args)).replace("'env' '-i'", "env -i TERM=$TERM TMUX=$TMUX")
}

/** Runs this command of the shell in a new pane. */
function openTmux(t: TestContext, stage: Stage, command: string) {
  // The stage is removed before the server ends.
  const folder = mkdtempSync(join(tmpdir(), "gong-tmux-"))
  const socket = join(folder, "socket")
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      env: { ...stage.env, TERM: "xterm-256color" },
    })
  const size = ["-x", `${SIZE.columns}`, "-y", `${SIZE.rows}`]
  tmux(...serverOptions, "new-session", "-d", ...size, "-c", stage.repo, command)
  t.after(() => {
    spawnSync("tmux", ["-S", socket, "kill-server"])
    rmSync(folder, { recursive: true, force: true })
  })
  const rowsOf = (text: string): readonly string[] =>
    text
      .trimEnd()
      .split("\n")
      .map((row) => row.trimEnd())
  return {
    tmux,
    type: (keys: string) => void tmux("send-keys", "-l", keys),
    key: (name: string) => void tmux("send-keys", name),
    rows: () => rowsOf(tmux("capture-pane", "-p")),
    lines: () => rowsOf(tmux("capture-pane", "-p", "-J", "-S", "-")),
    cursor: () => tmux("display-message", "-p", "#{cursor_y} #{cursor_x}").trim(),
  }
}

const withoutTmux = isInstalled("tmux") ? false : "tmux is not installed"

test(
  "a whole task in tmux: prompt, approval, messages into the run, Esc, resize, detach, tree, resume, copy",
  { skip: withoutTmux },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "Hello." } })
    const said = Array.from({ length: 60 }, (_, at) => `line ${at} ${"word ".repeat(at % 25)}end${at}.`)
    const pane = openTmux(t, stage, `${inTmux(stage, ["--permission", "ask"])}; sleep 60`)
    await shows(pane, /^>$/m)
    stage.server.begin([
      { calls: [{ name: "bash", args: { command: "sleep 2; touch made" } }] },
      { text: said.join("\n"), delta: 9, delayMs: 2 },
    ])
    pane.type("make it")
    pane.key("Enter")
    await shows(pane, "touch made")
    await sleep(450)
    pane.type("y")
    await shows(pane, "bash sleep 2; touch made")
    pane.type("and look here")
    pane.key("Enter")
    await shows(pane, "queued: and look here")
    pane.type("later")
    pane.key("M-Enter")
    await shows(pane, "queued: later")
    pane.key("M-Up")
    await shows(pane, /^> later$/m)
    pane.key("C-u")
    await shows(pane, "end20.")
    for (const columns of [70, 110, 61, SIZE.columns]) {
      pane.tmux("resize-window", "-x", `${columns}`, "-y", `${SIZE.rows}`)
      await sleep(120)
    }
    await shows(pane, "end59.")
    await shows(pane, /^>$/m)
    const text = pane.lines().join(" ").replaceAll(/\s+/g, " ")
    const counts = said.map((line) => text.split(line).length - 1)
    // tmux changes the pane before it tells: each change of the size may cut a line.
    assert.ok(counts.filter((count) => count === 0).length <= 4, `lost: ${counts.join(" ")}`)
    assert.ok(Math.max(...counts) === 1, `doubled: ${counts.join(" ")}`)
    const rows = pane.rows()
    assert.equal(pane.cursor(), `${rows.lastIndexOf(">")} 2`, "the cursor is in the input")

    stage.server.begin([{ text: "x".repeat(50), delta: 1, delayMs: 200 }])
    pane.type("write slowly")
    pane.key("Enter")
    await shows(pane, /^x+$/m)
    pane.key("Escape")
    await shows(pane, "Stopped.")
    pane.type("/tree")
    pane.key("Enter")
    await shows(pane, /^> \* write slowly$/m)
    pane.key("Escape")
    await shows(pane, /^>$/m)
    pane.type("/copy")
    pane.key("Enter")
    await shows(pane, /^> \/copy\nCopied through the terminal\.$/m)
    assert.equal(pane.tmux("show-buffer"), "x")
    pane.type("/new")
    pane.key("Enter")
    await shows(pane, "New session")
    pane.type("/resume")
    pane.key("Enter")
    await shows(pane, /> 20\d\d-.*make it/)
    pane.key("Enter")
    await shows(pane, "Last active")

    // Another client: detached and attached with another size.
    pane.tmux("resize-window", "-x", "75", "-y", "20")
    await sleep(200)
    await shows(pane, /^>$/m)
    pane.type("中文，ok")
    await shows(pane, /^> 中文，ok$/m)
    pane.key("C-c")
    pane.key("C-d")
    await sleep(300)
    assert.equal(pane.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim(), "0 1")
  },
)

for (const shell of ["bash --norc -i", "zsh -f -i"]) {
  const [program = ""] = shell.split(" ")
  const isHere = spawnSync(program, ["-c", "true"]).error === undefined
  const skip = isHere ? withoutTmux : `${program} is not installed`
  test(
    `Ctrl+Z under ${program} in tmux gives the shell its terminal, and fg shows the input again`,
    { skip },
    async (t) => {
      const stage = await openStage(t)
      stage.write({ "run.sh": `exec ${inTmux(stage, [])}\n` })
      const pane = openTmux(t, stage, `PS1='SHELL$ ' exec ${shell}`)
      const run = (line: string): void => {
        pane.type(line)
        pane.key("Enter")
      }
      await shows(pane, "SHELL$")
      run("stty -a > before.txt; clear")
      await shows(pane, /^SHELL\$$/)
      run("sh run.sh")
      await shows(pane, "custom/mock")
      pane.type("half a message")
      await shows(pane, "> half a message")
      for (let times = 1; times <= 2; times++) {
        pane.key("C-z")
        await shows(pane, /SHELL\$$/)
        run(`stty -a > stopped.txt; clear; echo AT THE ${"SHELL ".repeat(times)}`)
        await shows(pane, new RegExp(`^AT THE (?:SHELL ?){${times}}\nSHELL\\$$`, "m"))
        assert.equal(stage.read("stopped.txt"), stage.read("before.txt"))
        assert.equal(pane.tmux("display-message", "-p", "#{cursor_flag}").trim(), "1")
        run("fg")
        await shows(pane, /> half a message[^]*custom\/mock/)
      }
      pane.type(" goes on")
      await shows(pane, "> half a message goes on")
      pane.key("C-c")
      await shows(pane, /^>$/m)
      pane.key("C-d")
      await shows(pane, /SHELL\$$/)
      run("stty -a > after.txt; clear; echo LEFT")
      await shows(pane, /^LEFT\nSHELL\$$/m)
      assert.equal(stage.read("after.txt"), stage.read("before.txt"))
    },
  )
}

const withoutScreen = isInstalled("screen") ? false : "screen is not installed"

test("a task in GNU screen: prompt, approval, Esc, leaving", { skip: withoutScreen }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Hello." } })
  const folder = mkdtempSync(join(tmpdir(), "gong-screen-"))
  const env = { ...stage.env, TERM: "xterm-256color", SCREENDIR: folder, SHELL: "/bin/sh" }
  const screen = (...words: readonly string[]) =>
    spawnSync("screen", ["-c", "/dev/null", "-U", "-S", "gong", ...words], { env, cwd: stage.repo, encoding: "utf8" })
  t.after(() => {
    screen("-X", "quit")
    rmSync(folder, { recursive: true, force: true })
  })
  const line = quoted(commandLine(stage, ["--permission", "ask"])).replace("'env' '-i'", "env -i TERM=$TERM")
  screen("-dm", "sh", "-c", `stty cols 90 rows 28; ${line}; sleep 60`)
  const pane = {
    type: (keys: string) => void screen("-X", "stuff", keys),
    rows(): readonly string[] {
      const file = join(folder, "hardcopy.txt")
      screen("-X", "hardcopy", file)
      try {
        return readFileSync(file, "utf8")
          .trimEnd()
          .split("\n")
          .map((row) => row.trimEnd())
      } catch {
        return []
      }
    },
  }
  await shows(pane, /^>$/m)
  stage.server.begin([
    { calls: [{ name: "bash", args: { command: "touch made" } }] },
    { text: "It is made.\n\n| a | b |\n| - | - |\n| 1 | 2 |" },
  ])
  pane.type("make it\r")
  await shows(pane, "touch made")
  await sleep(450)
  pane.type("y")
  await shows(pane, /It is made\.\n\na \| b\n--\+--\n1 \| 2\n\n>$/m)
  stage.server.begin([{ text: "y".repeat(50), delta: 1, delayMs: 200 }])
  pane.type("write slowly\r")
  await shows(pane, /^y+$/m)
  pane.type("\u001b")
  await shows(pane, "Stopped.")
  pane.type("\u0004")
  await sleep(300)
  assert.ok(!pane.rows().join("\n").includes("custom/mock · ask"), "the status row is gone")
})
