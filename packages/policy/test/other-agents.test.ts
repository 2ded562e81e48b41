import assert from "node:assert/strict"
import { test } from "node:test"
import { lists } from "./other-agents-lists.ts"
import { bash, decide, facts, verdict } from "./fixtures.ts"

/** Maximum share of another agent's unasked commands that may ask here. */
const mostAsked = 0.05

const place = facts({ level: "ask", interactive: false })

for (const { agent, safe, dangerous } of lists) {
  test(`${agent}: of ${safe.length} commands that it allows without approval at most 5 % need approval here`, async () => {
    const asked: string[] = []
    for (const command of safe) if ((await verdict(bash(command), place)) !== "allow") asked.push(command)
    assert.ok(asked.length <= safe.length * mostAsked, `${asked.length} of ${safe.length}: ${asked.join("; ")}`)
  })

  test(`${agent}: of ${dangerous.length} commands that it does not allow none runs without approval`, async () => {
    const free: string[] = []
    for (const command of dangerous) if ((await verdict(bash(command), place)) === "allow") free.push(command)
    assert.deepEqual(free, [])
  })
}

test("grep -R needs approval if a link leads outside the searched folder, and none in the sandbox", async () => {
  const links = { "/home/u/shop/keys": "/home/u/.ssh" }
  const search = bash("grep -R foo .")
  assert.equal(await verdict(search, place), "allow")
  const asked = await decide(search, facts({ level: "ask", interactive: true }, links))
  assert.ok(asked.verdict === "ask" && /follows symbolic links/.test(asked.reason))
  assert.equal(await verdict(bash("grep -r foo ."), facts({ level: "ask" }, links)), "allow")
  assert.equal(await verdict(bash("grep -R foo /etc"), place), "deny")
  assert.equal(await verdict(search, facts({ level: "auto", sandbox: "workspace" }, links)), "allow")
})
