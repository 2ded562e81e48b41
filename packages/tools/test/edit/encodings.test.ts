import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { createEditTool, createReadTool } from "../../src/index.ts"
import { context, place, messages } from "../workspace.ts"

/** Reads a file, makes one change, and returns the results and the bytes. */
async function change(t: TestContext, content: Uint8Array, oldText: string, newText: string) {
  const here = place(t)
  here.put("a.txt", content)
  const read = await createReadTool(here.cwd).execute("c", { path: "a.txt" }, context())
  const edits = [{ oldText, newText }]
  const result = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context())
  return { read, result, text: messages(result), bytes: here.bytes("a.txt") }
}

const hex = (text: string) => Buffer.from(text, "hex")

/**
 * Written by another program: CRLF, a comment, and a character whose second byte is a backslash if the encoding has
 * one.
 */
const eastAsian = [
  {
    encoding: "gb18030",
    bytes: "2f2f20b7b5bbd8d3c3bba7b5c4cafdbedd0d0a636f6e737420c3fbb3c6203d20310d0a",
    text: "// 返回用户的数据\r\nconst 名称 = 1\r\n",
    change: ["用户的", "新", "d3c3bba7b5c4", "d0c2"],
  },
  {
    encoding: "big5",
    bytes: "2f2f20aaf0a65ea8cfa5ceaaccaabab8eaaec60d0aa55cafe0203d20310d0a",
    text: "// 返回使用者的資料\r\n功能 = 1\r\n",
    change: ["功能 =", "新 =", "a55cafe0203d", "b773203d"],
  },
  {
    encoding: "shift_jis",
    bytes: "2f2f2090dd92e8837483408343838b82f0955c8ea682b782e90d0a835c203d20310d0a",
    text: "// 設定ファイルを表示する\r\nソ = 1\r\n",
    change: ["表示", "新", "955c8ea6", "9056"],
  },
  {
    encoding: "euc-kr",
    bytes: "2f2f20bbe7bfebc0da20b5a5c0ccc5cdb8a620b9ddc8af0d0ac0ccb8a7203d20310d0a",
    text: "// 사용자 데이터를 반환\r\n이름 = 1\r\n",
    change: ["이름", "새", "c0ccb8a7", "bbf5"],
  },
] as const

for (const {
  encoding,
  bytes,
  text,
  change: [from, to, fromBytes, toBytes],
} of eastAsian) {
  test(`${encoding}: read decodes it and names it, edit changes only the affected bytes`, async (t) => {
    const { read, result, bytes: after } = await change(t, hex(bytes), from, to)
    assert.equal(messages(read), `${text.replace(/\n$/, "")}\n\n[encoding: ${encoding}]`)
    assert.equal(read.details?.encoding, encoding)
    assert.equal(result.details?.encoding, encoding)
    assert.equal(after.toString("hex"), bytes.replace(fromBytes, toBytes))
    // Rows show text, not bytes.
    assert.ok(result.details?.diff.includes(to))
  })

  test(`${encoding}: ASCII does not match the second byte of a character`, async (t) => {
    // Every ASCII letter that occurs in the bytes but not in the text.
    for (const letter of "\\@A^C|~K") {
      if (text.includes(letter) || !hex(bytes).includes(letter)) continue
      assert.match((await change(t, hex(bytes), letter, "x")).text, /^Could not find/)
    }
  })

  test(`${encoding}: a character outside the encoding is refused with the reason`, async (t) => {
    const lacking = encoding === "gb18030" ? "\uD83D" : "ᠠ"
    const { text: refusal, bytes: after } = await change(t, hex(bytes), "= 1", `= ${lacking}`)
    assert.match(
      refusal,
      encoding === "gb18030" ? /half of a surrogate pair/ : /"ᠠ" \(U\+1820\) of newText does not exist in/,
    )
    assert.equal(after.toString("hex"), bytes)
  })

  test(`${encoding}: invalid bytes elsewhere are kept`, async (t) => {
    const broken = Buffer.concat([hex(bytes), hex("ff0a"), hex(bytes)])
    const { bytes: after, read } = await change(t, Buffer.concat([broken, Buffer.from("end")]), "end", to)
    assert.equal(read.details?.encoding, encoding)
    assert.equal(after.toString("hex"), broken.toString("hex") + toBytes)
  })
}

test("gb18030 encodes every character, with four bytes if needed", async (t) => {
  const { bytes } = await change(t, hex(eastAsian[0].bytes), "= 1", "= 😀ᠠ€　")
  assert.equal(bytes.toString("hex"), eastAsian[0].bytes.replace("3d2031", "3d209439fc368134d630a2e3a1a1"))
})

test("a character with two codes is refused as ambiguous", async (t) => {
  const { text, bytes } = await change(t, hex(eastAsian[2].bytes), "= 1", "= ≒")
  assert.match(text, /"≒" \(U\+2252\) of newText has two codes in shift_jis/)
  assert.equal(bytes.toString("hex"), eastAsian[2].bytes)
})

