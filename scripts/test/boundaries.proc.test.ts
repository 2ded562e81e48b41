import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { breaches } from "./breaches.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const oxlint = join(root, "node_modules/oxlint/bin/oxlint")

interface Report {
  readonly diagnostics: readonly { readonly code?: string; readonly filename: string }[]
}

test("the linter catches a breach of every boundary", () => {
  const overlay = mkdtempSync(join(tmpdir(), "gong-boundaries-"))
  try {
    plant(overlay)
    const caught = lint(overlay)
    const missed = breaches.filter(
      (breach) => !(caught.get(breach.file) ?? []).some((code) => code.includes(breach.rule)),
    )
    assert.deepEqual(
      missed.map((breach) => `${breach.boundary} (${breach.file})`),
      [],
    )
  } finally {
    rmSync(overlay, { recursive: true })
  }
})

test("permitted imports are not reported", () => {
  const overlay = mkdtempSync(join(tmpdir(), "gong-boundaries-"))
  try {
    for (const [file, text] of Object.entries(allowed)) put(overlay, file, text)
    scaffold(overlay)
    assert.deepEqual([...lint(overlay)], [])
  } finally {
    rmSync(overlay, { recursive: true })
  }
})

/** One correct file per exemption. */
const allowed: Readonly<Record<string, string>> = {
  "packages/loop/src/a.ts": `export type { Message } from "@gong/spec"\n`,
  "packages/llm/src/transport/transport.ts": `import type { Agent } from "node:http"\nexport type A = Agent\nexport const http = () => process.getBuiltinModule("node:http")\n`,
  "packages/llm/src/part.ts": `export const bytes = Buffer.from("")\n`,
  "packages/tools/src/host/local.ts": `export { readFileSync } from "node:fs"\nexport const later = setTimeout\n`,
  "packages/tape/src/store/file.ts": `export { readFileSync } from "node:fs"\nexport const pid = () => process.pid\n`,
  "packages/tape/src/index/search.ts": `export { DatabaseSync } from "node:sqlite"\nexport { readFileSync } from "../store/file.ts"\n`,
  "packages/app/src/compose/open-session.ts": `export { readFileSync } from "node:fs"\n`,
  "packages/app/src/ports.ts": `export const now = () => [Date.now(), setTimeout]\n`,
  "packages/app/src/controller/controller.ts": `export const controller = ""\n`,
  "packages/gong/src/cli.ts": `export const home = () => process.env["GONG_HOME"]\n`,
  "packages/gong/src/main.ts": `export const leave = () => process.exit(0)\n`,
  "packages/gong/src/terminal/lines.ts": `export const lines = ""\n`,
  "packages/gong/src/modes/print/print.ts": `export { lines } from "../../terminal/lines.ts"\n`,
  "packages/gong/src/modes/plain/plain.ts": `export { createController } from "@gong/app/controller/controller"\nexport type { Session } from "@gong/session/session"\n`,
  "packages/gong/src/modes/tui/view.ts": `export { createFrame } from "@gong/screen/frame"\nexport { lines } from "../../terminal/lines.ts"\n`,
  "packages/config/src/read.ts": `export { readFileSync } from "node:fs"\nexport { englishOf } from "@gong/spec"\n`,
  "packages/resources/src/prompt/load-files.ts": `export { join } from "node:path"\n`,
  "packages/resources/src/skills/deep/load.ts": `export { join } from "node:path"\n`,
  "packages/loop/test/a.test.ts": `export { readFileSync } from "node:fs"\nexport type { Message } from "../src/a.ts"\n`,
  "examples/extensions/a.ts": `import { join } from "node:path"\nexport default () => join("a", "b")\n`,
  "packages/web/src/a.ts": `export const get = () => fetch("/")\n`,
}

function plant(overlay: string): void {
  for (const breach of breaches) put(overlay, breach.file, breach.text)
  scaffold(overlay)
}

function put(overlay: string, file: string, text: string): void {
  mkdirSync(dirname(join(overlay, file)), { recursive: true })
  writeFileSync(join(overlay, file), text)
}

/** The real configuration over the planted files. */
function scaffold(overlay: string): void {
  for (const file of ["oxlint.config.ts", "tsconfig.json", "package.json"])
    cpSync(join(root, file), join(overlay, file))
  symlinkSync(join(root, "node_modules"), join(overlay, "node_modules"))
}

/** One run over all files: which rules spoke about which file. */
function lint(overlay: string): Map<string, string[]> {
  const folders = ["packages", "testing", "examples", "scripts", "bench"].filter((name) =>
    existsSync(join(overlay, name)),
  )
  const run = spawnSync(process.execPath, [oxlint, "--type-aware", "-f", "json", ...folders], {
    cwd: overlay,
    encoding: "utf8",
    timeout: 60_000,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
  })
  const report = JSON.parse(run.stdout) as Report
  const caught = new Map<string, string[]>()
  for (const { filename, code } of report.diagnostics)
    caught.set(filename, [...(caught.get(filename) ?? []), code ?? "?"])
  return caught
}
