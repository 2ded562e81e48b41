import { phrase, type Clock } from "@gong/spec"
import { mkdtempSync, writeFileSync } from "node:fs"
import type { Options } from "./command-line/flags.ts"
import { expandMentions } from "@gong/config/mentions"
import { promptOf, readStdin } from "./command-line/stdin.ts"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Cli } from "./cli.ts"
import { decodeMention, imageOpener } from "@gong/app/compose/input/image-opener"
import { localMachine, openHost } from "@gong/app/compose/hosts"

/** The prompt from the words of the command line, the files that they mention, and stdin. Opens no session and sends nothing. */
export async function readInput(
  cli: Cli,
  clock: Clock,
  options: Options,
  words: readonly string[],
): Promise<Outcome<PromptInput>> {
  const fromStdin = words.length === 1 && words[0] === "-"
  // Paths on the command line are paths of this machine.
  const host = await openHost(localMachine(cli))
  if (!host.ok) return host
  const where = { cwd: options.cwd ?? cli.cwd, host: host.value }
  const openImage = imageOpener(cli, options)
  const wanted = { words: fromStdin ? [] : words, images: options.image ?? [] }
  const mentions = await expandMentions({ ...wanted, ...where, openImage, decode: decodeMention })
  if (!mentions.ok) return mentions
  for (const note of mentions.value.notes) cli.err(`gong: ${cli.t(note)}\n`)
  if (fromStdin && options.apiKey === "-") return usage(phrase`stdin can hold the key or the prompt, not both.`)
  const hasMessage = words.length > 0 && !fromStdin
  const kind = options.apiKey === "-" ? "none" : cli.stdin
  const stdin = await readStdin({ kind, open: () => cli.openStdin(), hasMessage, clock })
  for (const note of stdin.notes) cli.err(`${cli.t.text(note)}\n`)
  const text = await promptOf(hasMessage ? mentions.value.text : null, stdin, async (bytes) => spill(cli, bytes))
  return text.ok ? ok({ text: text.value, images: mentions.value.images, seen: mentions.value.seen }) : text
}

/** A text that is too long for the prompt is stored where tools can read it. */
function spill(cli: Cli, bytes: Uint8Array): string {
  const path = `${mkdtempSync(`${cli.temp}/gong-stdin-`)}/stdin.txt`
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" })
  return path
}

/** Reads a key from the first line of stdin. `command`: shown in the usage error. */
export async function readKey(cli: Cli, clock: Clock, command: string): Promise<Outcome<string>> {
  const stdin = await readStdin({ kind: cli.stdin, open: () => cli.openStdin(), hasMessage: false, clock })
  const line =
    new TextDecoder()
      .decode(stdin.bytes ?? new Uint8Array())
      .split("\n", 1)[0]
      ?.trim() ?? ""
  return line === "" ? usage(phrase`stdin has no key. Pipe one: printf %s "$KEY" | ${command}`) : ok(line)
}

/** Replaces the API key `-` by the key on stdin. */
export async function withStdinKey(cli: Cli, spec: SessionSpec): Promise<Outcome<SessionSpec>> {
  if (spec.apiKey !== "-") return ok(spec)
  const key = await readKey(cli, cli.clock, "gong --api-key - ...")
  return key.ok ? ok({ ...spec, apiKey: key.value }) : key
}

/** Asks questions on the terminal; true only for yes. Null without a terminal. */
export function userAnswering(cli: Cli): ((question: string) => Promise<boolean>) | null {
  if (cli.stdin !== "terminal" || !cli.outIsTerminal) return null
  return async (question) => /^(?:y|yes|是|ｙ)$/i.test((await lineOf(cli, question))?.trim() ?? "")
}

/** A line of the terminal; null without a terminal, at its end, on Ctrl+C and when the signal aborts. */
export async function lineOf(cli: Cli, question: string, signal?: AbortSignal): Promise<string | null> {
  if (cli.stdin !== "terminal" || !cli.outIsTerminal || signal?.aborted === true) return null
  const { lineReader } = await import("./terminal/lines.ts")
  const marksPastes = cli.env["TERM"] !== "dumb"
  const lines = lineReader(cli.openStdin(), cli.openStdout(), { clock: cli.clock, marksPastes })
  const close = (): void => lines.close()
  lines.onInterrupt(close)
  signal?.addEventListener("abort", close, { once: true })
  try {
    return await lines.question(question)
  } finally {
    signal?.removeEventListener("abort", close)
    close()
  }
}
