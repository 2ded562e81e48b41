import { mkdtempSync, writeFileSync } from "node:fs"
import type { Clock } from "@gong/spec"
import type { Options } from "../config/flags.ts"
import { expandMentions } from "../config/mentions.ts"
import { promptOf, readStdin } from "../config/stdin.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"
import type { PromptInput } from "../modes/input.ts"
import type { World } from "../world.ts"

/** The prompt out of the command line's words, the files they mention and stdin. Nothing has been opened or sent yet. */
export async function readInput(
  world: World,
  clock: Clock,
  options: Options,
  words: readonly string[],
): Promise<Outcome<PromptInput>> {
  const fromStdin = words.length === 1 && words[0] === "-"
  const where = { cwd: options.cwd ?? world.cwd, home: world.userHome }
  const mentions = expandMentions({ words: fromStdin ? [] : words, images: options.image ?? [], ...where })
  if (!mentions.ok) return mentions
  if (fromStdin && options.apiKey === "-") return usage("stdin can hold the key or the prompt, not both.")
  const hasMessage = words.length > 0 && !fromStdin
  const kind = options.apiKey === "-" ? "none" : world.stdin
  const stdin = await readStdin({ kind, open: () => world.openStdin(), hasMessage, clock })
  for (const line of stdin.notes) world.err(`${line}\n`)
  const text = await promptOf(hasMessage ? mentions.value.text : null, stdin, async (bytes) => spill(world, bytes))
  return text.ok ? ok({ text: text.value, images: mentions.value.images }) : text
}

/** What is too long for the model stays where a tool can read it. */
function spill(world: World, bytes: Uint8Array): string {
  const path = `${mkdtempSync(`${world.temp}/gong-stdin-`)}/stdin.txt`
  writeFileSync(path, bytes, { mode: 0o600, flag: "wx" })
  return path
}

/** The key of `--api-key -`: the first line of stdin. */
export async function readKey(world: World, clock: Clock): Promise<Outcome<string>> {
  const stdin = await readStdin({ kind: world.stdin, open: () => world.openStdin(), hasMessage: false, clock })
  const line =
    new TextDecoder()
      .decode(stdin.bytes ?? new Uint8Array())
      .split("\n", 1)[0]
      ?.trim() ?? ""
  return line === ""
    ? usage("--api-key -: nothing came on stdin. Give it as: printf %s KEY | gong --api-key - ...")
    : ok(line)
}
