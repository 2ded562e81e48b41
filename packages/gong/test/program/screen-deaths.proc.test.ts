import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { killDescendant } from "@gong/testing/processes"
import type { Stage } from "./harness.ts"
import { converse, leave, type Shown } from "./screen.ts"
import { skip } from "./terminal.ts"
import { tether } from "./tether.ts"

for (const [death, kill, status] of [
  ["Ctrl+D", ({ terminal }: Shown) => terminal.type("\u0004"), 0],
  ["Ctrl+C twice", ({ terminal }: Shown) => terminal.type("\u0003\u0003"), 130],
  ["SIGTERM", ({ stage }: Shown) => void killDescendant(Number(stage.read("pid.txt")), "SIGTERM"), 143],
] as const)
  test(`[SC-20] the terminal is as before after ${death}`, { skip }, async (t) => {
    const gong = `sh -c 'echo $$ > pid.txt; exec "$@"' sh "$@"`
    const shell = `stty -a > before.txt; ${gong}; status=$?; stty -a > after.txt; exit $status`
    const shown = await converse(t, { shell })
    kill(shown)
    assert.equal(await shown.terminal.ended, status)
    const { terminal } = await shown.screen()
    assert.equal(shown.stage.read("after.txt"), shown.stage.read("before.txt"))
    assert.equal(terminal.modes.bracketedPasteMode, false)
    assert.ok(shown.terminal.text.includes("\u001b[23;0t"), "the earlier title is back")
  })

for (const [death, kill] of [
  ["kill -9", ({ stage }: Shown) => void killDescendant(Number(stage.read("pid.txt")), "SIGKILL")],
  ["out of memory", ({ stage }: Shown) => stage.write({ "full.txt": "" })],
] as const)
  test(`[SC-20] the terminal is as before soon after ${death}`, { skip }, async (t) => {
    const gong = `sh -c 'echo $$ > pid.txt; exec "$@"' sh "$@"`
    const shell = `stty -a > before.txt; ${gong}; echo "ended $?"; sleep 1; stty -a > after.txt; exit 0`
    const shown = await converse(t, {
      shell,
      prepare(stage) {
        const filling = join(stage.root, "filling.cjs")
        const fill = "const kept = []; for (;;) kept.push(Array(1e6).fill(kept.length))"
        writeFileSync(
          filling,
          `setInterval(() => { if (!require("fs").existsSync("full.txt")) return; ${fill} }, 50).unref()`,
        )
        return { ...stage, env: { ...stage.env, NODE_OPTIONS: `--require ${filling} --max-old-space-size=100` } }
      },
    })
    await sleep(900)
    kill(shown)
    await shown.terminal.ended
    const emulator = await shown.screen()
    assert.match(emulator.lines().join("\n"), /ended 1(?:34|37|39)/)
    assert.equal(shown.stage.read("after.txt"), shown.stage.read("before.txt"))
    assert.equal(emulator.terminal.modes.bracketedPasteMode, false)
    assert.equal(emulator.terminal.modes.sendFocusMode, false)
  })

test("[SC-20] after kill -9 the next start repairs the terminal", { skip }, async (t) => {
  const killed = `sh -c 'echo $$ > pid.txt; exec "$@"' sh "$@"; stty -a > left.txt`
  const shell = `stty -a > before.txt; ${killed}; "$@"; status=$?; stty -a > after.txt; exit $status`
  const shown = await converse(t, { shell })
  const first = shown.terminal.text.length
  const pid = shown.stage.read("pid.txt").trim()
  // Also the shell that would restore it now.
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
  for (const one of [...children, pid]) killDescendant(Number(one), "SIGKILL")
  for (let left = 100; left > 0 && !shown.terminal.text.slice(first).includes("\u001b[>1u"); left--) await sleep(50)
  await leave(shown)
  assert.match(shown.stage.read("left.txt"), /-icanon/, "it was left in raw mode")
  assert.match(shown.stage.read("after.txt"), / icrnl [^]*\nisig icanon iexten echo /)
  assert.equal((await shown.screen()).terminal.modes.bracketedPasteMode, false)
})

