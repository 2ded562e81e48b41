import assert from "node:assert/strict"
import { test } from "node:test"
import { noSandbox, sandboxPlace } from "./sandbox-fixture.ts"

// The notes of denied commands contain advice.

const skip = noSandbox

test("a hook manager that cannot install hooks: the note names the file and an alternative", { skip }, async (t) => {
  const here = sandboxPlace(t)
  await here.outside("git init -q")
  const hook = `${here.repo}/.git/hooks/pre-commit`
  // The message of lefthook, a Go program.
  const lefthook = `touch ${hook} 2>/dev/null || { echo "Error: could not add the hook: open ${hook}: read-only file system" >&2; exit 1; }`
  for (const command of [lefthook, "cp /bin/true .git/hooks/pre-commit", "git config core.hooksPath .husky"]) {
    const { note } = await here.inside(command)
    assert.match(note ?? "", /^\[sandbox: blocked write to \S+\/\.git\/(?:hooks\/pre-commit|config);/, command)
    assert.match(note ?? "", /go on without it \(npm ci --ignore-scripts\)/, command)
    assert.match(note ?? "", /unsandboxed: true\]$/, command)
  }
})

test("an unreachable local server while the network is off: the note names the setting", { skip }, async (t) => {
  const refused = "echo 'npm error FetchError: connect ECONNREFUSED 127.0.0.1:4873'; exit 1"
  const curl = "exec 3<>/dev/tcp/127.0.0.1/9"
  const off = sandboxPlace(t, { network: false })
  for (const command of [refused, curl]) assert.match((await off.inside(command)).note ?? "", /--network off/, command)
  assert.doesNotMatch((await sandboxPlace(t).inside(refused)).note ?? "", /--network off/)
})
