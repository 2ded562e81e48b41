import assert from "node:assert/strict"
import type { PassThrough } from "node:stream"
import { test, type TestContext } from "node:test"
import type { Cli } from "../../../src/cli.ts"
import { login } from "../../../src/commands/login.ts"
import { rpcCommand } from "../../../src/commands/rpc.ts"
import { runMessage } from "../../../src/run.ts"
import { openWithModel, type Program } from "../program.ts"
import { cliIn, type RunOptions } from "../test-cli.ts"

interface Command {
  readonly cli: Cli
  readonly output: { readonly out: string; readonly err: string }
  readonly program: Program
}

/** The dependencies of a command, some replaced. */
async function command(
  t: TestContext,
  options: RunOptions,
  replaced: Readonly<Record<string, unknown>> = {},
  turns: Parameters<typeof openWithModel>[1] = { otherwise: { text: "Fine." } },
): Promise<Command> {
  const program = await openWithModel(t, turns)
  const folders = { ...program, temp: `${program.root}/tmp` }
  const { cli, output } = cliIn(folders, [], { ...options, env: { ...program.env, ...options.env } })
  Object.defineProperties(cli, Object.getOwnPropertyDescriptors(replaced))
  return { cli, output, program }
}

const thrower = (error: Error) => () => {
  throw error
}

test("an answer that cannot be written is one line and status 1; any other error is an internal one", async (t) => {
  const full = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write", path: "/dev/stdout" })
  const { cli, output } = await command(t, {}, { out: thrower(full) })
  assert.equal(await runMessage(cli, { print: true, quiet: true }, ["hello"]), 1)
  assert.equal(output.err, "gong: /dev/stdout: the disk is full (ENOSPC). Free some space there.\n")
  const { cli: broken } = await command(t, {}, { out: thrower(new Error("a bug")) })
  await assert.rejects(runMessage(broken, { print: true, quiet: true }, ["hello"]), /^Error: a bug$/)
})

test("the options of one prompt are checked before the session is opened", async (t) => {
  const { cli, output, program } = await command(t, { stdin: "" })
  assert.equal(await runMessage(cli, { print: true, outFile: program.repo }, ["x"]), 2)
  assert.match(output.err, /^gong: -o \S+: this is a folder\. Name a file in it\.\n$/)
  const { cli: keyless, output: text } = await command(t, { stdin: "" })
  assert.equal(await runMessage(keyless, { print: true, apiKey: "-" }, ["x"]), 2)
  assert.equal(text.err, 'gong: stdin has no key. Pipe one: printf %s "$KEY" | gong --api-key - ...\n')
  const { cli: both, output: refused } = await command(t, { stdin: "sk" })
  assert.equal(await runMessage(both, { print: true, apiKey: "-" }, ["-"]), 2)
  assert.equal(refused.err, "gong: stdin can hold the key or the prompt, not both.\n")
})

test("the key of stdin is sent, and its first line alone is the key", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const { cli, output } = cliIn({ ...program, temp: `${program.root}/tmp` }, [], {
    stdin: " sk-of-stdin-0123456789 \nmore\n",
    env: { ...program.env, GONG_API_KEY: undefined },
  })
  assert.equal(await runMessage(cli, { print: true, quiet: true, apiKey: "-" }, ["x"]), 0)
  assert.equal(output.out, "Fine.\n")
  assert.equal(program.server.requests[0]?.headers["authorization"], "Bearer sk-of-stdin-0123456789")
})

test("the line after an answer counts tool calls and names the share of cached tokens", async (t) => {
  const ls = { name: "ls", args: {} }
  for (const [calls, usage, expected] of [
    [[ls], {}, "1 tool call · cost unknown · gong -c to continue"],
    [[ls, ls], {}, "2 tool calls · cost unknown · gong -c to continue"],
    [[], { input: 25, cacheRead: 75 }, "0 tool calls · cost unknown · 75 % cached · gong -c to continue"],
  ] as const) {
    const last = { text: "Fine.", usage: { output: 1, ...usage } }
    const turns = calls.length === 0 ? [last] : [{ calls }, last]
    const program = await openWithModel(t, { turns })
    const { err } = await program.gong(["-p", "x"], { errTerminal: true })
    assert.match(err, new RegExp(`s · ${expected}\n$`))
  }
})

