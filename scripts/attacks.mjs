import { spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { attackFiles, sameForAnyone, sameWithoutSandbox } from "./attack-files.mjs"
import { needNode24, root } from "./node24.mjs"
import { runTests } from "./test-files.mjs"

/**
 * npm run test:attacks [-- [--not-as-root] FILTER ...]
 *
 * Every test file with "attacks" in its path, in up to three rounds: as the current user, as an ordinary user, and where
 * user namespaces are missing, so that there is no sandbox. Rounds after the first skip equivalent tests. A
 * FILTER is a further part of a file's path; `--not-as-root` skips the tests that `npm test` has run as root. Counts the attacks
 * that ran with their control; fails when one fails or there are fewer than `least`. Exit 2: too many cannot be tried here.
 */
const least = 120
const nobody = 65_534

const filters = process.argv.slice(2).filter((word) => word !== "--not-as-root")
const asRoot = !process.argv.includes("--not-as-root")
const node = needNode24()
const isRoot = process.getuid?.() === 0
const files = (parts) =>
  attackFiles(parts).filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
const ordinary = isRoot ? { uid: nobody, gid: nobody } : {}
const withoutNamespaces = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--", node]

const rounds = [
  ...(isRoot && asRoot ? [{ name: "as root", files: files(), argv: [node], as: {}, skip: null }] : []),
  {
    name: "as an ordinary user",
    files: files(isRoot ? sameForAnyone : []),
    argv: [node],
    as: ordinary,
    skip: notReadable(),
  },
  {
    name: "as an ordinary user, without user namespaces",
    files: files(sameWithoutSandbox),
    argv: withoutNamespaces,
    as: ordinary,
    skip: notReadable() ?? notWithout(),
  },
]

let status = 0
let corpus = null
for (const round of rounds) {
  console.log(`\n== attacks ${round.name}${round.skip === null ? "" : `: not run, since ${round.skip}`}`)
  if (round.skip !== null) continue
  const { failed, ran, skipped } = await runRound(round)
  corpus ??= { ran, all: ran + [...skipped.values()].reduce((sum, count) => sum + count, 0) }
  console.log(`${ran} attacks, each with its control${failed === 0 ? "" : `; tests failed (${failed})`}`)
  for (const [reason, count] of skipped) console.log(`${count} not tried: ${reason}`)
  status = Math.max(status, failed === 0 ? 0 : 1)
}
if (corpus === null) status = Math.max(status, 2)
else if (filters.length === 0 && corpus.ran < least) {
  console.error(`\nThere have to be at least ${least} attacks; ${corpus.ran} of ${corpus.all} were tried.`)
  status = Math.max(status, corpus.all < least ? 1 : 2)
}
process.exitCode = status

/** Its home and the results are in a folder of the round's user. */
async function runRound({ files, argv, as }) {
  const home = mkdtempSync(join(tmpdir(), "gong-test-attacks-"))
  try {
    if (as.uid !== undefined) chownSync(home, as.uid, as.gid)
    const flags = (kind) => [
      "--test-reporter=dot",
      "--test-reporter-destination=stdout",
      "--test-reporter=./scripts/titles-reporter.mjs",
      `--test-reporter-destination=${join(home, `${kind}.jsonl`)}`,
    ]
    const failed = await runTests(argv, files, flags, { ...as, env: { HOME: home }, limitMs: 600_000 })
    return { failed, ...countAttacks(home) }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** By the end of their titles (testing/src/attacks.ts). */
function countAttacks(folder) {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
  let ran = 0
  const skipped = new Map()
  for (const { title, ok, skip } of lines.map((line) => JSON.parse(line))) {
    const found = /\((?:(\d+) )?attacks? with controls?\)$/.exec(title)
    if (found === null) continue
    const count = Number(found[1] ?? 1)
    if (skip !== undefined) skipped.set(skip, (skipped.get(skip) ?? 0) + count)
    else if (ok) ran += count
  }
  return { ran, skipped }
}

function notReadable() {
  if (!isRoot) return null
  const { status } = spawnSync(node, ["-e", "fs.readdirSync('packages')"], { cwd: root, ...ordinary })
  return status === 0 ? null : "another user than root cannot read this folder"
}

function notWithout() {
  if (!["/usr/bin/bwrap", "/bin/bwrap"].some((path) => existsSync(path))) return "bubblewrap is not installed"
  const { status, stderr } = spawnSync("bwrap", [...withoutNamespaces.slice(1, -1), "true"], {
    ...ordinary,
    encoding: "utf8",
  })
  return status === 0 ? null : `bubblewrap cannot take them away: ${stderr?.trim()}`
}
