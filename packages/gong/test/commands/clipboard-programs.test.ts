import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { systemClock } from "@gong/app/ports"
import { folder } from "@gong/testing/folder"
import { english } from "@gong/texts/translator"
import { toClipboard } from "../../src/commands/clipboard.ts"
import { clipboardImage } from "../../src/commands/clipboard-image.ts"
import type { Cli } from "../../src/cli.ts"

interface Machine {
  readonly platform?: NodeJS.Platform
  readonly env?: Readonly<Record<string, string>>
  /** Programs by their names: what each runs. */
  readonly programs: Readonly<Record<string, string>>
}

/** A machine with these programs; each writes its name and arguments into `used`. */
function machine(t: TestContext, { platform = "linux", env = {}, programs }: Machine) {
  const root = folder(t)
  const [bin, cwd] = [join(root, "bin"), join(root, "project")]
  for (const path of [bin, cwd]) mkdirSync(path)
  const used = join(root, "used")
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${used}\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const written: string[] = []
  const cli = {
    env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
    cwd,
    platform,
    clock: systemClock,
    t: english,
    outIsTerminal: false,
    styled: (text: string) => void written.push(text),
  } satisfies Partial<Cli> as Partial<Cli> as Cli
  return {
    cli,
    written,
    copied: join(root, "copied"),
    used: () =>
      existsSync(used)
        ? readFileSync(used, "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => line.trim())
        : [],
  }
}

test("a text is copied by the program of the system or of the display, the first one that works", async (t) => {
  const display = { DISPLAY: ":0" }
  for (const [platform, env, programs, used] of [
    ["darwin", {}, ["pbcopy"], ["pbcopy"]],
    ["win32", {}, ["clip.exe"], ["clip.exe"]],
    ["linux", { WSL_DISTRO_NAME: "Debian" }, ["clip.exe"], ["clip.exe"]],
    ["linux", { WAYLAND_DISPLAY: "w", ...display }, ["wl-copy", "xclip"], ["wl-copy"]],
    ["linux", { WAYLAND_DISPLAY: "w", ...display }, ["xclip"], ["xclip -selection clipboard"]],
    ["linux", display, ["wl-copy", "xclip", "xsel"], ["xclip -selection clipboard"]],
    ["linux", display, ["xsel"], ["xsel --clipboard --input"]],
  ] as const) {
    const place = machine(t, {
      platform,
      env,
      programs: Object.fromEntries(programs.map((name) => [name, 'cat > "$(dirname "$0")/../copied"'])),
    })
    const copied = await toClipboard(place.cli, "a\ntext 工")
    assert.deepEqual(copied, { ok: true, value: `Copied with ${used[0].split(" ")[0]}.` })
    assert.deepEqual([place.used(), readFileSync(place.copied, "utf8")], [used, "a\ntext 工"])
  }
})

test("a program that fails is followed by the next one; none, or one over ssh, leaves the terminal", async (t) => {
  const env = { DISPLAY: ":0", WAYLAND_DISPLAY: "w" }
  const failing = machine(t, { env, programs: { "wl-copy": "exit 1", xclip: "cat > /dev/null" } })
  assert.deepEqual(await toClipboard(failing.cli, "x"), { ok: true, value: "Copied with xclip." })
  assert.deepEqual(failing.used(), ["wl-copy", "xclip -selection clipboard"])
  for (const programs of [
    {},
    { pbcopy: "", "clip.exe": "" },
    { "wl-copy": "exit 1", xclip: "exit 1", xsel: "exit 1" },
  ]) {
    const copied = await toClipboard(machine(t, { env, programs }).cli, "x")
    assert.equal(copied.ok, false)
  }
  const remote = machine(t, { env: { ...env, SSH_CONNECTION: "a", TERM: "xterm" }, programs: { xclip: "" } })
  const copied = await toClipboard({ ...remote.cli, outIsTerminal: true }, "x")
  assert.deepEqual([copied.ok, remote.used(), remote.written], [true, [], ["\u001B]52;c;eA==\u0007"]])
})

test("a program that cannot be started is followed by the next one", async (t) => {
  const { cli, used } = machine(t, { env: { DISPLAY: ":0" }, programs: { xclip: "", xsel: "cat > /dev/null" } })
  const bin = (cli.env["PATH"] ?? "").split(":")[0] ?? ""
  writeFileSync(join(bin, "xclip"), "\0 no program")
  const copied = await toClipboard(cli, "text")
  assert.deepEqual(copied, { ok: true, value: "Copied with xsel." })
  assert.deepEqual(used(), ["xsel --clipboard --input"])
})

test("the terminal takes at most 74,992 characters of a text in base64", async (t) => {
  const { cli, written } = machine(t, { env: { SSH_CONNECTION: "a", TERM: "xterm" }, programs: {} })
  const copy = (length: number) => toClipboard({ ...cli, outIsTerminal: true }, "x".repeat(length))
  assert.equal((await copy(56_244)).ok, true)
  assert.equal((await copy(56_245)).ok, false)
  assert.deepEqual(
    written.map(({ length }) => length),
    [74_992 + 8],
  )
})

const lists = (types: string): string =>
  `case "$*" in *list-types*|*TARGETS*) printf '${types}';; *) echo "$*" | grep -o 'image/[a-z]*' | tr -d '\\n';; esac`
const textOf = (found: Awaited<ReturnType<typeof clipboardImage>>) =>
  found && [found.mimeType, Buffer.from(found.data, "base64").toString()]

test("of several formats of an image the best one is read", async (t) => {
  const read = async (types: string) =>
    textOf(await clipboardImage(machine(t, { env: { DISPLAY: ":0" }, programs: { xclip: lists(types) } }).cli))
  assert.deepEqual(await read("image/gif\\nimage/webp\\nimage/jpeg\\nimage/png\\n"), ["image/png", "image/png"])
  assert.deepEqual(await read("image/gif\\nimage/webp\\nimage/jpeg\\n"), ["image/jpeg", "image/jpeg"])
  assert.deepEqual(await read("image/bmp\\nimage/gif\\nimage/webp\\n"), ["image/webp", "image/webp"])
  assert.deepEqual(await read("image/gif\\n"), ["image/gif", "image/gif"])
  assert.equal(await read("image/bmp\\n"), null, "what is no bitmap is none")
  assert.equal(await read("image/svg\\n"), null)
})

test("an image that is empty, cannot be read or is too large is none", async (t) => {
  const read = async (script: string) =>
    clipboardImage(
      machine(t, {
        env: { DISPLAY: ":0" },
        programs: { xclip: `case "$*" in *TARGETS*) echo image/png;; *) ${script};; esac` },
      }).cli,
    )
  assert.equal(await read("true"), null)
  assert.equal(await read("echo x; exit 1"), null)
  assert.equal(await read("head -c 20000001 /dev/zero"), null)
  assert.equal((await read("head -c 1000 /dev/zero; echo err >&2"))?.data.length, 1_336)
})

test("on macOS the image is what AppleScript prints in hexadecimal", async (t) => {
  const read = async (printed: string) =>
    textOf(
      await clipboardImage(
        machine(t, {
          platform: "darwin",
          env: { DISPLAY: ":0" },
          programs: { osascript: `printf '%s' '${printed}'`, xclip: lists("image/png\\n") },
        }).cli,
      ),
    )
  assert.deepEqual(await read("«data PNGf414243»"), ["image/png", "ABC"])
  assert.equal(await read("«data TIFF414243»"), null)
  assert.equal(await read(""), null)
})
