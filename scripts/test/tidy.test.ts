import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { functionSizes } from "../function-sizes.ts"
import { type SizeAllowances, tidy } from "../tidy.ts"

/** Every exception has its reason. */
const allowances: SizeAllowances = {}

test("the repository is tidy", () => {
  assert.deepEqual(tidy(fileURLToPath(new URL("../..", import.meta.url)), allowances), [])
})

const clean: Readonly<Record<string, string>> = {
  "package.json": `{"name":"root","devDependencies":{"openai":"1"}}`,
  "package-lock.json": `{"packages":{"node_modules/x":{"version":"1.0.0","integrity":"sha512-x"}}}`,
  ".npmrc": "omit-lockfile-registry-resolved=true\n",
  "docs/words.md": "# Words\n",
  "packages/spec/package.json": `{"name":"@gong/spec","dependencies":{"typebox":"1"}}`,
  "packages/spec/src/index.ts": `export * from "./a.ts"\n`,
  "packages/spec/src/a.ts": `export const later = () => import("typebox/schema")\n// new Date() in a comment\n`,
  "packages/tape/package.json": `{"name":"@gong/tape","dependencies":{"@gong/spec":"1"}}`,
  "packages/tape/src/index.ts": `export type { A } from "@gong/spec"\n`,
  "packages/tape/src/store/file.ts": `import { readFileSync } from "node:fs"\nexport const read = readFileSync\n`,
  "packages/tools/package.json": `{"name":"@gong/tools"}`,
  "packages/tools/src/bash/tool.ts": `export const bashDeclaration = {\n  name: "bash",\n}\nexport const own = bashDeclaration.name === "bash"\n`,
  "packages/tools/src/ls/tool.ts": `export const lsDeclaration = {\n  name: "ls",\n}\n`,
  "packages/gong/package.json": `{"name":"gong"}`,
  "packages/policy/src/shell/output.ts": `export const f = (name: string) => name === "ls"\n`,
  "packages/gong/src/modes/a.ts": `export const f = (shell: string, name: string) => shell === "bash" || name === "sh"\nexport const shells = ["bash", "sh"]\nexport const g = { bash: 1, sh: 2 }\n`,
  "packages/tape/test/a.test.ts": `import "openai"\nimport "@gong/testing/sim/clock"\n`,
}

const long = `export function long(): void {\n${"  f()\n".repeat(79)}}\n`

/** Boundary -> the file that breaks it, and tidy's message. */
const breaches: Readonly<Record<string, readonly [file: string, text: string, says: RegExp]>> = {
  "an undeclared package": [
    "packages/tape/src/b.ts",
    `import { x } from "typebox"\n`,
    /b\.ts: imports typebox, which packages\/tape/,
  ],
  "an undeclared package, later": [
    "packages/tape/src/b.ts",
    `export const f = () => import("@gong/llm")\n`,
    /imports @gong\/llm/,
  ],
  "an undeclared package in a test": ["packages/tape/test/b.test.ts", `import "fastify"\n`, /imports fastify/],
  "a area that is not declared": ["packages/tape/src/b.ts", `export * from "@gong/loop"\n`, /imports @gong\/loop/],
  "globalThis in a middle area": [
    "packages/spec/src/b.ts",
    `const g = globalThis as never\n`,
    /b\.ts:1 takes from the air.*globalThis/,
  ],
  "the clock by new Date()": ["packages/tape/src/b.ts", `export const f = () => new Date()\n`, /new Date\(\)/],
  "globalThis in the session": ["packages/session/src/b.ts", `globalThis\n`, /globalThis/],
  "JSON without a bound": ["packages/tape/src/b.ts", `JSON.parse("")\n`, /b\.ts:1 reads JSON without the bound/],
  ...Object.fromEntries(
    [
      `export const f = (call: { tool: string }) => call.tool === "bash"`,
      `export const f = (entry?: { name: string }) => "ls" !== entry?.name`,
      `export const f = (toolName: string) => {\n  switch (toolName) {\n    case "sh":\n    case "ls":\n      return 1\n  }\n  return 2\n}`,
      `export const quiet = new Set(["ls", "bash"])`,
      `export const labels = { bash: "Bash", "ls": "LS" }`,
      `export const f = (names: ReadonlySet<string>) => names.has("bash")`,
    ].map((text) => [
      `a tool by its name: ${text}`,
      ["packages/extensions/src/hooks/b.ts", `${text}\n`, /b\.ts:\d tells tools apart by name: /] as const,
    ]),
  ),
  ...Object.fromEntries(
    [
      "export const f = (text: string) => /^the disk is full$/.test(text)",
      "export const formOf = (id: string) => new RegExp(id)",
      'export const f = (text: string) => text.startsWith("Refused: ")',
    ].map((text) => [
      `a text recognised by its form: ${text}`,
      ["packages/texts/src/zh-CN/b.ts", `${text}\n`, /zh-CN\/b\.ts:1 recognises a text by its form/] as const,
    ]),
  ),
  "an import cycle": [
    "packages/spec/src/a.ts",
    `export * from "./index.ts"\n`,
    /import cycle: packages\/spec\/src\/a\.ts, packages\/spec\/src\/index\.ts/,
  ],
  "an import cycle of a type and a later import": [
    "packages/spec/src/a.ts",
    `import type { A } from "./index.ts"\nexport const later = (): Promise<A> => import("typebox/schema")\n`,
    /import cycle: packages\/spec\/src\/a\.ts, packages\/spec\/src\/index\.ts/,
  ],
  "an import cycle by import()": [
    "packages/tape/src/b.ts",
    `export const later = () => import("./b.ts")\n`,
    /import cycle: packages\/tape\/src\/b\.ts/,
  ],
  "a disabled rule": ["packages/spec/src/b.ts", `const x = 1 // oxlint${"-disable"}-line\n`, /switches a rule off/],
  "a program that kills by number": [
    "packages/tape/test/b.test.ts",
    "spawnSync('pk" + "ill', ['-f', 'node'])\n",
    /b\.test\.ts:1 sends a signal past/,
  ],
  "a shell that kills by number": ["bench/b.ts", "run(`ki" + "ll -9 ${pid}`)\n", /b\.ts:1 sends a signal past/],
  "a signal from node:process": [
    "testing/src/b.ts",
    `import { ki${"ll"} } from "node:process"\n`,
    /b\.ts:1 sends a signal past/,
  ],
  "Node in spec": ["packages/spec/src/a.ts", `import "node:path"\n`, /spec\/src\/index\.ts reaches node:path/],
  "Node behind the root of tape": [
    "packages/tape/src/index.ts",
    `export * from "./store/file.ts"\n`,
    /tape\/src\/index\.ts reaches node:fs/,
  ],
  "a registry in the lock": [
    "package-lock.json",
    `{"packages":{"node_modules/x":{"resolved": "https://registry.example/x.tgz"}}}`,
    /package-lock\.json names a registry/,
  ],
  "a registry in .npmrc": [".npmrc", "registry=https://registry.example\n", /\.npmrc names a registry/],
  "a file that is too long": ["packages/spec/src/b.ts", "export {}\n".repeat(301), /b\.ts has 301 lines/],
  "a function that is too long": ["packages/spec/src/b.ts", long, /b\.ts:1 long has 81 lines/],
}

