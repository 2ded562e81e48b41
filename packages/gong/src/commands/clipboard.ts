import { phrase, type Host } from "@gong/spec"
import { spawn } from "node:child_process"
import { createLocalHost } from "@gong/tools/host/local"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "@gong/app/ports"
import type { Cli } from "../cli.ts"

/** Programs that copy their stdin to a clipboard, and the condition for each. */
const programs: readonly { readonly argv: readonly string[]; works(cli: Cli): boolean }[] = [
  { argv: ["pbcopy"], works: ({ platform }) => platform === "darwin" },
  { argv: ["clip.exe"], works: ({ platform, env }) => platform === "win32" || Boolean(env["WSL_DISTRO_NAME"]) },
  { argv: ["wl-copy"], works: ({ env }) => Boolean(env["WAYLAND_DISPLAY"]) },
  { argv: ["xclip", "-selection", "clipboard"], works: ({ env }) => Boolean(env["DISPLAY"]) },
  { argv: ["xsel", "--clipboard", "--input"], works: ({ env }) => Boolean(env["DISPLAY"]) },
]

/** Maximum bytes of a sequence; terminals drop longer ones. */
const maxSequence = 74_994

/**
 * Copies a text to the clipboard: with a program of the system, otherwise through the terminal (OSC 52), which also works over ssh. A
 * dumb terminal would print the sequence, so it gets none. `write`: writes bytes to the terminal.
 */
export async function toClipboard(cli: Cli, text: string, write = cli.styled): Promise<Outcome<string>> {
  const usable = cli.env["SSH_CONNECTION"] === undefined ? programs.filter(({ works }) => works(cli)) : []
  const host = createLocalHost({ cwd: cli.cwd, env: cli.env })
  for (const { argv } of usable) if (await copyWith(host, argv, text)) return ok(cli.t`Copied with ${argv[0]}.`)
  const encoded = Buffer.from(text).toString("base64")
  if (!cli.outIsTerminal || (cli.env["TERM"] ?? "dumb") === "dumb")
    return usage(phrase`no clipboard is available. /export writes the session to a file.`)
  if (encoded.length > maxSequence)
    return usage(phrase`the text is too long for the terminal's clipboard. /export writes the session to a file.`)
  write(`\u001B]52;c;${encoded}\u0007`)
  return ok(cli.t`Copied through the terminal.`)
}

/** Timeout of a program in milliseconds. */
const timeout = 5_000

async function copyWith(host: Host, [name = "", ...args]: readonly string[], text: string): Promise<boolean> {
  const program = await host.which(name, { own: true })
  if (program === null) return false
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] })
    const cancel = systemClock.timer(timeout, () => void child.kill())
    const end = (done: boolean): void => {
      cancel()
      resolve(done)
    }
    child.on("error", () => end(false))
    // xclip serves the text from a background process; its first process exits at once.
    child.on("exit", (status) => end(status === 0))
    child.stdin.on("error", () => undefined)
    child.stdin.end(text)
  })
}
