import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import type { ImageCodec } from "../../src/image/codec.ts"
import { fitImage, formatDimensionNote, type FitOptions } from "../../src/image/fit.ts"
import { imageHeader } from "../../src/image/header.ts"
import { createReadTool, type ReadOptions } from "../../src/index.ts"
import { context, place, messages } from "../workspace.ts"
import { animatedGif, claimedPng, codecs, maker, missing, noise, picture, plain, tiny } from "./pictures.ts"

const { signal } = new AbortController()
const bytesOf = (data: string) => Buffer.from(data, "base64")

async function fitted(bytes: Uint8Array, mimeType: string, options: Partial<FitOptions> = {}) {
  const found = await fitImage(bytes, mimeType, { signal, ...options })
  return found.ok ? { ...found, bytes: bytesOf(found.image.data) } : assert.fail(englishOf(found.problem))
}

async function problem(bytes: Uint8Array, mimeType: string, options: Partial<FitOptions> = {}): Promise<string> {
  const found = await fitImage(bytes, mimeType, { signal, ...options })
  return found.ok ? assert.fail("it was taken") : englishOf(found.problem)
}

/** A codec that only counts calls; sizes follow a rule. */
function counting(size: (form: "png" | number, width: number) => number) {
  const calls: string[] = []
  const codec: ImageCodec = {
    name: "counting",
    maxPixels: 1e6,
    decode: async () => ({ ...plain(100, 50), original: { width: 100, height: 50 } }),
    resize: async (_pixels, width, height) => plain(width, height),
    async toPng({ width }) {
      calls.push(`${width} png`)
      return new Uint8Array(size("png", width))
    },
    async toJpeg({ width }, quality) {
      calls.push(`${width} ${quality}`)
      return new Uint8Array(size(quality, width))
    },
  }
  return { calls, codec: async () => codec }
}

/** More bytes than a limit of 4000, so that it must be converted. */
const heavy = await maker.toPng(noise(40, 40))

test("[READ-S.08] PNG and JPEG are tried, and the smaller one is used", async () => {
  const lean = counting((form) => (form === "png" ? 2000 : 2010))
  assert.equal((await fitted(heavy, "image/png", { ...lean, maxBytes: 4000 })).image.mimeType, "image/png")
  assert.deepEqual(lean.calls, ["100 png", "100 85"])
  const photo = counting((form) => (form === "png" ? 2010 : 2000))
  assert.equal((await fitted(heavy, "image/png", { ...photo, maxBytes: 4000 })).image.mimeType, "image/jpeg")
})

test("[READ-S.09] the JPEG quality decreases until it fits", async () => {
  for (const last of [70, 55, 40]) {
    const { calls, codec } = counting((form) => (form === last ? 3000 : 3001))
    const found = await fitted(heavy, "image/png", { codec, maxBytes: 4000 })
    const all = ["100 png", "100 85", "100 70", "100 55", "100 40"]
    assert.deepEqual(calls, all.slice(0, all.indexOf(`100 ${last}`) + 1))
    assert.equal(found.bytes.length, 3000)
    assert.equal(found.note, "")
  }
})

test("[READ-S.10] then the size decreases, and each size is tried at every quality", async () => {
  for (const [last, note] of [
    [75, "75x38. Multiply coordinates by 1.33"],
    [50, "50x25. Multiply coordinates by 2.00"],
    [35, "35x18. Multiply coordinates by 2.86"],
    [25, "25x13. Multiply coordinates by 4.00"],
  ] as const) {
    const { calls, codec } = counting((_, width) => (width === last ? 3000 : 3001))
    const found = await fitted(heavy, "image/png", { codec, maxBytes: 4000 })
    assert.equal(found.note, `[Image: original 100x50, displayed at ${note} to map to original image.]`)
    const sizes = [100, 75, 50, 35, 25].filter((size) => size >= last)
    const steps = sizes.flatMap((size) => ["png", 85, 70, 55, 40].map((form) => `${size} ${form}`))
    assert.deepEqual(calls, steps.slice(0, steps.indexOf(`${last} 85`) + 1))
  }
  assert.match(
    await problem(heavy, "image/png", { ...counting(() => 3001), maxBytes: 4000 }),
    /cannot be brought under 3\.9KB/,
  )
})

test("[READ-S.07] an image within the limits is unchanged, and no codec is loaded", async () => {
  const codec = () => Promise.reject(new Error("a library was loaded"))
  for (const [type, bytes] of Object.entries(tiny)) {
    const { image, note } = await fitted(bytes, type, { codec })
    assert.deepEqual(image, { type: "image", mimeType: type, data: Buffer.from(bytes).toString("base64") })
    assert.equal(note, "")
  }
  const largest = await maker.toPng(plain(2000, 2000))
  assert.equal((await fitted(largest, "image/png", { codec })).bytes.length, largest.length)
})

