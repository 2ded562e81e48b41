import assert from "node:assert/strict"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { deflateSync } from "node:zlib"
import { openStage, type Stage } from "./harness.ts"

// Images on their way to the model, over both wire formats: from the command line, and from the read tool.

const models = { "openai-completions": "openai/gpt-4.1", "anthropic-messages": "anthropic/claude-sonnet-4-5" } as const
const apis = ["openai-completions", "anthropic-messages"] as const

/** A white picture as PNG, made by hand: nothing here knows the libraries that open it. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(body))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, body, crc])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const rows = deflateSync(
    Buffer.alloc((width + 1) * height, 255).map((byte, at) => (at % (width + 1) === 0 ? 0 : byte)),
  )
  const magic = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  return Buffer.concat([magic, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))])
}

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** Every image in the newest request, as base64. */
function sentImages(stage: Stage): readonly string[] {
  const body = JSON.stringify(stage.server.requests.at(-1)?.body)
  const found = body.matchAll(
    /data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)|"media_type":"image\/[a-z]+","data":"([^"]+)"/g,
  )
  return Array.from(found, ([, url, data]) => url ?? data ?? "")
}

const sizeOf = (data: string) => {
  const bytes = Buffer.from(data, "base64")
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

const readShot = { calls: [{ name: "read", args: { path: "shot.png" } }] }

for (const api of apis) {
  const env = { GONG_MODEL: models[api] }

  test(`${api}: images of -i and @FILE are scaled down and sent with a note`, async (t) => {
    const stage = await openStage(t, { api, otherwise: { text: "seen" } })
    writeFileSync(join(stage.repo, "wide.png"), png(3000, 1500))
    writeFileSync(join(stage.repo, "small.png"), png(20, 10))
    const run = await stage.gong(["-p", "look", "@small.png", "-i", "wide.png"], { env })
    assert.equal(run.status, 0, run.err)
    assert.deepEqual(sentImages(stage).map(sizeOf), [
      [20, 10],
      [2000, 1000],
    ])
    const body = JSON.stringify(stage.server.requests[0]?.body)
    assert.match(body, /<file path=\\"wide\.png\\">\\n\[Image: original 3000x1500, displayed at 2000x1000\. /)
  })

  test(`[IMAGE-2] ${api}: a text-only model gets a note instead of each image`, async (t) => {
    const stage = await openStage(t, { api, turns: [readShot, { text: "ok" }] })
    writeFileSync(join(stage.repo, "shot.png"), png(20, 10))
    const run = await stage.gong(["-p", "look", "-i", "shot.png"])
    assert.equal(run.status, 0, run.err)
    assert.match(
      run.err,
      /^gong: no images are sent to mock: it takes text only, or the setting images\.block is on\.$/m,
    )
    assert.deepEqual(sentImages(stage), [])
    const body = JSON.stringify(stage.server.requests[1]?.body)
    assert.equal(body.split("[image left out: no images are sent to mock]").length, 3, "the prompt's and the tool's")
  })

  test(`[IMAGE-1] [IMAGE-4] ${api}: images.block applies to every session until it is unset`, async (t) => {
    const stage = await openStage(t, { api, turns: [readShot, { text: "ok" }, { text: "still" }, { text: "now" }] })
    writeFileSync(join(stage.repo, "shot.png"), png(20, 10))
    mkdirSync(stage.gongHome, { recursive: true })
    writeFileSync(join(stage.gongHome, "settings.json"), `{"images": {"block": true}}`)
    const run = await stage.gong(["-p", "look"], { env })
    assert.equal(run.status, 0, run.err)
    assert.deepEqual(sentImages(stage), [])
    assert.match(
      JSON.stringify(stage.server.requests[1]?.body),
      /Read image file \[image\/png\].*image left out: no images/,
    )
    await stage.gong(["-p", "-c", "and now?"], { env })
    assert.deepEqual(sentImages(stage), [], "another process, the same setting")
    writeFileSync(join(stage.gongHome, "settings.json"), "{}")
    await stage.gong(["-p", "-c", "and now?"], { env })
    assert.deepEqual(sentImages(stage), [readFileSync(join(stage.repo, "shot.png")).toString("base64")])
  })
}

test("images.maxSize applies to images of the prompt and of the read tool", async (t) => {
  const stage = await openStage(t, { turns: [readShot, { text: "ok" }] })
  const shot = png(1900, 1900)
  writeFileSync(join(stage.repo, "shot.png"), shot)
  const limit = Math.floor(shot.length)
  const set = ["--set", `images.maxSize=${limit}`]
  const run = await stage.gong(["-p", "look", "-i", "shot.png", ...set], { env: { GONG_MODEL: "openai/gpt-4.1" } })
  assert.equal(run.status, 0, run.err)
  const sizes = sentImages(stage).map((data) => data.length)
  assert.equal(sizes.length, 2)
  assert.ok(
    sizes.every((size) => size <= limit && size < shot.toString("base64").length),
    `${sizes} of ${limit}`,
  )
})

test("a damaged image on the command line is a usage error, and nothing is sent", async (t) => {
  const stage = await openStage(t)
  writeFileSync(join(stage.repo, "shot.png"), png(3000, 20).subarray(0, 60))
  const run = await stage.gong(["-p", "look", "@shot.png"])
  assert.equal(run.status, 2)
  assert.match(run.err, /^gong: shot\.png: The image is damaged or of a rare kind \(image\/png, 60B\)\./)
  assert.equal(stage.server.requests.length, 0)
})
