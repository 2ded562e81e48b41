import assert from "node:assert/strict"
import { test } from "node:test"
import type { ImageCodec, Pixels } from "../../src/image/codec.ts"
import { codecs, maker, missing, picture, plain, tiny, withOrientation } from "./pictures.ts"

// Cases for every image codec.

const corners = ["red", "green", "blue", "white"] as const
const colours = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255], white: [255, 255, 255] } as const

/** Red and green at the top, blue and white at the bottom. */
function quarters(width: number, height: number): Pixels {
  return picture(width, height, (x, y) => [
    ...colours[corners[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] ?? "white"],
    255,
  ])
}

/** The nearest colour a quarter of the way in from each corner, row by row. */
function cornersOf({ width, height, rgba }: Pixels): readonly string[] {
  const places = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [Math.floor(x * width), Math.floor(y * height)]))
  return places.map(([x = 0, y = 0]) => {
    const seen = rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)
    return corners.find((name) => colours[name].every((part, at) => Math.abs(part - (seen[at] ?? 0)) < 60)) ?? `${seen}`
  })
}

const upright = {
  1: ["red", "green", "blue", "white"],
  2: ["green", "red", "white", "blue"],
  3: ["white", "blue", "green", "red"],
  4: ["blue", "white", "red", "green"],
  5: ["red", "blue", "green", "white"],
  6: ["blue", "red", "white", "green"],
  7: ["white", "green", "blue", "red"],
  8: ["green", "white", "red", "blue"],
}

for (const { name, codec } of codecs) {
  const skip = missing(codec)
  const use = (work: (codec: ImageCodec) => Promise<void>) => async () => {
    assert.ok(codec)
    await work(codec)
  }

  test(
    `${name}: a photo is rotated upright for every orientation`,
    { skip },
    use(async (own) => {
      const jpeg = await maker.toJpeg(quarters(64, 32), 95)
      for (const [orientation, seen] of Object.entries(upright)) {
        const found = await own.decode(withOrientation(jpeg, Number(orientation)), "image/jpeg", 2000)
        assert.deepEqual(cornersOf(found), seen, orientation)
        const size = Number(orientation) >= 5 ? { width: 32, height: 64 } : { width: 64, height: 32 }
        assert.deepEqual({ width: found.width, height: found.height }, size)
        assert.deepEqual({ width: found.original.width, height: found.original.height }, size)
      }
    }),
  )

  test(
    `${name}: an image is scaled down with its aspect ratio, and never enlarged`,
    { skip },
    use(async (own) => {
      const png = await maker.toPng(quarters(300, 150))
      const small = await own.decode(png, "image/png", 200)
      assert.deepEqual([small.width, small.height, small.rgba.length], [200, 100, 200 * 100 * 4])
      assert.deepEqual(cornersOf(small), upright[1])
      assert.deepEqual([small.original.width, small.original.height], [300, 150])
      assert.equal((await own.decode(png, "image/png", 2000)).width, 300)
      const turned = await own.decode(await maker.toPng(plain(1000, 2)), "image/png", 100)
      assert.deepEqual([turned.width, turned.height], [100, 1], "a thin one keeps a pixel")
    }),
  )

  test(
    `${name}: encoded images decode again; in a JPEG transparent pixels are white`,
    { skip },
    use(async (own) => {
      const half = picture(64, 32, (x) => [0, 0, 255, x < 32 ? 0 : 255])
      const png = await own.decode(await own.toPng(half), "image/png", 2000)
      assert.equal(png.rgba[3], 0, "PNG keeps what covers nothing")
      assert.deepEqual(cornersOf(await own.decode(await own.toJpeg(half, 90), "image/jpeg", 2000)), [
        "white",
        "blue",
        "white",
        "blue",
      ])
      const [fine, coarse] = [await own.toJpeg(quarters(64, 32), 90), await own.toJpeg(quarters(64, 32), 20)]
      assert.ok(fine.length > coarse.length)
      assert.deepEqual(cornersOf(await own.resize(quarters(64, 32), 16, 8)), upright[1])
    }),
  )

  test(
    `${name}: every image type is decoded, and garbage is an error`,
    { skip },
    use(async (own) => {
      for (const [type, bytes] of Object.entries(tiny)) assert.equal((await own.decode(bytes, type, 10)).width, 1, type)
      for (const [type, bytes] of Object.entries(tiny))
        await assert.rejects(own.decode(bytes.subarray(0, 14), type, 10), type)
      assert.equal((await own.decode(tiny["image/png"] ?? new Uint8Array(), "image/png", 10)).width, 1)
    }),
  )
}