test(
  "[SC-20] the terminal is as before after an internal error, which is shown below the screen",
  { skip },
  async (t) => {
    const shell = 'stty -a > before.txt; "$@"; status=$?; stty -a > after.txt; exit $status'
    const shown = await converse(t, {
      shell,
      prepare(stage) {
        const crash = join(stage.root, "crash.cjs")
        writeFileSync(crash, 'setTimeout(() => { throw new Error("planted") }, 1_500)')
        return { ...stage, env: { ...stage.env, NODE_OPTIONS: `--require ${crash}` } }
      },
    })
    assert.equal(await shown.terminal.ended, 1)
    const emulator = await shown.screen()
    assert.match(emulator.lines().join("\n"), /^gong: planted \(GONG_DEBUG=1 shows where\)$/m)
    assert.equal(shown.stage.read("after.txt"), shown.stage.read("before.txt"))
    assert.equal(emulator.terminal.modes.bracketedPasteMode, false)
  },
)

/** Modules that are loaded first, and fail when they meet a text. */
const crashes = [
  [
    "while a key is drawn",
    `const write = process.stdout.write
    process.stdout.write = function (chunk, ...rest) {
      if (String(chunk).includes("PLANTED")) throw new Error("planted")
      return write.call(this, chunk, ...rest)
    }`,
    "PLANTED",
  ],
  [
    "while a key is read",
    `const search = String.prototype.search
    String.prototype.search = function (...args) {
      if (this.includes("PLANTED")) throw new Error("planted")
      return search.apply(this, args)
    }`,
    "PLANTED",
  ],
] as const

for (const [where, source, typed] of crashes)
  test(`[SC-20] the terminal is as before after a failure ${where}`, { skip }, async (t) => {
    const shell = 'stty -a > before.txt; "$@"; status=$?; stty -a > after.txt; exit $status'
    const shown = await converse(t, { shell, prepare: (stage) => planted(stage, source) })
    shown.terminal.type(typed)
    assert.equal(await shown.terminal.ended, 1)
    const emulator = await shown.screen()
    assert.match(emulator.lines().join("\n"), /^gong: planted \(GONG_DEBUG=1 shows where\)$/m)
    assert.equal(shown.stage.read("after.txt"), shown.stage.read("before.txt"))
    assert.equal(emulator.terminal.modes.bracketedPasteMode, false)
  })

test("an error in a session listener is shown, and the conversation continues", { skip }, async (t) => {
  const source = `const split = String.prototype.split
    String.prototype.split = function (...args) {
      if (args[0] === "\\n" && this.includes("LISTENER")) throw new Error("planted")
      return split.apply(this, args)
    }`
  const shown = await converse(t, { args: ["--yolo"], prepare: (stage) => planted(stage, source) })
  shown.stage.server.begin([{ calls: [{ name: "bash", args: { command: "echo LISTEN''ER" } }] }, { text: "END" }])
  shown.terminal.type("go\r")
  const rows = await shown.shows("END")
  assert.ok(rows.includes("gong: Error: planted"), rows.join("\n"))
  await leave(shown)
})

/** Runs a module in the process before Gong. */
function planted(stage: Stage, source: string): Stage {
  const module = join(stage.root, "planted.cjs")
  writeFileSync(module, source)
  return { ...stage, env: { ...stage.env, NODE_OPTIONS: `--require ${module}` } }
}

// A window that is closed: the signal, or only a terminal that is gone. All that inherited the pipe have to end.
for (const [who, shell, status] of [
  ["with a signal", 'exec "$@" 9>alive', ""],
  ["without one", 'trap : HUP; "$@" 9>alive; echo $? >status.txt', "129\n"],
] as const)
  test(
    `[SC-20] the window is closed ${who}: the run ends, its end is stored, and no process remains`,
    { skip },
    async (t) => {
      const held = await tether(t)
      let over: Promise<unknown> = Promise.resolve()
      const shown = await converse(t, {
        args: ["--yolo"],
        shell,
        prepare(stage) {
          execFileSync("mkfifo", [join(stage.repo, "alive")])
          over = once(createReadStream(join(stage.repo, "alive")).resume(), "close")
          return stage
        },
      })
      shown.stage.server.begin([{ calls: [{ name: "bash", args: { command: held.command } }] }])
      shown.terminal.type("go\r")
      await held.held
      shown.terminal.close()
      await held.released
      await over
      const end = shown.stage.entries().find((entry) => entry.type === "run_end")
      assert.equal(end?.type === "run_end" && end.status, "interrupted")
      if (status === "") return
      for (let left = 100; left > 0 && !existsSync(join(shown.stage.repo, "status.txt")); left--) await sleep(20)
      assert.equal(shown.stage.read("status.txt"), status)
    },
  )
