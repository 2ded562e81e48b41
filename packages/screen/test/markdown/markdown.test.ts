import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type Block, textOf } from "@gong/screen/row"
import { markdownStream } from "@gong/screen/markdown"
import { commonMarkExamples, plainText } from "@gong/testing/markdown-examples"

const options = { columns: 60, highlighter: () => null }

/** The lines of a document that arrives in these pieces. */
function linesOf(pieces: readonly string[], columns = 60): readonly Block[] {
  const stream = markdownStream({ ...options, columns })
  const final = pieces.flatMap((piece) => {
    const blocks = stream.feed(piece)
    stream.open()
    return blocks
  })
  return [...final, ...stream.end()]
}

function shown(text: string, columns = 60): string {
  return linesOf([text], columns)
    .map(({ line, indent = [] }) => textOf(indent) + textOf(line))
    .join("\n")
}

const fragments = fc.oneof(
  fc.constantFrom(
    ..."# h\n|para |- a\n|  - b\n|1. x\n|2. y\n|\n|\n\n|```ts\n|```\n|~~~\n|> q\n|> - l\n|    code\n|**|*|_|`|===\n|---\n|<b>|\\|  \n|~~|* s\n|10) n\n|\t|    |>".split(
      "|",
    ),
    "| a | b |\n",
    "|---|---|\n",
    "| 1 | 2 |\n",
    " | ",
    "[l](http://a.b)",
    "[r]",
    "[r]: http://x\n",
    "http://foo.bar/x ",
    "中文，字",
    "![i](p.png)",
    "| x | y |\n".repeat(25),
    "- item of a long list\n".repeat(30),
    "```\ncode\n\ncode\n```\n",
    "一二三四五六七八九十".repeat(20),
  ),
  fc.lorem({ maxCount: 60 }).map((words) => `${words} `),
  fc
    .lorem({ maxCount: 60 })
    .map((words) => words.replaceAll(/\b(\w+)\b/g, (word, _, at: number) => ["**b** `c`", word][at % 2] ?? word)),
)

test("a document shows the same lines in whatever pieces it arrives", () => {
  const documents = fc.array(fragments, { maxLength: 40, size: "max" }).map((parts) => parts.join(""))
  const property = fc.property(documents, fc.array(fc.nat(30), { maxLength: 200 }), (text, cuts) => {
    let at = 0
    const pieces = cuts.map((length) => text.slice(at, (at += length)))
    assert.deepEqual(linesOf([...pieces, text.slice(at)]), linesOf([text]))
  })
  fc.assert(property, { numRuns: 300, seed: 20 })
})

test("the examples of CommonMark show the text of their reference", () => {
  const others = commonMarkExamples().filter(({ markdown, text }) => {
    const lines = linesOf([markdown], 1_000).map(({ line }) =>
      textOf(line.filter(({ role, text: part }) => !(role === "muted" && part.startsWith(" (")) && role !== "quote")),
    )
    return plainText(lines.join("\n")) !== text
  })
  // The first line is shown before the definition behind it is known.
  assert.deepEqual(
    others.map(({ number }) => number),
    [556, 587],
  )
})

test("blocks have their marks, nested ones are indented", () => {
  const text = [
    "# Head **b**\n\nSome *text* with `code`\nin two lines.\n",
    "1. one\n2. two\n   - nested\n\n     further\n\n3. three\n   ```ts\n   a()\n   ```",
    "> quote\n> - list in it\n\n---\n\n- [x] done\n",
  ].join("\n")
  assert.equal(
    shown(text),
    "Head b\n\nSome text with code\nin two lines.\n\n1. one\n2. two\n   - nested\n\n     further\n\n3. three\n   a()\n" +
      "| quote\n| - list in it\n\n---\n\n- [x] done",
  )
})

test("a table has columns, its cells are broken at words, and on a narrow screen it is a list", () => {
  const text = "| name | what it does |\n|---|--:|\n| a | one two three |\n| 中文 | `x` |\n"
  assert.equal(
    shown(text),
    "name |  what it does\n-----+--------------\na    | one two three\n中文 |             x".replaceAll(
      "--------------",
      "--------------",
    ),
  )
  assert.equal(
    shown(text, 16),
    "name |   what it\n     |      does\n-----+----------\na    |   one two\n     |     three\n中文 |         x",
  )
  assert.equal(shown(text, 9), "- name: a\n  what it does: one two three\n- name: 中文\n  what it does: x")
})

test("the target of a link is shown unless the text is the target", () => {
  assert.equal(shown("[here](https://evil.example/x)"), "here (https://evil.example/x)")
  assert.equal(shown("[https://bank.example](https://evil.example)"), "https://bank.example (https://evil.example)")
  assert.equal(shown("<https://a.example/b> and https://c.example"), "https://a.example/b and https://c.example")
  const [block] = linesOf(["[here](https://a.example) [file](src/a.ts)"])
  assert.deepEqual(
    block?.line.map(({ text, link }) => [text, link]),
    [
      ["here", "https://a.example"],
      [" (https://a.example)", undefined],
      [" ", undefined],
      ["file", undefined],
      [" (src/a.ts)", undefined],
    ],
  )
})

