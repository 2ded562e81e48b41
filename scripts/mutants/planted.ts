import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { plants } from "./plants.ts"
import { makeTree } from "./tree.ts"
import { runTrial } from "./trial.ts"

// npm run mutants:screen -- [WORD ...]
// Plants each bug of plants.ts, or those whose name contains a word, in a copy of the sources, and runs the tests that have to
// notice it. Status 1 if one survives.

const root = fileURLToPath(new URL("../..", import.meta.url))
const tree = join(root, "coverage", "mutants", "planted")
const LIMIT_MS = 180_000

makeTree(root, tree)
const words = process.argv.slice(2)
const wanted = plants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
let survived = 0
for (const { name, path, from, to, tests } of wanted) {
  const file = join(tree, path)
  const source = readFileSync(file, "utf8")
  if (source.split(from).length !== 2) throw new Error(`${name}: ${path} has not exactly one ${JSON.stringify(from)}`)
  writeFileSync(
    file,
    source.replace(from, () => to),
  )
  const { caught } = await runTrial(tree, { groups: [tests], limitMs: LIMIT_MS })
  writeFileSync(file, source)
  if (caught === null) survived += 1
  console.log(caught === null ? `SURVIVED ${name}` : `caught   ${name}`)
}
console.log(`${wanted.length - survived} of ${wanted.length} planted bugs caught`)
process.exitCode = survived === 0 ? 0 : 1
