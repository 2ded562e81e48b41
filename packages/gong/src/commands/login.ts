import { keyOfLine, onlyKey, takeKey } from "@gong/app/administration/login"
import { systemClock } from "@gong/app/ports"
import { type Outcome, usageLines } from "@gong/config/usage"
import type { Options } from "../command-line/flags.ts"
import { readKey } from "../input.ts"
import { lineReader } from "../terminal/lines.ts"
import type { World } from "../world.ts"

/** `gong login [PROVIDER] [--base-url URL]`: a key is typed or comes on stdin, is tried once, and kept. Gives the exit status. */
export async function login(world: World, options: Options, words: readonly string[]): Promise<number> {
  const read = (prompt: string) => (world.stdin === "terminal" ? typedKey(world, prompt) : pipedKey(world))
  const done = await takeKey(world, options, words[0], read)
  if (!done.ok) {
    for (const line of usageLines(world.t, done.error)) world.err(`${line}\n`)
    return world.ending === "interrupt" ? 130 : done.error.exit
  }
  const { kept, text, first } = done.value
  if (!kept) {
    world.err(`gong: ${text}\n`)
    return 1
  }
  world.out(`${text}\n`)
  if (first !== null) world.err(`${first}\n`)
  return 0
}

async function typedKey(world: World, prompt: string): Promise<Outcome<string>> {
  const lines = lineReader(world.openStdin(), world.openStdout())
  lines.onInterrupt(() => lines.close())
  try {
    return keyOfLine(world.t, await lines.ask(prompt, { secret: true }))
  } finally {
    lines.close()
  }
}

async function pipedKey(world: World): Promise<Outcome<string>> {
  const line = await readKey(world, systemClock, "gong login")
  return line.ok ? onlyKey(line.value, world.t`what came on stdin`) : line
}
