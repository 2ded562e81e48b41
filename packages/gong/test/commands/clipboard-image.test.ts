import assert from "node:assert/strict"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { systemClock } from "@gong/app/ports"
import { folder } from "@gong/testing/folder"
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
