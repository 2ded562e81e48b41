import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Turn } from "../../testing/src/model-server.ts"

/** Work of the scripted model: its replies, the files that it needs, and a check of the result. */
export interface Work {
  readonly prompt: string
  readonly turns: readonly Turn[]
  /** Fills a new repository. */
  readonly files: (repo: string) => void
  /** The difference of the repository from its expected state; null after success. */
  readonly wrong?: (repo: string) => string | null
}

const line = (file: number, row: number) =>
  `line ${row} of file${file}.txt: the quick brown fox jumps over the lazy dog`

function tenFiles(repo: string): void {
  writeFileSync(join(repo, "README.md"), "# bench\n\nA small repository.\n")
  for (let file = 0; file < 10; file++)
    writeFileSync(
      join(repo, `file${file}.txt`),
      `${Array.from({ length: 20 }, (_, row) => line(file, row + 1)).join("\n")}\n`,
    )
}

export function sayHi(): Work {
  return { prompt: "say hi", turns: [{ text: "hi" }], files: tenFiles }
}

/** Thirty turns of one call each: read, bash, edit, and again. */
export function toolTurns(): Work {
  const turns = Array.from({ length: 30 }, (_, index): Turn => {
    const file = Math.floor(index / 3)
    const path = `file${file}.txt`
    if (index % 3 === 0) return { text: `Reading ${path}.`, calls: [{ name: "read", args: { path } }] }
    if (index % 3 === 1) return { text: "Running it.", calls: [{ name: "bash", args: { command: "true" } }] }
    const edits = [{ oldText: line(file, 7), newText: `EDITED ${file}` }]
    return { text: `Editing ${path}.`, calls: [{ name: "edit", args: { path, edits } }] }
  })
  return {
    prompt: "run the loop",
    turns: [...turns, { text: "All done." }],
    files: tenFiles,
    wrong(repo) {
      const missing = Array.from({ length: 10 }, (_, file) => file).filter(
        (file) => !readFileSync(join(repo, `file${file}.txt`), "utf8").includes(`EDITED ${file}\n`),
      )
      return missing.length === 0 ? null : `files ${missing.join(", ")} were not edited`
    },
  }
}

/** `turns` reads of as many different files of 4 KB: 1,000 make a history of 2,000 messages and 4.4 MB. */
export function manyReads(turns: number): Work {
  return {
    prompt: "read everything",
    turns: [
      ...Array.from({ length: turns }, (_, i): Turn => ({
        text: `Now file ${i}.`,
        calls: [{ name: "read", args: { path: `data/d${i}.txt` } }],
      })),
      { text: "All read." },
    ],
    files(repo) {
      tenFiles(repo)
      mkdirSync(join(repo, "data"))
      for (let i = 0; i < turns; i++) {
        let text = ""
        for (let k = 0; text.length < 4000; k++)
          text += `${i}.${k} some data value ${(i * 7919 + k * 104_729) % 1_000_003}\n`
        writeFileSync(join(repo, "data", `d${i}.txt`), text)
      }
    },
  }
}

const paragraph =
  "## Measured\n\nThe **agent** reads `src/file.ts` and *reports* what it found:\n\n- first point\n- second point\n\n```ts\nexport const x = 1\n```\n\n"

export function longText(characters: number, deltas: number, delayMs = 0): Work {
  const text = paragraph.repeat(Math.ceil(characters / paragraph.length)).slice(0, characters)
  return {
    prompt: "write the long report",
    turns: [{ text, delta: Math.ceil(characters / deltas), delayMs }],
    files: tenFiles,
  }
}

/** One write whose arguments are streamed in many chunks. */
export function longArguments(characters: number, deltas: number): Work {
  let content = ""
  for (let i = 0; content.length < characters * 0.9; i++)
    content += `export const value_${i} = { id: ${i}, name: "item ${i}", tags: ["a", "b"] }\n`
  const call = { name: "write", args: { path: "big.ts", content } }
  const argDelta = Math.ceil(JSON.stringify(call.args).length / deltas)
  return {
    prompt: "write the big file",
    turns: [{ calls: [call], argDelta }, { text: "Written." }],
    files: tenFiles,
    wrong: (repo) => (readFileSync(join(repo, "big.ts"), "utf8") === content ? null : "big.ts is not what was asked"),
  }
}
