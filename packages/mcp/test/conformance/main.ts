// `npm run test:mcp -- conformance [WORDS]`: each client scenario of the conformance suite in each revision that it names. Writes
// the report, packages/mcp/test/conformance/report.md. Exit status 1 where a scenario that is no extension fails.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const suite = here("../peers/node_modules/@modelcontextprotocol/conformance/dist/index.js")
const version = "0.2.0-alpha.12"
const wanted = process.argv.slice(2).join(" ")
const folder = mkdtempSync(join(tmpdir(), "gong-conformance-"))

interface Scenario {
  readonly name: string
  readonly revision: string
}

interface Outcome extends Scenario {
  readonly passed: boolean
  /** `7/7, 0 failed, 0 warnings`. */
  readonly checks: string
}

async function scenarios(): Promise<readonly Scenario[]> {
  const { stdout } = await run(process.execPath, [suite, "list"])
  const [, listed = ""] = /Client scenarios[^\n]*\n([^]*?)\n\n/.exec(stdout) ?? []
  return [...listed.matchAll(/^ {2}- (\S+) \[([^\]]+)\]/gm)].flatMap(([, name = "", revisions = ""]) =>
    revisions.split(",").map((revision) => ({ name, revision })),
  )
}

async function play({ name, revision }: Scenario): Promise<Outcome> {
  const command = `${process.execPath} ${here("client.ts")}`
  const args = ["client", "--command", command, "--scenario", name, "--output-dir", folder]
  const version_ = revision === "extension" ? [] : ["--spec-version", revision]
  const ended = await run(process.execPath, [suite, ...args, ...version_], { cwd: folder, timeout: 60_000 }).then(
    ({ stdout, stderr }) => ({ ok: true, text: stdout + stderr }),
    (error: { stdout?: string; stderr?: string }) => ({ ok: false, text: `${error.stdout}${error.stderr}` }),
  )
  const [, checks = "no checks"] = /^Passed: (.*)$/m.exec(ended.text) ?? []
  // Where nothing was checked nothing has passed.
  return { name, revision, passed: ended.ok && /^[1-9]/.test(checks), checks }
}

/** Two at a time. */
async function playAll(all: readonly Scenario[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) outcomes[at] = await play(all[at] as Scenario)
  }
  await Promise.all([work(), work()])
  return outcomes
}

function report(outcomes: readonly Outcome[]): string {
  const own = outcomes.filter(({ revision }) => revision !== "extension")
  const names = new Set(own.map(({ name }) => name))
  const passed = [...names].filter((name) => own.every((one) => one.name !== name || one.passed))
  return [
    "# Conformance of the MCP client",
    "",
    `Written by \`npm run test:mcp -- conformance\` with @modelcontextprotocol/conformance ${version}: ${passed.length} of ${names.size} client scenarios pass in each revision that they name. Extensions are reported and not required.`,
    "",
    "| scenario | revision | passed | checks |",
    "| --- | --- | --- | --- |",
    ...outcomes.map(
      ({ name, revision, passed: ok, checks }) => `| ${name} | ${revision} | ${ok ? "yes" : "no"} | ${checks} |`,
    ),
    "",
  ].join("\n")
}

const outcomes = await playAll((await scenarios()).filter(({ name }) => name.includes(wanted)))
rmSync(folder, { recursive: true, force: true })
for (const { name, revision, passed, checks } of outcomes)
  process.stdout.write(
    `${passed ? "ok  " : revision === "extension" ? "no  " : "FAIL"} ${name} ${revision}: ${checks}\n`,
  )
if (wanted === "") writeFileSync(here("report.md"), report(outcomes))
const failed = outcomes.filter(({ passed, revision }) => !passed && revision !== "extension")
process.stdout.write(`${outcomes.length - failed.length} of ${outcomes.length} passed or are extensions\n`)
process.exitCode = outcomes.length > 0 && failed.length === 0 ? 0 : 1
