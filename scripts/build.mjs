import { renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundleKey, keyFile } from "./bundle-key.mjs"
import { needNode24, root } from "./node24.mjs"
import { run } from "./run.mjs"

/**
 * npm run build [-- ENTRY]: packages/gong/src/main.ts and all its dependencies as one bundle in packages/gong/dist, with dynamic
 * imports in separate chunks, so that a start loads only the code it needs.
 */
if (process.execPath !== needNode24())
  process.exit(await run(needNode24(), [join(root, "scripts/build.mjs"), ...process.argv.slice(2)]))

/**
 * Chunks of modules shared by several dynamic imports, each with its importers: the modules that every message
 * needs before its first request, those of MCP servers, loaded if one is configured, and those of the first tool call.
 */
const together = {
  start: ["packages/gong/src/run.ts", "packages/app/src/compose/open-session.ts", "packages/gong/src/modes/print.ts"],
  mcp: ["packages/app/src/compose/mcp/load-mcp.ts"],
  hands: [
    "packages/tools/src/host/local-work.ts",
    ...["read", "write", "edit", "bash", "grep", "find", "ls"].map((name) => `packages/tools/src/${name}/work.ts`),
    "packages/loop/src/calls/calls.ts",
    "packages/policy/src/decide.ts",
    "packages/policy/src/printed-files.ts",
  ],
}

const { build } = await import("rolldown")
const dist = join(root, "packages/gong/dist")
// Built in a separate folder and renamed, so that a failing or concurrent build leaves a complete one.
const made = join(root, `node_modules/.dist-${process.pid}`)
const started = performance.now()
const key = bundleKey(process.argv[2])
const bundle = {
  input: { main: join(root, process.argv[2] ?? "packages/gong/src/main.ts") },
  platform: "node",
  // jsonc-parser's other form asks for its parts by a `require` that no bundler sees, and would not find them.
  resolve: { mainFields: ["module", "main"] },
  // A binary beside its package cannot be bundled; Node's own modules are there.
  external: [/^node:/, /^@vscode\/ripgrep/],
  output: {
    dir: made,
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
// Programs of their own, each in one file: one would load the whole of a chunk for a word of it.
const extensions = join(root, "packages/extensions/src")
const gateway = join(root, "packages/tools/src/host/gateway/namespace")
const alone = [
  { extensions: join(extensions, "worker/main.ts") },
  { holder: join(gateway, "holder.ts") },
  { "fork-server": join(root, "packages/tools/src/host/fork-server/main.ts") },
  { sessions: join(root, "packages/tape/src/sessions/thread/main.ts") },
]
const output = [...(await build(await withGroups(bundle))).output]
for (const input of alone) output.push(...(await build({ ...bundle, input })).output)
writeFileSync(join(made, keyFile), key)
rmSync(dist, { recursive: true, force: true })
renameSync(made, dist)
const kilobytes = (file) => (statSync(join(dist, file)).size / 1024).toFixed(1).padStart(8)
for (const chunk of output)
  console.log(`${kilobytes(chunk.fileName)} KB  ${chunk.fileName}${chunk.isDynamicEntry ? "  (lazy)" : ""}`)
console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`)

/**
 * The chunks of `together`, each in one file: a file costs a third of a millisecond to find, to read and to look up in the
 * compile cache, and their parts are shared by so many that there would be twenty.
 */
async function withGroups(options) {
  const { output: chunks } = await build({ ...options, write: false })
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const taken = new Set()
  const reached = (chunk) => {
    if (chunk === undefined || chunk.isEntry || taken.has(chunk)) return []
    taken.add(chunk)
    return [...chunk.moduleIds, ...chunk.imports.flatMap((name) => reached(byName.get(name)))]
  }
  const from = (path) => reached(chunks.find(({ moduleIds }) => moduleIds.includes(join(root, path))))
  // Modules needed by the entry point are loaded at the start, whatever else imports them.
  const entry = chunks.filter(({ isEntry }) => isEntry).flatMap(({ imports }) => imports)
  const ofEntry = entry.flatMap((name) => reached(byName.get(name)))
  const groups = Object.entries(together).map(([name, paths]) => {
    const modules = new Set([...(name === "start" ? ofEntry : []), ...paths.flatMap(from)])
    return { name, test: (id) => modules.has(id) }
  })
  // Shared by all wire formats, so needed with any of them.
  const shared = ["protocol/", "transport/"].map((folder) => join(root, "packages/llm/src", folder))
  groups.push({ name: "protocol", test: (id) => shared.some((folder) => id.startsWith(folder)) })
  return { ...options, output: { ...options.output, codeSplitting: { groups } } }
}
