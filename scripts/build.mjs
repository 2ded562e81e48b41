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

const { build } = await import("rolldown")
const dist = join(root, "packages/gong/dist")
const started = performance.now()
rmSync(dist, { recursive: true, force: true })
const { output } = await build({
  input: { main: join(root, process.argv[2] ?? "packages/gong/src/main.ts") },
  platform: "node",
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
  },
  logLevel: "warn",
})
const kilobytes = (file) => (statSync(join(dist, file)).size / 1024).toFixed(1).padStart(8)
for (const chunk of output)
  console.log(`${kilobytes(chunk.fileName)} KB  ${chunk.fileName}${chunk.isDynamicEntry ? "  (lazy)" : ""}`)
console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