test("a small file that claims a huge image is not decoded", async () => {
  for (const { codec } of codecs) {
    if (codec === null) continue
    const watched = { ...codec, decode: () => assert.fail("it was opened") }
    for (const [width, height] of [[50_000, 50_000] as const, [1, 4_000_000_000] as const])
      assert.match(
        await problem(claimedPng(width, height), "image/png", { codec: async () => watched }),
        /too large to open \(\d+x\d+ pixels; at most (150|25) million\)\. Make a smaller copy first\.$/,
      )
  }
})

test("without a codec an image that must be converted is refused with advice", async () => {
  assert.equal(
    await problem(claimedPng(3000, 1500), "image/png", { codec: async () => null }),
    "The image must be made smaller (3000x1500 pixels, image/png, 70B), and no image library is installed. Install sharp with npm, or make a smaller copy first.",
  )
})

test("a damaged image is never sent: a provider would refuse it with every later request", async () => {
  const whole = await maker.toPng(noise(60, 60))
  for (const { codec } of codecs) {
    if (codec === null) continue
    const use = { codec: async () => codec }
    for (const [type, bytes] of Object.entries(tiny)) {
      const cut = await fitImage(bytes.subarray(0, 16), type, { signal, ...use })
      assert.ok(!cut.ok && englishOf(cut.problem).startsWith("The image is damaged"), type)
    }
    assert.match(await problem(whole.subarray(0, 60), "image/png", use), /damaged/, "a head without a body")
  }
  assert.equal(imageHeader(whole, "image/png")?.complete, true)
  assert.equal(imageHeader(whole.subarray(0, 5000), "image/png")?.complete, false)
})

test("an animation is shown by its first frame, with a note", async () => {
  for (const { codec } of codecs) {
    if (codec === null) continue
    const found = await fitted(animatedGif, "image/gif", { codec: async () => codec })
    assert.equal(found.note, "[Animated: this is its first frame.]")
    const { rgba } = await codec.decode(found.bytes, found.image.mimeType, 10)
    assert.ok((rgba[0] ?? 0) > 200 && (rgba[2] ?? 0) < 60, `it is red: ${rgba}`)
  }
})

test("an abort ends the search for a smaller form", async () => {
  const stop = new AbortController()
  const { calls, codec } = counting((_, width) => (width === 75 ? (stop.abort(), 3001) : 3001))
  await assert.rejects(fitImage(heavy, "image/png", { codec, maxBytes: 4000, signal: stop.signal }), /aborted/)
  assert.equal(calls.at(-1), "75 85")
})

test("each codec yields, so that an abort can happen", async () => {
  for (const { codec } of codecs) {
    if (codec === null) continue
    const stop = new AbortController()
    let forms = 0
    const watched: ImageCodec = {
      ...codec,
      toJpeg(pixels, quality) {
        if (forms++ === 0) setImmediate(() => stop.abort())
        return codec.toJpeg(pixels, quality)
      },
    }
    const options = { codec: async () => watched, maxBytes: 10, signal: stop.signal }
    await assert.rejects(fitImage(heavy, "image/png", options), /aborted/, codec.name)
    assert.ok(forms < 20, "not every form was made")
  }
})

test("the size note is omitted if the size did not change", () => {
  assert.equal(formatDimensionNote({ width: 10, height: 5 }, { width: 10, height: 5 }), "")
})

for (const { name, codec } of codecs) {
  const skip = missing(codec)
  const options: ReadOptions = { imageCodec: async () => codec }

  test(`[READ-S.06] [READ-S.11] ${name}: a large image is scaled to 2000 pixels, with a note`, { skip }, async (t) => {
    const here = place(t)
    here.put("wide.png", await maker.toPng(picture(3000, 1500, (x, y) => [x & 255, y & 255, 99, 255])))
    const result = await createReadTool(here.cwd, options).execute("c", { path: "wide.png" }, context())
    const [text, image] = result.content
    assert.ok(text?.type === "text" && image?.type === "image" && result.content.length === 2)
    assert.equal(
      text.text,
      `Read image file [${image.mimeType}]\n[Image: original 3000x1500, displayed at 2000x1000. Multiply coordinates by 1.50 to map to original image.]`,
    )
    const { width, height } = imageHeader(bytesOf(image.data), image.mimeType) ?? {}
    assert.deepEqual([width, height], [2000, 1000])
  })

  test(`[IMAGE-3] ${name}: an image of 2 MB is reduced below a limit of 1,000,000 bytes`, { skip }, async (t) => {
    const here = place(t)
    const bytes = await maker.toPng(noise(900, 800))
    assert.ok(bytes.length > 2_000_000)
    here.put("noise.png", bytes)
    const tool = createReadTool(here.cwd, { ...options, imageMaxBytes: 1_000_000 })
    const result = await tool.execute("c", { path: "noise.png" }, context())
    const image = result.content.find((block) => block.type === "image")
    assert.ok(image && image.data.length <= 1_000_000, messages(result))
    assert.ok(imageHeader(bytesOf(image.data), image.mimeType)?.complete)
  })
}
