import type { Host } from "@gong/spec"
import { createLocalHost } from "@gong/tools/host/local"
import type { ClientImage } from "@gong/app/controller/prompt-input"
import type { Cli } from "../cli.ts"

/** Formats that models read, the best first. */
const formats = ["image/png", "image/jpeg", "image/webp", "image/gif"]
/** What Windows offers where Linux runs in it (WSLg). */
const BMP = "image/bmp"

/** Lists the formats of the clipboard, and reads one. */
interface Reader {
  readonly program: string
  readonly list: readonly string[]
  read(mimeType: string): readonly string[]
}

const wayland: Reader = {
  program: "wl-paste",
  list: ["--list-types"],
  read: (mimeType) => ["--type", mimeType, "--no-newline"],
}
const x11: Reader = {
  program: "xclip",
  list: ["-selection", "clipboard", "-t", "TARGETS", "-o"],
  read: (mimeType) => ["-selection", "clipboard", "-t", mimeType, "-o"],
}

const TIMEOUT_MS = 5_000
const IMAGE_MAX_BYTES = 20_000_000

/** The image of the clipboard of this machine; null: there is none, or no program to read it. */
export async function clipboardImage(cli: Cli): Promise<ClientImage | null> {
  const host = createLocalHost({ cwd: cli.cwd, env: cli.env })
  if (cli.platform === "darwin") return macImage(cli, host)
  const readers = [...(cli.env["WAYLAND_DISPLAY"] ? [wayland] : []), ...(cli.env["DISPLAY"] ? [x11] : [])]
  for (const { program, list, read } of readers) {
    const listed = await output(cli, host, program, list)
    const offered = listed === null ? [] : new TextDecoder().decode(listed).split(/\s+/)
    const mimeType = [...formats, BMP].find((format) => offered.includes(format))
    const bytes = mimeType === undefined ? null : await output(cli, host, program, read(mimeType))
    if (mimeType === BMP && bytes !== null) return bmpImage(Buffer.from(bytes))
    if (mimeType !== undefined && bytes !== null && bytes.length > 0)
      return { mimeType, data: Buffer.from(bytes).toString("base64") }
  }
  return null
}

async function bmpImage(bytes: Buffer): Promise<ClientImage | null> {
  const { pngOfBmp } = await import("./bmp.ts")
  const png = pngOfBmp(bytes)
  return png && { mimeType: "image/png", data: png.toString("base64") }
}

/** AppleScript prints the data in hexadecimal: `«data PNGf89504E47...»`. */
async function macImage(cli: Cli, host: Host): Promise<ClientImage | null> {
  const printed = await output(cli, host, "osascript", ["-e", "get the clipboard as «class PNGf»"])
  const hex = printed && /data PNGf([0-9A-F]+)/.exec(new TextDecoder().decode(printed))?.[1]
  return hex ? { mimeType: "image/png", data: Buffer.from(hex, "hex").toString("base64") } : null
}

/** What a program prints; null: it is missing, fails, or prints too much. */
async function output(cli: Cli, host: Host, name: string, args: readonly string[]): Promise<Uint8Array | null> {
  const program = await host.which(name, { own: true })
  if (program === null) return null
  const stop = new AbortController()
  const cancel = cli.clock.timer(TIMEOUT_MS, () => stop.abort())
  const parts: Buffer[] = []
  let size = 0
  try {
    const { code } = await host.exec([program, ...args], {
      cwd: cli.cwd,
      signal: stop.signal,
      own: true,
      onData(bytes, stream) {
        if (stream === "stderr") return
        size += bytes.length
        if (size > IMAGE_MAX_BYTES) stop.abort()
        else parts.push(Buffer.from(bytes))
      },
    })
    // A program that has ended is no longer stopped.
    return code === 0 && size <= IMAGE_MAX_BYTES ? Buffer.concat(parts) : null
  } catch {
    return null
  } finally {
    cancel()
  }
}