test("windows-1252 is decoded, matched and written", async (t) => {
  const { read, bytes } = await change(t, Buffer.from("d\xe9j\xe0 vu \x93x\x94\n", "latin1"), "déjà", "€ né")
  assert.equal(messages(read), "déjà vu “x”\n\n[encoding: windows-1252]")
  assert.deepEqual(bytes, Buffer.from("\x80 n\xe9 vu \x93x\x94\n", "latin1"))
  const refused = await change(t, Buffer.from("d\xe9j\xe0 vu", "latin1"), "vu", "中")
  assert.match(refused.text, /"中" \(U\+4E2D\) of newText does not exist in windows-1252/)
})

for (const [encoding, mark] of [
  ["utf-16le", "\uFEFF"],
  ["utf-16le", ""],
  ["utf-16be", "\uFEFF"],
  ["utf-16be", ""],
] as const) {
  test(`${encoding} ${mark === "" ? "without" : "with"} a byte order mark is text`, async (t) => {
    const bytesOf = (text: string) => {
      const little = Buffer.from(mark + text, "utf16le")
      return encoding === "utf-16le" ? little : little.swap16()
    }
    // U+0A0D and U+0D0A contain the bytes of newlines but are none.
    const { read, result, bytes } = await change(t, bytesOf("one ਍\r\ntwo ഊ é\r\n"), "two ഊ", "2\n😀")
    assert.equal(messages(read), `one ਍\r\ntwo ഊ é\r\n\n[encoding: ${encoding}]`)
    assert.equal(read.details?.seen?.sha256?.length, 64)
    assert.deepEqual(bytes, bytesOf("one ਍\r\n2\r\n😀 é\r\n"))
    assert.equal(result.details?.firstChangedLine, 2)
  })
}

test("a file read as UTF-16 still counts as the file that was read", async (t) => {
  const here = place(t)
  here.put("a.txt", Buffer.from("\uFEFFone\n", "utf16le"))
  const { details } = await createReadTool(here.cwd).execute("c", { path: "a.txt" }, context())
  const seen = { files: new Map(details?.seen ? [[details.seen.path, details.seen]] : []), commands: [] }
  const edits = [{ oldText: "one", newText: "two" }]
  const result = await createEditTool(here.cwd).execute("c", { path: "a.txt", edits }, context({ seen }))
  assert.equal(result.isError, false, messages(result))
})

test("UTF-8 with a few invalid bytes stays UTF-8 and keeps them", async (t) => {
  const broken = Buffer.concat([Buffer.from("中文 é a\n"), hex("ff80c3280a"), Buffer.from("z")])
  const { bytes, result } = await change(t, broken, "é a", "ü 中")
  assert.equal(result.details?.encoding, "utf-8")
  assert.deepEqual(bytes, Buffer.concat([Buffer.from("中文 ü 中\n"), hex("ff80c3280a"), Buffer.from("z")]))
  // A shared lead byte is not rewritten: é and ê start with the same byte.
  assert.deepEqual((await change(t, Buffer.from("x é y"), "é", "ê")).bytes, Buffer.from("x ê y"))
  assert.deepEqual((await change(t, Buffer.from("x 😀 y"), "😀", "😁")).bytes, Buffer.from("x 😁 y"))
})

test("in an unknown encoding only ASCII can be changed or written", async (t) => {
  const cyrillic = Buffer.concat([hex("eff0e8e2e5f220ece8f0"), Buffer.from("\nname = a\n")])
  const fine = await change(t, cyrillic, "name = a", "name = b")
  assert.equal(fine.read.details?.encoding, "unknown")
  assert.deepEqual(fine.bytes, Buffer.concat([hex("eff0e8e2e5f220ece8f0"), Buffer.from("\nname = b\n")]))
  assert.match((await change(t, cyrillic, "name", "имя")).text, /is not UTF-8 and its encoding is not known, so "и"/)
  // After such a byte even ASCII may belong to a character.
  assert.match(
    (await change(t, Buffer.concat([cyrillic, hex("f078")]), "x", "y")).text,
    /begins or ends inside a character/,
  )
})

test("a binary file is refused, also with a UTF-16 mark or zeros like UTF-16", async (t) => {
  for (const bytes of ["fffe0000740065007800740001000200", "000001000200740065007800", "7400650078000000"]) {
    const { text, bytes: after } = await change(t, hex(bytes), "text", "x")
    assert.match(text, /^Binary file/)
    assert.equal(after.toString("hex"), bytes)
  }
})

test("a later page is decoded with the encoding of the file", async (t) => {
  const here = place(t)
  // The bytes of 一 alone are also valid UTF-8.
  here.put("a.txt", Buffer.concat([hex(eastAsian[0].bytes), hex("d2bb0a")]))
  const result = await createReadTool(here.cwd).execute("c", { path: "a.txt", offset: 3 }, context())
  assert.equal(messages(result), "一\n\n[encoding: gb18030]")
})