test("rows of a long paragraph become final before it ends, and markup in it stays whole", () => {
  const stream = markdownStream(options)
  const text = "words and **bold words** here ".repeat(40)
  const final = stream.feed(text)
  assert.ok(final.length > 10, String(final.length))
  const rows = [...final, ...stream.end()].flatMap(({ line }) => line)
  assert.equal(rows.filter(({ role }) => role === "strong").length >= 40, true)
  assert.equal(
    rows.some(({ text: part }) => part.includes("*")),
    false,
  )
})

test("lines of an unfinished code block are final when they are complete", () => {
  const stream = markdownStream(options)
  assert.deepEqual(stream.feed("```sh\nls -l\n  pwd\nech"), [
    { line: [{ text: "ls -l" }], whole: true },
    { line: [{ text: "  pwd" }], whole: true },
  ])
  assert.deepEqual(stream.open(), [{ line: [{ text: "ech" }], whole: true }])
  assert.deepEqual(stream.end(), [{ line: [{ text: "ech" }], whole: true }])
})

test("items are counted, whatever numbers are written, also while they arrive", () => {
  const text = "7. a\n7. b\n7. c\n\nend\n\n1) x\n1) y\n"
  assert.equal(shown(text), "7. a\n8. b\n9. c\n\nend\n\n1) x\n2) y")
})

test("the columns of a table fit the widest of its first rows", () => {
  const rows = Array.from({ length: 6 }, (_, at) => `| ${"x".repeat(at === 4 ? 12 : 2)} | ${at} |`)
  const lines = shown(`| a | b |\n|---|---|\n${rows.join("\n")}\n`).split("\n")
  assert.equal(lines[2], "xx           | 0")
  assert.equal(lines[6], "xxxxxxxxxxxx | 4")
})

test("colours go on from line to line, also behind a long item", () => {
  const seen: string[] = []
  const highlighter = () => {
    let count = 0
    return (line: string) => {
      seen.push(`${count++} ${line}`)
      return [{ text: line }]
    }
  }
  const stream = markdownStream({ columns: 60, highlighter })
  const code = Array.from({ length: 60 }, (_, at) => `line ${at}`)
  const text = `- ${"word ".repeat(200)}\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`
  const blocks = [...text].flatMap((character) => stream.feed(character))
  blocks.push(...stream.end())
  assert.deepEqual(
    blocks.slice(-60).map(({ line }) => textOf(line)),
    code,
  )
  assert.ok(seen.includes("59 line 59"), seen.slice(-3).join("; "))
})

/** The spans of the first line. */
const spansOf = (text: string) => linesOf([text])[0]?.line

test("blank lines at the beginning are left out, several are one, and quoted ones have their bar", () => {
  assert.equal(shown("\n\na\n\n\n\nb\n\n"), "a\n\nb")
  assert.equal(shown("> a\n>\n> b\n\nc"), "| a\n|\n| b\n\nc")
  assert.equal(shown("- a\n\n  b\n- c"), "- a\n\n  b\n- c")
  assert.equal(shown(""), "")
})

test("emphasis, code and strikes have their roles, also inside each other, and a heading has its own", () => {
  assert.deepEqual(spansOf("a **b *c* d** ~~e~~ `f`"), [
    { text: "a " },
    { text: "b ", role: "strong" },
    { text: "c", role: "strong emphasis" },
    { text: " d", role: "strong" },
    { text: " " },
    { text: "e", role: "struck" },
    { text: " " },
    { text: "f", role: "code" },
  ])
  assert.deepEqual(spansOf("## a *b*"), [
    { text: "a ", role: "heading" },
    { text: "b", role: "heading emphasis" },
  ])
  assert.deepEqual(spansOf("**[a](http://b.c)** d"), [
    { text: "a", role: "strong link", link: "http://b.c" },
    { text: " (http://b.c)", role: "muted" },
    { text: " d" },
  ])
})

test("images and links show their targets unless these are known, and only web addresses are links", () => {
  assert.equal(shown("![a *b*](p.png)"), "[a b] (p.png)")
  assert.equal(shown("![](p.png)"), "[image] (p.png)")
  assert.equal(shown("![a]()"), "[a]")
  assert.equal(shown("[a](#part)"), "a")
  assert.equal(shown("[a@b.c](mailto:a@b.c)"), "a@b.c")
  assert.equal(shown("[a](http://b.c/%E5%B7%A5)"), "a (http://b.c/工)")
  assert.equal(shown("[a](http://b.c/%FF)"), "a (http://b.c/%FF)")
  assert.equal(shown("[a *b*](a%20b)"), "a b")
  const links = (text: string) => spansOf(text)?.map(({ link }) => link)
  assert.deepEqual(links("[a](HTTPS://b.c)"), ["HTTPS://b.c", undefined])
  assert.deepEqual(links("[a](ftp://b.c)"), [undefined, undefined])
  assert.deepEqual(links("[a](x-http://b.c)"), [undefined, undefined])
})

