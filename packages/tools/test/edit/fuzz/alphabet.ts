/** One character, possibly composed, and its bytes. */
export interface Atom {
  readonly text: string
  readonly bytes: Buffer
}

export interface Alphabet {
  readonly name: string
  /** Possible byte order marks; empty for none. */
  readonly marks: readonly Buffer[]
  /** Non-ASCII characters. */
  readonly letters: readonly Atom[]
  /** Invalid bytes, if the encoding has any. */
  readonly strays: readonly Buffer[]
  /** Null if the encoding lacks a character, as far as this test knows. */
  encode(text: string): Buffer | null
}

const unicode =
  "é|ü|ß|中|文|的|了|日|の|ソ|한|글|e\u0301|o\u0308|\u1112\u1161\u11ab|😀|𠀀|‘|’|“|”|„|–|—|−|\u00A0|\u3000|\u2003".split(
    "|",
  )

/** The eight encodings. The bytes of legacy encodings come from Python's codecs, independent of Gong's. */
export const alphabets: readonly Alphabet[] = [
  wide("utf-8", ["", "efbbbf"], ["ff", "fe", "c0", "80", "ed"], (text) => Buffer.from(text)),
  wide("utf-16le", ["", "fffe"], [], (text) => Buffer.from(text, "utf16le")),
  wide("utf-16be", ["", "feff"], [], (text) => Buffer.from(text, "utf16le").swap16()),
  table(
    "windows-1252",
    "éàüßçñöÄÉ“”‘’–—\u00A0…€©«»°·",
    "e9 e0 fc df e7 f1 f6 c4 c9 93 94 91 92 96 97 a0 85 80 a9 ab bb b0 b7",
  ),
  table(
    "gb18030",
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你数据返回参函类型用户配置“”‘’—–\u3000，。：（）喵龘é䶮𠀀😀\u00A0",
    "b5c4 d2bb cac7 b2bb c1cb d4da c8cb d3d0 ced2 cbfb d5e2 b8f6 c3c7 d6d0 c0b4 c9cf b4f3 ceaa bacd b9fa b5d8 b5bd d2d4 cbb5 cab1 d2aa becd b3f6 bbe1 bfc9 d2b2 c4e3 cafd bedd b7b5 bbd8 b2ce baaf c0e0 d0cd d3c3 bba7 c5e4 d6c3 a1b0 a1b1 a1ae a1af a1aa a843 a1a1 a3ac a1a3 a3ba a3a8 a3a9 dff7 fd93 a8a6 fe9f 95328236 9439fc36 81308432",
    ["ff"],
    // Encodes every character: this one is requested and occurs in no file.
    { ᚠ: "8134af36" },
  ),
  table(
    "big5",
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你資料返回設定錯誤功能許蓋“”‘’—–\u3000，。：（）",
    "aaba a440 ac4f a4a3 a446 a662 a448 a6b3 a7da a54c b36f add3 adcc a4a4 a8d3 a457 a46a acb0 a94d b0ea a661 a8ec a548 bba1 aec9 ad6e b44e a558 b77c a569 a45d a741 b8ea aec6 aaf0 a65e b35d a977 bff9 bb7e a55c afe0 b35c bb5c a1a7 a1a8 a1a5 a1a6 a158 a156 a140 a141 a143 a147 a15d a15e",
    ["fe"],
  ),
  table(
    "shift_jis",
    "のにはをたがでてとしれさあるいもなこファイル設定表示ソ能予申日本語処理“”‘’―‐\u3000、。：（）ﾃｽﾄ",
    "82cc 82c9 82cd 82f0 82bd 82aa 82c5 82c4 82c6 82b5 82ea 82b3 82a0 82e9 82a2 82e0 82c8 82b1 8374 8340 8343 838b 90dd 92e8 955c 8ea6 835c 945c 975c 905c 93fa 967b 8cea 8f88 979d 8167 8168 8165 8166 815c 815d 8140 8141 8142 8146 8169 816a c3 bd c4",
    ["ff"],
  ),
  table(
    "euc-kr",
    "이다는의가을에고하지로서한기도사용자데터를반환함수값“”‘’―\u3000中國、。（）",
    "c0cc b4d9 b4c2 c0c7 b0a1 c0bb bfa1 b0ed c7cf c1f6 b7ce bcad c7d1 b1e2 b5b5 bbe7 bfeb c0da b5a5 c5cd b8a6 b9dd c8af c7d4 bcf6 b0aa a1b0 a1b1 a1ae a1af a1aa a1a1 f1e9 cfd0 a1a2 a1a3 a3a8 a3a9",
    ["ff"],
  ),
]

function wide(
  name: string,
  marks: readonly string[],
  strays: readonly string[],
  encode: (text: string) => Buffer,
): Alphabet {
  const letters = unicode.map((text) => ({ text, bytes: encode(text) }))
  return { name, marks: marks.map(fromHex), letters, strays: strays.map(fromHex), encode }
}

function table(
  name: string,
  characters: string,
  codes: string,
  strays: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Alphabet {
  const hex = codes.split(" ")
  const letters = Array.from(characters, (text, at) => ({ text, bytes: fromHex(hex[at] ?? "") }))
  const known = new Map(letters.map(({ text, bytes }) => [text, bytes]))
  for (const [text, code] of Object.entries(more)) known.set(text, fromHex(code))
  const encode = (text: string) => {
    const parts = Array.from(text, (character) =>
      character < "\x80" ? Buffer.from(character) : (known.get(character) ?? null),
    )
    return parts.every((part) => part !== null) ? Buffer.concat(parts) : null
  }
  return { name, marks: [Buffer.alloc(0)], letters, strays: strays.map(fromHex), encode }
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, "hex")
}
