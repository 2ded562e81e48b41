import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { crc32, deflateSync } from "node:zlib"
import { textOf } from "@gong/spec"
import { eventsOf, ofType, openStage, type Stage } from "../program/harness.ts"

/** A black picture of one bit a pixel: a few kilobytes for as many rows as there are. */
function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, crc])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows), { level: 9 })
  const magic = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  return Buffer.concat([magic, chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
}

/** One frame as large as the form allows, and no data for it. */
function gif(): Buffer {
  const side = [0xff, 0xff, 0xff, 0xff]
  return Buffer.from([
    ...Buffer.from("GIF89a"),
    ...side,
    0x80,
    0,
    0,
    0,
    0,
    0,
    255,
    255,
    255,
    0x2c,
    0,
    0,
    0,
    0,
    ...side,
    0,
    2,
    1,
    0,
    0,
    0x3b,
  ])
}

function jpeg(): Buffer {
  const frame = [0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0]
  return Buffer.from([0xff, 0xd8, ...frame, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9])
}

/** A canvas of 16,384 x 16,384 in the extended form. */
function webp(): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0xff, 0x3f, 0, 0xff, 0x3f, 0])
  const body = Buffer.concat([Buffer.from("WEBPVP8X"), Buffer.from([10, 0, 0, 0]), head])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from("RIFF"), size, body])
}

/** Files of a few kilobytes that decode to gigabytes of pixels, or declare less than they contain. */
const refused: Readonly<Record<string, Buffer>> = {
  "huge.png": png(65_500, 65_500, 2_000),
  "endless.png": png(0x7fffffff, 0x7fffffff, 0),
  "wide.png": png(0x7fffffff, 1, 0),
  "huge.gif": gif(),
  "huge.jpg": jpeg(),
  "huge.webp": webp(),
}
const opened: Readonly<Record<string, Buffer>> = {
  "inside.png": png(12_000, 12_000),
  "lying.png": png(20, 20, 60_000),
}

/** Bytes of memory that a run with a bomb may take at its peak; pixels of the largest would be 17 GB. */
const most = 400 * 1024 * 1024

/** Writes down the peak of its memory when it ends. */
const gauge =
  "process.on('exit', () => require('node:fs').writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS * 1024)))"

async function bombed(t: TestContext) {
  const stage = await openStage(t)
  for (const [name, bytes] of Object.entries({ ...refused, ...opened })) {
    assert.ok(bytes.length < 80_000, `${name} is small`)
    writeFileSync(join(stage.repo, name), bytes)
  }
  const preload = join(stage.root, "gauge.cjs")
  writeFileSync(preload, gauge)
  const env = { NODE_OPTIONS: `--require=${preload}`, PEAK: join(stage.root, "peak"), GONG_MODEL: "openai/gpt-4.1" }
  return { stage, env, peak: () => Number(readFileSync(env.PEAK, "utf8")) }
}

function images(stage: Stage): number {
  return JSON.stringify(stage.server.requests.map(({ body }) => body)).split("data:image/").length - 1
}

test("[SC-13] an image bomb named in a prompt ends with one line, sends nothing and takes no memory", async (t) => {
  const { stage, env, peak } = await bombed(t)
  for (const name of Object.keys(refused)) {
    for (const args of [[`@${name}`], ["-i", name]]) {
      const run = await stage.gong(["-p", "look", ...args], { env })
      assert.deepEqual([run.status, run.out], [2, ""], `${name}: ${run.err}`)
      assert.match(run.err, /^gong: \S+: The image is (too large to open|damaged)[^\n]*\n$/, name)
      assert.ok(peak() < most, `${name}: ${peak()}`)
    }
  }
  assert.equal(stage.server.requests.length, 0)
})

test("[SC-13] an image bomb read by the model is an error of the call, and the run continues", async (t) => {
  const { stage, env, peak } = await bombed(t)
  const names = Object.keys(refused)
  const calls = names.map((path) => ({ name: "read", args: { path } }))
  stage.server.begin([{ calls }, { text: "Right." }])
  const run = await stage.gong(["--output", "events", "look"], { env })
  assert.equal(run.status, 0, run.err)
  const ends = ofType(eventsOf(run), "tool_execution_end")
  assert.equal(ends.length, names.length)
  for (const end of ends) assert.match(textOf(end), /The image is (too large to open|damaged)/)
  assert.equal(images(stage), 0)
  assert.ok(peak() < most, `${peak()}`)
})

test("[SC-13] an image at the limit is decoded in bounded memory, and one with excess data is cut to its declared size", async (t) => {
  const { stage, env, peak } = await bombed(t)
  const calls = Object.keys(opened).map((path) => ({ name: "read", args: { path } }))
  stage.server.begin([{ calls }, { text: "Right." }])
  const run = await stage.gong(["-p", "look", ...Object.keys(opened).map((name) => `@${name}`)], { env })
  assert.equal(run.status, 0, run.err)
  assert.ok(images(stage) >= 4, `${images(stage)}`)
  const sizes = Array.from(
    JSON.stringify(stage.server.requests.at(-1)?.body).matchAll(/;base64,([A-Za-z0-9+/]+)/g),
    ([, data = ""]) => data.length,
  )
  assert.ok(Math.max(...sizes) < 200_000, `${sizes}`)
  assert.ok(peak() < most, `${peak()}`)
})