test("line breaks of the text stay", () => {
  assert.equal(shown("a\nb  \nc\\\nd"), "a\nb\nc\nd")
  assert.equal(shown("# a\nb"), "a\nb")
})

test("items: bullets, numbers with their marks, empty ones, and lists in lists", () => {
  assert.equal(shown("* a\n+ b"), "- a\n- b")
  assert.equal(shown("-\n- b"), "- \n- b")
  assert.equal(shown("0. a\n5. b"), "0. a\n1. b")
  assert.equal(shown("9. a\n9. b\n\n   c"), "9. a\n10. b\n\n    c")
  assert.equal(shown("1. a\n   1. b\n   2. c\n2. d"), "1. a\n   1. b\n   2. c\n2. d")
  assert.equal(shown("- > a\n  > b"), "- | a\n  | b")
  const [block] = linesOf(["- a"])
  assert.deepEqual(block?.indent, [{ text: "- ", role: "muted" }])
})

test("code keeps its lines, its language is the first word, and its own indentation is taken off", () => {
  const asked: string[] = []
  const languages = (text: string) => {
    const stream = markdownStream({ columns: 60, highlighter: (language) => (asked.push(language), null) })
    const blocks = [...stream.feed(text), ...stream.end()]
    return [asked.splice(0).at(-1), ...blocks.map(({ line, whole }) => `${whole} ${textOf(line)}`)]
  }
  assert.deepEqual(languages("```TS title\na\n\n  b\n```"), ["ts", "true a", "true ", "true   b"])
  assert.deepEqual(languages("```js{1}\n```"), ["js"])
  assert.deepEqual(languages("``` py,x\na\n```"), ["py", "true a"])
  assert.deepEqual(languages("~~~\na\n~~~"), ["", "true a"])
  assert.deepEqual(languages("    a\n      b"), ["", "true a", "true   b"])
  assert.deepEqual(languages("  ```\n  a\n   b\n  ```"), ["", "true a", "true  b"])
  assert.deepEqual(languages("````\n```\n````"), ["", "true ```"])
})

test("cells are aligned, broken at words, and the widest columns give way", () => {
  assert.equal(
    shown("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n| long | long | long |"),
    "a    |  b   |    c\n-----+------+-----\n1    |  2   |    3\nlong | long | long",
  )
  assert.equal(shown("| a |\n|---|"), "a\n-")
  assert.equal(shown("| a | b |\n|---|---|\n| | x |"), "a | b\n--+--\n  | x")
  assert.equal(shown("| **a** | b |\n|---|---|\n| c |"), "a | b\n--+--\nc | ")
  const wide = "| name | text |\n|---|---|\n| a | one two three four |\n"
  assert.equal(shown(wide, 20), "name | text\n-----+--------------\na    | one two three\n     | four")
  assert.equal(shown(wide, 11), "name | text\n-----+-----\na    | one\n     | two\n     | thre\n     | e\n     | four")
  assert.equal(shown(wide, 10), "- name: a\n  text: one two three four")
  const quoted = "> | a | b |\n> |---|---|\n> | 1 | one two |"
  assert.equal(shown(quoted, 13), "| a | b\n| --+--------\n| 1 | one two")
  assert.equal(shown(quoted, 12), "| a: 1\n| b: one two")
  const [head, rule, row] = linesOf([wide])
  assert.deepEqual([head?.line[0], rule?.line[0]?.role, row?.whole], [{ text: "name", role: "strong" }, "muted", true])
})

test("a table of more than twenty rows goes on row by row, and another line ends it", () => {
  const stream = markdownStream(options)
  const rows = (count: number) => "| x | y |\n".repeat(count)
  assert.deepEqual(stream.feed(`| a | b |\n|---|---|\n${rows(19)}`).length, 0)
  const first = stream.feed(rows(1))
  assert.equal(first.length, 22)
  assert.deepEqual(stream.feed("| 1 | 2").length, 0)
  assert.deepEqual(
    stream.feed(" |\n").map(({ line }) => textOf(line)),
    ["1 | 2"],
  )
  const ended = markdownStream(options)
  ended.feed(`| a | b |\n|---|---|\n${rows(20)}`)
  assert.deepEqual(ended.end(), [], "all of it was shown")
  ended.feed(`| a | b |\n|---|---|\n${rows(20)}`)
  ended.feed("| 1 | 2 |")
  assert.deepEqual(
    ended.end().map(({ line }) => textOf(line)),
    ["1 | 2"],
  )
  const rest = [...stream.feed("\ntext\n"), ...stream.end()]
  assert.deepEqual(
    rest.map(({ line }) => textOf(line)),
    ["", "text"],
  )
})
