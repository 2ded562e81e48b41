import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { openStage, type Stage } from "./harness.ts"
import { converse, leave, type Shown } from "./screen.ts"
import { skip as noTerminal } from "./terminal.ts"

/** Writes down, as the process ends, which files were loaded and which modules of Node's own. */
const preload = `process.on("exit", () => {
  const loaded = { files: Object.keys(require.cache), builtins: process.moduleLoadList }
  require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify(loaded))
})\n`

const skip = process.env["GONG_DIST"] === "1" ? false : "needs the bundle (npm test): Node loads more for the sources"

test(
  "a message without a tool call loads neither tool implementations nor node:fs/promises nor SQLite",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "ok" } })
    writeFileSync(join(stage.root, "preload.cjs"), preload)
    const env = { NODE_OPTIONS: `--require ${join(stage.root, "preload.cjs")}`, LOADED: join(stage.root, "loaded") }
    const run = await stage.gong(["-p", "hi"], { env })
    assert.equal(run.status, 0, run.err)
    const { files, builtins } = JSON.parse(readFileSync(env.LOADED, "utf8")) as Record<"files" | "builtins", string[]>
    const chunks = files.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, ".cjs"))
    assert.ok(chunks.includes("start.cjs"), chunks.join(" "))
    assert.deepEqual(
      chunks.filter((name) => /^(?:hands|secrets|index|sandbox|prune-caches)\.cjs$/.test(name)),
      [],
    )
    assert.deepEqual(
      builtins.filter((name) => /(?:fs\/promises|sqlite)$/.test(name)),
      [],
    )
  },
)

test(
  "a configured MCP server that is not used: its process is not started and the client library not loaded",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "ok" } })
    const server = fileURLToPath(import.meta.resolve("@gong/testing/mcp/stdio-server.mjs"))
    const offer = join(stage.root, "offer.json")
    const tool = { name: "add", description: "Add.", inputSchema: { type: "object", properties: {} } }
    writeFileSync(offer, JSON.stringify({ tools: [tool] }))
    // It is started once, for its tools.
    const added = await stage.gong(["mcp", "add", "math", "--", process.execPath, server, offer])
    assert.equal(added.status, 0, added.err)
    const before = existsSync(`${offer}.log`) ? readFileSync(`${offer}.log`, "utf8") : ""
    writeFileSync(join(stage.root, "preload.cjs"), preload)
    const env = { NODE_OPTIONS: `--require ${join(stage.root, "preload.cjs")}`, LOADED: join(stage.root, "loaded") }
    const run = await stage.gong(["-p", "hi"], { env })
    assert.equal(run.status, 0, run.err)
    assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /math__add/)
    const { files } = JSON.parse(readFileSync(env.LOADED, "utf8")) as { files: string[] }
    const chunks = files.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, ".cjs"))
    assert.deepEqual(
      chunks.filter((name) => /^(?:connect|sandbox|hands)\.cjs$/.test(name)),
      [],
    )
    assert.equal(existsSync(`${offer}.log`) ? readFileSync(`${offer}.log`, "utf8") : "", before)
  },
)

test(
  "a conversation with a configured MCP server loads nothing more than one without until its first message or command",
  { skip: skip || noTerminal },
  async (t) => {
    const none = await loadedBy(t, () => undefined, leave)
    const [server, offer] = [fileURLToPath(import.meta.resolve("@gong/testing/mcp/stdio-server.mjs")), "offer.json"]
    const configure = ({ root, gongHome, write }: Stage): void => {
      const entry = { command: process.execPath, args: [server, join(root, offer)], sandbox: false }
      write({
        [join(root, offer)]: JSON.stringify({ tools: [] }),
        [join(gongHome, "mcp.json")]: JSON.stringify({ mcpServers: { math: entry } }),
      })
    }
    assert.deepEqual(await loadedBy(t, configure, leave), none)
    const used = await loadedBy(t, configure, async (shown) => {
      shown.terminal.type("/mcp\r")
      await shown.shows("math")
      await leave(shown)
    })
    assert.ok(used.length > none.length, used.join(" "))
  },
)

/** The files that a conversation on the screen has loaded at its end, sorted. */
async function loadedBy(
  t: TestContext,
  configure: (stage: Stage) => void,
  use: (shown: Shown) => Promise<void>,
): Promise<readonly string[]> {
  let file = ""
  const shown = await converse(t, {
    columns: 120,
    prepare: (stage) => {
      configure(stage)
      file = join(stage.root, "loaded")
      writeFileSync(join(stage.root, "preload.cjs"), preload)
      return {
        ...stage,
        env: { ...stage.env, NODE_OPTIONS: `--require ${join(stage.root, "preload.cjs")}`, LOADED: file },
      }
    },
  })
  // The session is open.
  await shown.shows("/help lists all commands")
  await use(shown)
  const { files } = JSON.parse(readFileSync(file, "utf8")) as { files: string[] }
  return files.filter((path) => path.endsWith(".cjs") && basename(path) !== "preload.cjs").toSorted()
}
