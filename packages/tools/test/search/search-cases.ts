import type { createFindTool, createGrepTool } from "../../src/index.ts"

type FindArgs = Parameters<ReturnType<typeof createFindTool>["execute"]>[1]
type GrepArgs = Parameters<ReturnType<typeof createGrepTool>["execute"]>[1]

/** A tree, and the expected results of find and grep with any engine. */
export interface SearchCase {
  readonly title: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** Targets of links by path. */
  readonly links?: Readonly<Record<string, string>>
  /** Names in any order. */
  readonly find?: readonly (readonly [FindArgs, readonly string[]])[]
  /** Rows in the order of paths and lines. */
  readonly grep?: readonly (readonly [GrepArgs, readonly string[]])[]
}

const needle = "needle\n"

export const searchCases: readonly SearchCase[] = [
  {
    title: "hidden files and folders count, .git does not",
    files: { "a.txt": needle, ".b.txt": needle, ".c/d.txt": needle, ".git/e.txt": needle, "x/.git/f.txt": needle },
    find: [[{ pattern: "*.txt" }, [".b.txt", ".c/d.txt", "a.txt"]]],
    grep: [[{ pattern: "needle" }, [".b.txt:1: needle", ".c/d.txt:1: needle", "a.txt:1: needle"]]],
  },
  {
    title: "[FIND-S.03] [BDD-FIND-008] ignore files count without a repository, nested, and a nearer one wins",
    files: {
      ".gitignore": "*.log\n/top.txt\nbuild/\nfile.txt/\n!keep.log\n",
      "sub/file.txt": needle,
      "a.log": needle,
      "keep.log": needle,
      "top.txt": needle,
      "sub/top.txt": needle,
      "sub/build/x.txt": needle,
      "sub/build.txt": needle,
      "sub/.gitignore": "!a.log\nsecret.txt\n",
      "sub/a.log": needle,
      "sub/secret.txt": needle,
      "sub/deep/a.log": needle,
      "sub/deep/secret.txt": needle,
    },
    find: [
      [
        { pattern: "*.{txt,log}" },
        ["keep.log", "sub/a.log", "sub/build.txt", "sub/deep/a.log", "sub/file.txt", "sub/top.txt"],
      ],
      [{ pattern: "*.log", path: "sub/deep" }, ["a.log"]],
    ],
    grep: [
      [
        { pattern: "needle", outputMode: "files_with_matches" },
        ["keep.log", "sub/a.log", "sub/build.txt", "sub/deep/a.log", "sub/file.txt", "sub/top.txt"],
      ],
      [{ pattern: "needle", glob: "*.log" }, ["keep.log:1: needle", "sub/a.log:1: needle", "sub/deep/a.log:1: needle"]],
      [{ pattern: "needle", glob: "**/*", path: "sub/build.txt" }, ["sub/build.txt:1: needle"]],
    ],
  },
  {
    title: ".ignore wins over .gitignore, .rgignore over both, and .git/info/exclude counts",
    files: {
      ".git/info/exclude": "excluded.txt\n",
      ".gitignore": "a.txt\nb.txt\n",
      ".ignore": "!a.txt\nc.txt\n",
      ".rgignore": "!c.txt\n",
      "a.txt": needle,
      "b.txt": needle,
      "c.txt": needle,
      "excluded.txt": needle,
    },
    find: [[{ pattern: "*.txt" }, ["a.txt", "c.txt"]]],
    grep: [[{ pattern: "needle" }, ["a.txt:1: needle", "c.txt:1: needle"]]],
  },
  {
    title: "the ignore files above a folder count up to the top of its repository",
    files: {
      ".gitignore": "outer.txt\n",
      "repo/.git/HEAD": "",
      "repo/.gitignore": "inner.txt\n",
      "repo/src/inner.txt": needle,
      "repo/src/outer.txt": needle,
    },
    find: [[{ pattern: "*.txt", path: "repo/src" }, ["outer.txt"]]],
    grep: [[{ pattern: "needle", path: "repo/src" }, ["repo/src/outer.txt:1: needle"]]],
  },
  {
    title: "a folder that is named is searched although ignore files leave nothing of it",
    files: {
      ".gitignore": "node_modules/*\ndist/\n",
      "node_modules/p/index.js": needle,
      "dist/out.js": needle,
      ".venv/.gitignore": "*\n",
      ".venv/lib.py": needle,
      "a.js": needle,
    },
    find: [
      [{ pattern: "*.{js,py}" }, ["a.js"]],
      [{ pattern: "*.js", path: "node_modules" }, ["p/index.js"]],
      [{ pattern: "*.py", path: ".venv" }, ["lib.py"]],
    ],
    grep: [
      [{ pattern: "needle" }, ["a.js:1: needle"]],
      [{ pattern: "needle", path: "node_modules" }, ["node_modules/p/index.js:1: needle"]],
      [{ pattern: "needle", path: "node_modules/p" }, ["node_modules/p/index.js:1: needle"]],
      [{ pattern: "needle", path: "dist" }, ["dist/out.js:1: needle"]],
      [{ pattern: "needle", path: ".venv" }, [".venv/lib.py:1: needle"]],
    ],
  },
  {
    title:
      "[FIND-2.1] [FIND-S.03] a .gitignore of * counts where anything is left beside its folder, or by an exception in it",
    files: {
      "a.js": needle,
      "cache/.gitignore": "*\n",
      "cache/b.js": needle,
      "cache/deep/c.js": needle,
      "chosen/.gitignore": "*\n!d.js\n",
      "chosen/d.js": needle,
      "chosen/e.js": needle,
    },
    find: [
      [{ pattern: "*.js" }, ["a.js", "chosen/d.js"]],
      [{ pattern: "*.js", path: "chosen" }, ["d.js"]],
    ],
    grep: [
      [{ pattern: "needle" }, ["a.js:1: needle", "chosen/d.js:1: needle"]],
      [{ pattern: "needle", path: "chosen" }, ["chosen/d.js:1: needle"]],
    ],
  },
  {
    title: "[FIND-P.1] below a .gitignore of * that leaves nothing all files are found but those of packages",
    files: {
      ".gitignore": "*\n",
      ".git/HEAD": "",
      "a.js": needle,
      "sub/b.js": needle,
      "node_modules/p/c.js": needle,
      "sub/node_modules/q/d.js": needle,
    },
    find: [
      [{ pattern: "*.js" }, ["a.js", "sub/b.js"]],
      [{ pattern: "*.js", path: "sub" }, ["b.js"]],
      [{ pattern: "*.js", path: "node_modules" }, ["p/c.js"]],
      [{ pattern: "*.js", path: "node_modules/p" }, ["c.js"]],
    ],
    grep: [
      [{ pattern: "needle", glob: "a.js" }, ["a.js:1: needle"]],
      [{ pattern: "needle", path: "node_modules/p" }, ["node_modules/p/c.js:1: needle"]],
    ],
  },
  {
    title: "[FIND-2.3] [FIND-P.5] links are not followed, and a cycle ends",
    files: { "real/a.txt": needle },
    links: { link: "real", "real/up": "..", "b.txt": "real/a.txt", self: "self" },
    find: [[{ pattern: "*.txt" }, ["real/a.txt"]]],
    grep: [
      [{ pattern: "needle" }, ["real/a.txt:1: needle"]],
      [{ pattern: "needle", path: "link" }, ["link/a.txt:1: needle"]],
    ],
  },
  {
    title: "[FIND-S.06] directories end with a slash, and a glob with one at its end means only them",
    files: { "src/parts/a.txt": "", "src/parts.txt": "", "lib/x.ts/b.txt": "" },
    find: [
      [{ pattern: "parts*" }, ["src/parts.txt", "src/parts/"]],
      [{ pattern: "parts*/" }, ["src/parts/"]],
      [{ pattern: "*.ts" }, ["lib/x.ts/"]],
      [{ pattern: "src/*" }, ["src/parts.txt", "src/parts/"]],
      [{ pattern: "*/" }, ["lib/", "lib/x.ts/", "src/", "src/parts/"]],
      [{ pattern: "[sl]??" }, ["lib/", "src/"]],
    ],
  },
  {
    title: "names that are not plain: spaces, colons, newlines, other scripts, case",
    files: { "a b.txt": needle, "c:1: d.txt": needle, "e\nf.txt": needle, "中文/说明.txt": needle, "G.TXT": needle },
    find: [
      [{ pattern: "*.txt" }, ["a b.txt", "c:1: d.txt", "e\\nf.txt", "中文/说明.txt"]],
      [{ pattern: "说?.txt" }, ["中文/说明.txt"]],
    ],
    grep: [
      [
        { pattern: "needle", outputMode: "count" },
        ["G.TXT:1", "a b.txt:1", "c:1: d.txt:1", "e\\nf.txt:1", "中文/说明.txt:1"],
      ],
      [{ pattern: "needle", glob: "e*" }, ["e\\nf.txt:1: needle"]],
      [{ pattern: "needle", path: "中文" }, ["中文/说明.txt:1: needle"]],
    ],
  },
  {
    title: "[GREP-3.2] a glob narrows what counts, by name, by path, and the other way round",
    files: { "a.ts": needle, "src/b.ts": needle, "src/x/c.ts": needle, "src/x/d.js": needle, "e.test.ts": needle },
    grep: [
      [{ pattern: "needle", glob: "src/*.ts" }, ["src/b.ts:1: needle"]],
      [
        { pattern: "needle", glob: "src/**/*.{ts,js}" },
        ["src/b.ts:1: needle", "src/x/c.ts:1: needle", "src/x/d.js:1: needle"],
      ],
      [{ pattern: "needle", glob: "src/x/**" }, ["src/x/c.ts:1: needle", "src/x/d.js:1: needle"]],
      [{ pattern: "needle", glob: "!*.ts" }, ["src/x/d.js:1: needle"]],
      [{ pattern: "needle", glob: "!src/**" }, ["a.ts:1: needle", "e.test.ts:1: needle"]],
      [{ pattern: "needle", glob: "*.ts", path: "src/x/d.js" }, ["src/x/d.js:1: needle"]],
    ],
  },
  {
    title: "patterns: regex, literal, case, words, classes, other scripts",
    files: { "a.txt": "foo.bar(baz)\nfooxbar\nFOO\nÄpfel äpfel\n你好世界\nline(\\d+)\n" },
    grep: [
      [{ pattern: "foo\\.bar\\(" }, ["a.txt:1: foo.bar(baz)"]],
      [{ pattern: "foo.bar", outputMode: "count" }, ["a.txt:2"]],
      [{ pattern: "foo.bar", literal: true }, ["a.txt:1: foo.bar(baz)"]],
      [{ pattern: "foo", ignoreCase: true, outputMode: "count" }, ["a.txt:3"]],
      [{ pattern: "\\bFOO\\b|(?i)ÄPFEL" }, ["a.txt:3: FOO", "a.txt:4: Äpfel äpfel"]],
      [{ pattern: "[[:upper:]]{3}" }, ["a.txt:3: FOO"]],
      [{ pattern: "\\p{Han}+" }, ["a.txt:5: 你好世界"]],
      [{ pattern: "^..世" }, ["a.txt:5: 你好世界"]],
      [{ pattern: "(\\d+)", literal: true }, ["a.txt:6: line(\\d+)"]],
      [{ pattern: "[^\\n]+x" }, ["a.txt:2: fooxbar"]],
      [{ pattern: "ÄPFEL Ä", ignoreCase: true, literal: true }, ["a.txt:4: Äpfel äpfel"]],
    ],
  },
  {
    title: "[GREP-P.5] lines around a match, their gaps, and what the limit leaves",
    files: { "a.txt": "1\n2\nhit 3\n4\n5\n6\nhit 7\nhit 8\n9\n", "b.txt": "x\nhit\n" },
    grep: [
      [
        { pattern: "hit", context: 1 },
        [
          "a.txt-2- 2",
          "a.txt:3: hit 3",
          "a.txt-4- 4",
          "--",
          "a.txt-6- 6",
          "a.txt:7: hit 7",
          "a.txt:8: hit 8",
          "a.txt-9- 9",
          "b.txt-1- x",
          "b.txt:2: hit",
        ],
      ],
      [{ pattern: "hit", before: 1, path: "a.txt", limit: 1 }, ["a.txt-2- 2", "a.txt:3: hit 3"]],
      [{ pattern: "hit [78]", after: 1, path: "a.txt", limit: 1 }, ["a.txt:7: hit 7", "a.txt-8- hit 8"]],
      [
        { pattern: "hit", after: 9, path: "a.txt", limit: 3 },
        [3, 4, 5, 6, 7, 8, 9].map((line) =>
          line === 3 || (line > 6 && line < 9) ? `a.txt:${line}: hit ${line}` : `a.txt-${line}- ${line}`,
        ),
      ],
    ],
  },
  {
    title: "line ends, a last line without one, an empty file, a byte order mark, UTF-16, invalid UTF-8",
    files: {
      "bom.txt": "\ufeffhit bom\n",
      "crlf.txt": "a\r\nhit\r\n",
      "empty.txt": "",
      "invalid.txt": Buffer.from("hit \xc4\xe3\xba\xc3\n", "latin1"),
      "last.txt": "a\nhit",
      "utf16.txt": Buffer.from("\ufeffa\nhit 中\n", "utf16le"),
    },
    grep: [
      [
        { pattern: "hit" },
        [
          "bom.txt:1: hit bom",
          "crlf.txt:2: hit",
          "invalid.txt:1: hit \ufffd\ufffd\ufffd",
          "last.txt:2: hit",
          "utf16.txt:2: hit 中",
        ],
      ],
      [{ pattern: "hit$", outputMode: "files_with_matches" }, ["crlf.txt", "last.txt"]],
    ],
  },
  {
    title: "[GREP-3.3] binary files are passed over, and told when they are named",
    files: { "a.bin": Buffer.from("\0\x01hit\n", "latin1"), "b.txt": "hit\n" },
    grep: [
      [{ pattern: "hit" }, ["b.txt:1: hit"]],
      [{ pattern: "hit", path: "a.bin" }, ["a.bin: binary file matches"]],
    ],
  },
  {
    title: "node_modules is left out where no ignore file exists, also none above",
    files: { "node_modules/a.js": needle, "b.js": needle, "c/.gitignore": "x\n", "c/d/node_modules/e.js": needle },
    find: [
      [{ pattern: "*.js" }, ["b.js"]],
      [{ pattern: "*.js", path: "c/d" }, ["node_modules/e.js"]],
    ],
  },
]