test("a clean copy is tidy", () => inFolder(clean, (root) => assert.deepEqual(tidy(root, {}), [])))

for (const [boundary, [file, text, says]] of Object.entries(breaches))
  test(`tidy catches ${boundary}`, () =>
    inFolder({ ...clean, [file]: text }, (root) => {
      const found = tidy(root, {})
      assert.equal(found.length, 1, JSON.stringify(found))
      assert.match(found[0] ?? "", says)
    }))

test("tidy catches a folder of more than 16 files, a package of more than a third of the source, and an entry point without a user", () => {
  const files = (folder: string, count: number, lines: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/f${at}.ts`, "export {}\n".repeat(lines)]))
  inFolder({ ...clean, ...files("packages/spec/src/many", 17, 1) }, (root) =>
    assert.deepEqual(tidy(root, {}), ["packages/spec/src/many has 17 files, more than 16"]),
  )
  const large = ["a", "b", "c"].map((name) => files(`packages/tape/src/${name}`, 12, 290))
  inFolder(Object.assign({}, clean, ...large), (root) => {
    const [found = "", ...more] = tidy(root, {})
    assert.match(found, /^packages\/tape has \d+ of \d+ lines, more than a third$/)
    assert.deepEqual(more, [])
  })
  const manifest = `{"name":"@gong/tools","exports":{"./used":"./src/u.ts","./spare":"./src/s.ts"}}`
  const user = `import "@gong/tools/used"\n`
  inFolder({ ...clean, "packages/tools/package.json": manifest, "bench/user.ts": user }, (root) =>
    assert.deepEqual(tidy(root, {}), ["packages/tools/package.json: nothing outside imports @gong/tools/spare"]),
  )
})

test("tidy catches missing words and an allowance that is needed no more", () => {
  const { "docs/words.md": _, ...rest } = clean
  inFolder(rest, (root) => assert.deepEqual(tidy(root, {}), ["docs/words.md is missing"]))
  inFolder(clean, (root) =>
    assert.deepEqual(tidy(root, { "packages/spec/src/a.ts": "a table" }), [
      "packages/spec/src/a.ts needs its allowance no more",
    ]),
  )
  inFolder({ ...clean, "packages/spec/src/b.ts": long }, (root) =>
    assert.deepEqual(tidy(root, { "packages/spec/src/b.ts long": "a table" }), []),
  )
})

test("functions are measured by the formatter's layout", () => {
  const source = [
    "export async function* one(",
    "  a: number,",
    "): AsyncGenerator<number> {",
    "  if (a) {",
    "    yield 1",
    "  }",
    "}",
    "const two = (a: number): number => {",
    "  return a",
    "}",
    "const three = {",
    "  async four(a) {",
    "    return a",
    "  },",
    "  five: () => {",
    "    two(1)",
    "  },",
    "}",
    "class Six {",
    "}",
  ].join("\n")
  assert.deepEqual(functionSizes(source), [
    { name: "one", line: 1, lines: 7 },
    { name: "two", line: 8, lines: 3 },
    { name: "four", line: 12, lines: 3 },
    { name: "five", line: 15, lines: 3 },
  ])
})

function inFolder(files: Readonly<Record<string, string>>, check: (root: string) => void): void {
  const root = mkdtempSync(join(tmpdir(), "gong-tidy-"))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    check(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}
