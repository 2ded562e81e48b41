import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { needNode24, root } from "./node24.mjs"
import { run } from "./run.mjs"

/**
 * npm run build [-- ENTRY]: packages/gong/src/main.ts and all it needs as one bundle in packages/gong/dist, with what is
 * imported dynamically in chunks of their own, so that starting costs only what starting needs.
 */
if (process.execPath !== needNode24())
  process.exit(await run(needNode24(), [join(root, "scripts/build.mjs"), ...process.argv.slice(2)]))

/** What is imported dynamically between the command line and the first request. */
const onTheWay = ["packages/gong/src/run.ts", "packages/gong/src/build.ts", "packages/gong/src/modes/print.ts"]

const { build } = await import("rolldown")
const dist = join(root, "packages/gong/dist")
const started = performance.now()
rmSync(dist, { recursive: true, force: true })
const bundle = {
  input: { main: join(root, process.argv[2] ?? "packages/gong/src/main.ts") },
  platform: "node",
  // jsonc-parser's other form asks for its parts by a `require` that no bundler sees, and would not find them.
  resolve: { mainFields: ["module", "main"] },
  // A binary beside its package cannot be bundled; Node's own modules are there.
  external: [/^node:/, /^@vscode\/ripgrep/],
  output: {
    dir: dist,
    // CommonJS: the launcher then never starts the loader of ES modules, and a builtin costs only itself.
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Names stay: a stack in a bug report must be readable.
    minify: { mangle: { keepNames: true }, compress: true, codegen: true },
    comments: false,
    // One character outside Latin-1 makes the text of a file twice as large in memory, and slower to find in the compile cache.
    charset: "ascii",
  },
  logLevel: "warn",
}
const { output } = await build(await withOneStart(bundle))
const kilobytes = (file) => (statSync(join(dist, file)).size / 1024).toFixed(1).padStart(8)
for (const chunk of output)
  console.log(`${kilobytes(chunk.fileName)} KB  ${chunk.fileName}${chunk.isDynamicEntry ? "  (lazy)" : ""}`)
console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`)

/**
 * What every message needs on the way to its first request, in one file: each file costs a third of a millisecond to find,
 * to read and to look up in the compile cache, and its parts are shared by so many that there would be twenty.
 */
async function withOneStart(options) {
  const { output: chunks } = await build({ ...options, write: false })
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const needed = new Set()
  const add = (chunk) => {
    if (chunk === undefined || chunk.isEntry || needed.has(chunk)) return
    needed.add(chunk)
    for (const name of chunk.imports) add(byName.get(name))
  }
  for (const path of onTheWay) add(chunks.find(({ moduleIds }) => moduleIds.includes(join(root, path))))
  const modules = new Set([...needed].flatMap(({ moduleIds }) => moduleIds))
  // What wire formats share; one of them is needed, and with it all of this.
  const shared = join(root, "packages/llm/src/wire/")
  const groups = [
    { name: "start", test: (id) => modules.has(id) },
    { name: "wire", test: (id) => id.startsWith(shared) },
  ]
  return { ...options, output: { ...options.output, codeSplitting: { groups } } }
}
