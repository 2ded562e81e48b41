import type { Task } from "../task.ts"

/** Tasks about text and its formats. */
export const text: readonly Task[] = [
  {
    id: "csv-quotes",
    prompt:
      'csv.js splits the line `1,"a, b",2` into four fields: make quoted fields work, with "" for a quote inside.',
    files: {
      "csv.js": 'export function parseLine(line) {\n  return line.split(",")\n}\n',
      "example.csv": '1,"a, b",2\n',
    },
    check: `const { parseLine } = await load("csv.js")
assert.deepEqual(parseLine('1,"a, b",2'), ["1", "a, b", "2"])
assert.deepEqual(parseLine('"say ""hi""",,x'), ['say "hi"', "", "x"])
assert.deepEqual(parseLine("a,b"), ["a", "b"])`,
    repair: {
      "csv.js":
        'export function parseLine(line) {\n  const fields = []\n  let field = ""\n  let quoted = false\n  for (let i = 0; i < line.length; i++) {\n    const char = line[i]\n    if (quoted && char === \'"\' && line[i + 1] === \'"\') field += line[++i]\n    else if (char === \'"\') quoted = !quoted\n    else if (char === "," && !quoted) {\n      fields.push(field)\n      field = ""\n    } else field += char\n  }\n  return [...fields, field]\n}\n',
    },
  },
  {
    id: "replace-all",
    prompt:
      "slug.js replaces only the first blank of a title: repair it so that every run of blanks becomes one hyphen.",
    files: { "slug.js": 'export function slug(title) {\n  return title.trim().toLowerCase().replace(" ", "-")\n}\n' },
    check: `const { slug } = await load("slug.js")
assert.equal(slug(" The  Old Man "), "the-old-man")
assert.equal(slug("one"), "one")`,
    repair: {
      "slug.js": 'export function slug(title) {\n  return title.trim().toLowerCase().replaceAll(/ +/g, "-")\n}\n',
    },
  },
  {
    id: "whole-characters",
    prompt: "truncate.js cuts emoji in half: make it count and cut by user-perceived characters.",
    files: {
      "truncate.js":
        'export function truncate(text, max) {\n  return text.length <= max ? text : text.slice(0, max - 1) + "…"\n}\n',
    },
    check: `const { truncate } = await load("truncate.js")
assert.equal(truncate("ab👩‍💻d", 4), "ab👩‍💻d")
assert.equal(truncate("a👩‍💻bcd", 3), "a👩‍💻…")
assert.equal(truncate("abcdef", 4), "abc…")`,
    repair: {
      "truncate.js":
        'const segmenter = new Intl.Segmenter()\n\nexport function truncate(text, max) {\n  const characters = [...segmenter.segment(text)].map(({ segment }) => segment)\n  return characters.length <= max ? text : characters.slice(0, max - 1).join("") + "…"\n}\n',
    },
  },
  {
    id: "escape-html",
    prompt: "render.js puts names into HTML as they are: escape &, <, >, and both quotes in names.",
    files: {
      "render.js": 'export function greeting(name) {\n  return `<p title="${name}">Hello, ${name}!</p>`\n}\n',
    },
    check: `const { greeting } = await load("render.js")
assert.equal(greeting("Ann"), '<p title="Ann">Hello, Ann!</p>')
const bad = greeting(\`<b>"&'\`)
assert.ok(!bad.includes("<b>"))
assert.match(bad, /&lt;b&gt;&quot;&amp;(&#39;|&#x27;|&apos;)/)`,
    repair: {
      "render.js":
        'const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", \'"\': "&quot;", "\'": "&#39;" }\n\nfunction escape(text) {\n  return text.replaceAll(/[&<>"\']/g, (char) => entities[char])\n}\n\nexport function greeting(name) {\n  const safe = escape(name)\n  return `<p title="${safe}">Hello, ${safe}!</p>`\n}\n',
    },
  },
  {
    id: "regex-special",
    prompt: "search.js throws for the word `a+b(`: make it find any text literally, ignoring case.",
    files: {
      "search.js":
        'export function countMatches(text, word) {\n  return [...text.matchAll(new RegExp(word, "gi"))].length\n}\n',
    },
    check: `const { countMatches } = await load("search.js")
assert.equal(countMatches("A+b( or a+B(", "a+b("), 2)
assert.equal(countMatches("a.b axb", "a.b"), 1)
assert.equal(countMatches("Aa", "a"), 2)`,
    repair: {
      "search.js":
        'export function countMatches(text, word) {\n  const literal = word.replaceAll(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&")\n  return [...text.matchAll(new RegExp(literal, "gi"))].length\n}\n',
    },
  },
]
