import { keyFromLine, parseKey, loginWithKey } from "@gong/app/administration/login"
import type { Outcome } from "@gong/config/usage"
import type { Options } from "../command-line/flags.ts"
import { printUsageError } from "../command-line/usage-error.ts"
import { readKey } from "../input.ts"
import { lineReader } from "../terminal/lines.ts"
import type { Cli } from "../cli.ts"

/** `gong login [PROVIDER] [--base-url URL]`: checks and stores a key that is typed or piped. Returns the exit status. */
export async function login(cli: Cli, options: Options, words: readonly string[]): Promise<number> {
  const read = (prompt: string) => (cli.stdin === "terminal" ? typedKey(cli, prompt) : pipedKey(cli))
  const done = await loginWithKey(cli, options, words[0], read)
  if (!done.ok) {
    const exit = printUsageError(cli, done.error)
    return cli.shutdown === "interrupt" ? 130 : exit
  }
  const { stored, text, precedence } = done.value
  if (!stored) {
    cli.err(`gong: ${text}\n`)
    return 1
  }
  cli.out(`${text}\n`)
  if (precedence !== null) cli.err(`${precedence}\n`)
  return 0
}

async function typedKey(cli: Cli, prompt: string): Promise<Outcome<string>> {
  const lines = lineReader(cli.openStdin(), cli.openStdout(), {
    clock: cli.clock,
    marksPastes: cli.env["TERM"] !== "dumb",
  })
  lines.onInterrupt(() => lines.close())
  try {
    return keyFromLine(cli.t, await lines.question(prompt, { secret: true }))
  } finally {
    lines.close()
  }
}

async function pipedKey(cli: Cli): Promise<Outcome<string>> {
  const line = await readKey(cli, cli.clock, "gong login")
  return line.ok ? parseKey(line.value, cli.t`stdin`) : line
}
