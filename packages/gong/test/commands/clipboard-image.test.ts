import assert from "node:assert/strict"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { inflateSync } from "node:zlib"
import { systemClock } from "@gong/app/ports"
import { imageHeader } from "@gong/tools/image-header"
import { folder } from "@gong/testing/folder"
import { pngOfBmp } from "../../src/commands/bmp.ts"
import { clipboardImage } from "../../src/commands/clipboard-image.ts"
import type { Cli } from "../../src/cli.ts"

const png = Buffer.from("89504e470d0a1a0a0000", "hex")

/** A machine with these programs; each writes its name into `used`. */
function machine(t: TestContext, env: Readonly<Record<string, string>>, programs: Readonly<Record<string, string>>) {
  const root = folder(t)
  // Programs of the project do not count.
  const [bin, cwd] = [join(root, "bin"), join(root, "project")]
  for (const path of [bin, cwd]) mkdirSync(path)
  writeFileSync(join(cwd, "image.png"), png)
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> ${cwd}/used\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(cwd, "used"), "")
  const given = { PATH: `${bin}:/usr/bin:/bin`, ...env }
  return { env: given, cwd, platform: "linux", clock: systemClock } satisfies Partial<Cli> as Partial<Cli> as Cli
}

const lists = (types: string, image: string): string =>
  `case "$*" in *list-types*|*TARGETS*) printf '${types}';; *image/png*) cat ${image};; *) exit 1;; esac`

const image = { mimeType: "image/png", data: png.toString("base64") }

test("[CLIP-1] on Wayland wl-paste reads the image, and nothing else is started", async (t) => {
  const cli = machine(
    t,
    { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" },
    {
      "wl-paste": lists("text/plain\\nimage/png\\n", "image.png"),
      xclip: "exit 1",
    },
  )
  assert.deepEqual(await clipboardImage(cli), image)
  assert.equal(readFileSync(join(cli.cwd, "used"), "utf8"), "wl-paste\nwl-paste\n")
})

test("[CLIP-2] on Wayland without wl-paste, and on X, xclip reads it", async (t) => {
  const xclip = lists("TARGETS\\nimage/png\\n", "image.png")
  for (const env of [{ WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, { DISPLAY: ":0" }])
    assert.deepEqual(await clipboardImage(machine(t, env, { xclip })), image)
})

test("[CLIP-4] no image, no program, no display and a failing program are null", async (t) => {
  const display = { DISPLAY: ":0" }
  assert.equal(await clipboardImage(machine(t, display, { xclip: lists("text/plain\\n", "image.png") })), null)
  assert.equal(await clipboardImage(machine(t, display, { xclip: "exit 1" })), null)
  assert.equal(await clipboardImage(machine(t, {}, { xclip: lists("image/png\\n", "image.png") })), null)
})

/** 3 x 2 pixels, the first one blue, the others red, as ImageMagick writes them: 24 bits, and 32 bits with masks. */
const bitmaps = [
  "Qk1OAAAAAAAAADYAAAAoAAAAAwAAAAIAAAABABgAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAD/AAD/AAD/AAAA/wAAAAD/AAD/AAAA",
  "Qk2iAAAAAAAAAIoAAAB8AAAAAwAAAAIAAAABACAAAwAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAD/AAD/AAD/AAAAAAAA/0JHUnMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAD//wAA//8AAP///wAA/wAA//8AAP//",
]

test("[CLIP-5] a bitmap of Windows becomes a PNG with the same pixels; what is none is null", async (t) => {
  for (const bitmap of bitmaps) {
    const types = `case "$*" in *TARGETS*) echo image/bmp;; *) base64 -d <<END\n${bitmap}\nEND\n;; esac`
    const found = await clipboardImage(machine(t, { DISPLAY: ":0" }, { xclip: types }))
    assert.equal(found?.mimeType, "image/png")
    const bytes = Buffer.from(found?.data ?? "", "base64")
    assert.equal(bytes.toString("hex", 0, 8), "89504e470d0a1a0a")
    const { width, height, complete } = imageHeader(bytes, "image/png") ?? {}
    assert.deepEqual([width, height, complete], [3, 2, true])
    const at = bytes.indexOf("IDAT")
    const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
    assert.equal(rows.toString("hex"), `000000ff${"ff0000".repeat(2)}00${"ff0000".repeat(3)}`)
    for (const damaged of [bitmap.slice(0, 40), bitmap.slice(0, -8), bitmap.replace("Qk", "QQ")])
      assert.equal(pngOfBmp(Buffer.from(damaged, "base64")), null)
  }
})

test("[CLIP-3] without Wayland xclip reads it, once for the formats and once for the image; without a display nothing is started", async (t) => {
  const xclip = lists("TARGETS\\nimage/png\\n", "image.png")
  const onX = machine(t, { DISPLAY: ":0" }, { xclip, "wl-paste": "exit 1" })
  assert.deepEqual(await clipboardImage(onX), image)
  assert.equal(readFileSync(join(onX.cwd, "used"), "utf8"), "xclip\nxclip\n")
  const without = machine(t, {}, { xclip, "wl-paste": "exit 1" })
  assert.equal(await clipboardImage(without), null)
  assert.equal(readFileSync(join(without.cwd, "used"), "utf8"), "")
})
