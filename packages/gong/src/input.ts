import { phrase, type Clock } from "@gong/spec"
import { mkdtempSync, writeFileSync } from "node:fs"
import type { Options } from "./command-line/flags.ts"
import { expandMentions } from "@gong/config/mentions"
import { promptOf, readStdin } from "./command-line/stdin.ts"
import { ok, type Outcome, usage } from "@gong/config/usage"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import type { SessionSpec } from "@gong/config/session-spec"
import { systemClock } from "@gong/app/ports"
import type { World } from "./world.ts"
import { imageOpener } from "@gong/app/compose/input/image-opener"
import { machine, openHost } from "@gong/app/compose/hosts"

/** The prompt out of the command line's words, the files they mention and stdin. Nothing has been opened or sent yet. */
export async function readInput(
  world: World,
  clock: Clock,
  options: Options,
  words: readonly string[],
): Promise<Outcome<PromptInput>> {
  const fromStdin = words.length === 1 && words[0] === "-"
  // The command line names files of the machine where it was typed.
  const host = await openHost(machine(world))
  if (!host.ok) return host
  const where = { cwd: options.cwd ?? world.cwd, host: host.value }
  const openImage = imageOpener(world, options)
  const wanted = { words: fromStdin ? [] : words, images: options.image ?? [] }
  const mentions = await expandMentions({ ...wanted, ...where, openImage })
  if (!mentions.ok) return mentions
  if (fromStdin && options.apiKey === "-") return usage(phrase`stdin can hold the key or the prompt, not both.`)
  const hasMessage = words.length > 0 && !fromStdin
  const kind = options.apiKey === "-" ? "none" : world.stdin
  const stdin = await readStdin({ kind, open: () => world.openStdin(), hasMessage, clock })
  for (const note of stdin.notes) world.err(`${world.t.text(note)}\n`)
  const text = await promptOf(hasMessage ? mentions.value.text : null, stdin, async (bytes) => spill(world, bytes))
  return text.ok ? ok({ text: text.value, images: mentions.value.images, seen: mentions.value.seen }) : text
}

/** What is too long for the model stays where a tool can read it. */
function spill(world: World, bytes: Uint8Array): string {
  const path = `${mkdtempSync(`${world.temp}/gong-stdin-`)}/stdin.txt`
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" })
  return path
}

/** A key that comes on stdin: its first line. `how` names what asks for it. */
export async function readKey(world: World, clock: Clock, how: string): Promise<Outcome<string>> {
  const stdin = await readStdin({ kind: world.stdin, open: () => world.openStdin(), hasMessage: false, clock })
  const line =
    new TextDecoder()
      .decode(stdin.bytes ?? new Uint8Array())
      .split("\n", 1)[0]
      ?.trim() ?? ""
  return line === "" ? usage(phrase`no key came on stdin. Give it as: printf %s "$KEY" | ${how}`) : ok(line)
}

/** The key in place of the `-` that says it comes on stdin. */
export async function withKeyOfStdin(world: World, spec: SessionSpec): Promise<Outcome<SessionSpec>> {
  if (spec.apiKey !== "-") return ok(spec)
  const key = await readKey(world, systemClock, "gong --api-key - ...")
  return key.ok ? ok({ ...spec, apiKey: key.value }) : key
}