test("at a terminal an option for one answer ends after it; the text alone begins a conversation", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const printed = async (...args: readonly string[]) => {
    const { status, out } = await program.gong(args, { typed: [] })
    return [status, out.endsWith("> \u001b[3G"), out.includes("Fine.")]
  }
  for (const args of [["-p"], ["--output", "json"], ["--output", "events"]])
    assert.deepEqual(await printed(...args, "hello"), [0, false, true], args.join(" "))
  for (const args of [[], ["--output", "text"]])
    assert.deepEqual((await printed(...args, "hello")).slice(0, 2), [0, true], args.join(" "))
  const toFile = await program.gong(["hello"], { stdin: "", terminal: true })
  assert.deepEqual([toFile.status, toFile.out], [0, "Fine.\n"], "stdin is no terminal")
  const toPipe = await program.gong(["hello"], { typed: [], terminal: false })
  assert.deepEqual([toPipe.status, toPipe.out], [0, "Fine.\n"], "stdout is no terminal")
})

test("lines of the opened session are on stderr, and partial events only with their option", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "A longer answer in several pieces." } })
  const types = async (...args: readonly string[]) => {
    const { out } = await program.gong(["-p", "x", "--output", "events", ...args])
    return new Set(
      out
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { readonly type: string }).type),
    )
  }
  assert.equal((await types()).has("message_update"), false)
  assert.equal((await types("--partial")).has("message_update"), true)
  program.write({ [`${program.gongHome}/settings.json`]: '{"nope": 1}' })
  const { err } = await program.gong(["-p", "x", "--quiet"])
  assert.equal(program.plain(err), 'gong: $GONG/settings.json:1: unknown setting "nope" is ignored.\n')
})

test("a client that does not read the last lines is left after 10 s with the status of a broken pipe", async (t) => {
  const quits: number[] = []
  const waits: number[] = []
  const { cli, output } = await command(
    t,
    { sends: [["", ""]] },
    {
      flush: () => new Promise<void>(() => undefined),
      buffered: 7,
      quit: (status: number) => void quits.push(status),
    },
  )
  const { clock } = cli
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms !== 10_000) return clock.sleep(ms, signal)
    waits.push(ms)
  }
  Object.defineProperty(cli, "clock", { value: { ...clock, now: () => clock.now(), sleep } })
  ;(cli.openStdin() as unknown as PassThrough).end()
  assert.equal(await rpcCommand(cli, {}), 0)
  assert.deepEqual(quits, [141])
  assert.ok(waits.length > 0)
  assert.match(output.err, /gong: the client did not read the last 7 bytes; exiting\n$/)
})

test("gong rpc takes no key of stdin, and reports options that are wrong", async (t) => {
  const { cli, output } = await command(t, {})
  assert.equal(await rpcCommand(cli, { apiKey: "-" }), 2)
  assert.equal(output.err, "gong: --api-key - cannot be used with gong rpc: stdin belongs to the client.\n")
  const { cli: wrong, output: text } = await command(t, {})
  assert.equal(await rpcCommand(wrong, { model: "a b" }), 2)
  assert.match(text.err, /^gong: "a b" is not a model/)
})

test("a key that the server refuses is not stored: one line and status 1", async (t) => {
  const refusing = { routes: () => ({ status: 401, body: { error: { message: "no" } } }) }
  const key = "sk-0123456789abcdefghijklmnop"
  const { cli, output, program } = await command(t, { stdin: key }, {}, refusing)
  const baseUrl = program.env["GONG_BASE_URL"] ?? ""
  assert.equal(await login(cli, { baseUrl }, []), 1)
  assert.equal(program.plain(output.err), "gong: 127.0.0.1:PORT refused the key (401 no). It was not stored.\n")
  assert.equal(output.out, "")
})
