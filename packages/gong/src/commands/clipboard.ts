import { phrase, type Host } from "@gong/spec"
import { spawn } from "node:child_process"
import { createLocalHost } from "@gong/tools/host/local"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { systemClock } from "@gong/app/ports"
import type { World } from "../world.ts"

/** Programs that take a clipboard's text on stdin, and when they can reach one. */
const programs: readonly { readonly argv: readonly string[]; works(world: World): boolean }[] = [
  { argv: ["pbcopy"], works: ({ platform }) => platform === "darwin" },
  { argv: ["clip.exe"], works: ({ platform, env }) => platform === "win32" || Boolean(env["WSL_DISTRO_NAME"]) },
  { argv: ["wl-copy"], works: ({ env }) => Boolean(env["WAYLAND_DISPLAY"]) },
  { argv: ["xclip", "-selection", "clipboard"], works: ({ env }) => Boolean(env["DISPLAY"]) },
  { argv: ["xsel", "--clipboard", "--input"], works: ({ env }) => Boolean(env["DISPLAY"]) },
]

/** Bytes that terminals take in one sequence; they drop longer ones. */
const maxSequence = 74_994

/**
 * Puts a text on the clipboard: by the system's own program where one can reach it, otherwise by asking the terminal (OSC
 * 52), which also works over ssh. A dumb terminal would print the sequence, so it gets none.
 */
export async function toClipboard(world: World, text: string): Promise<Outcome<string>> {
  const here = world.env["SSH_CONNECTION"] === undefined ? programs.filter(({ works }) => works(world)) : []
  const host = createLocalHost({ cwd: world.cwd, env: world.env })
  for (const { argv } of here) if (await given(host, argv, text)) return ok(world.t`Copied, by ${argv[0]}.`)
  const packed = Buffer.from(text).toString("base64")
  if (!world.outIsTerminal || (world.env["TERM"] ?? "dumb") === "dumb")
    return usage(phrase`no clipboard can be reached from here. /export writes the session to a file.`)
  if (packed.length > maxSequence)
    return usage(phrase`this is too long for the terminal's clipboard. /export writes it to a file.`)
  world.styled(`\u001B]52;c;${packed}\u0007`)
  return ok(world.t`Given to the terminal for its clipboard.`)
}

/** Milliseconds that such a program may take. */
const patience = 5_000

async function given(host: Host, [name = "", ...args]: readonly string[], text: string): Promise<boolean> {
  const program = await host.which(name, { own: true })
  if (program === null) return false
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] })
    const cancel = systemClock.timer(patience, () => void child.kill())
    const end = (done: boolean): void => {
      cancel()
      resolve(done)
    }
    child.on("error", () => end(false))
    // xclip stays behind to serve what it was given; its first process ends at once.
    child.on("exit", (status) => end(status === 0))
    child.stdin.on("error", () => undefined)
    child.stdin.end(text)
  })
}
