import assert from "node:assert/strict"
import { test } from "node:test"
import type { PolicyCall } from "@gong/spec"
import type { PolicyFacts } from "../src/decision.ts"
import { gitHooksPath } from "../src/git/hooks-path.ts"
import { createPolicy } from "../src/policy.ts"
import { bash, decide, facts, file, rules, verdict } from "./fixtures.ts"

const asks = (more: Partial<PolicyFacts> = {}) => facts({ level: "ask", interactive: true, ...more })

async function question(call: PolicyCall, given: PolicyFacts) {
  const found = await decide(call, given)
  return found.verdict === "ask" ? { reason: found.reason, rule: found.rules?.suggestedRule ?? null } : found.verdict
}

test("a question about a path gives the reason and suggests a rule that covers it", async () => {
  const inWorkspace = asks({ reads: "workspace" })
  assert.deepEqual(await question(file("read", "/etc/x"), inWorkspace), {
    reason: "outside the workspace",
    rule: "read(/etc/x)",
  })
  assert.equal(
    ((await question(file("read", "/home/u/.ssh/id"), inWorkspace)) as { reason: string }).reason,
    "it may hold keys",
  )
  assert.deepEqual(await question(file("edit", "src/a"), asks()), { reason: "level ask", rule: "edit(src/a)" })
  assert.deepEqual(await question(file("edit", "/tmp/a"), asks()), { reason: "level ask", rule: "edit(/tmp/a)" })
  const gitRoot = asks({ level: "auto", roots: ["/home/u/shop", "/w/x/.GIT"] })
  assert.match(
    ((await question(file("edit", "/w/x/.GIT/config"), gitRoot)) as { reason: string }).reason,
    /^it controls /,
  )
})

test("headless, only the refusal of a path outside the roots names the folder", async () => {
  const printed = async (call: PolicyCall, more: Partial<PolicyFacts> = {}) => {
    const found = await decide(call, facts({ level: "ask", ...more }))
    return found.verdict === "deny" ? found.toModel : found.verdict
  }
  assert.match(await printed(file("edit", "/etc/x")), /\/etc/)
  assert.doesNotMatch(await printed(file("edit", ".git/config"), { level: "auto" }), /--add-dir/)
  assert.doesNotMatch(await printed(file("read", "/home/u/.ssh/id")), /--add-dir/)
})

test("a path is resolved as written; an empty one is the working directory; the error of an unresolvable one is reported", async () => {
  const typed: string[] = []
  const locate: PolicyFacts["locate"] = async (path) => {
    typed.push(path)
    return { path: "/home/u/shop", real: "/home/u/shop" }
  }
  await decide(file("ls", ""), facts({ locate }))
  assert.deepEqual(typed, ["/home/u/shop"])
  const found = await decide(file("read", "x"), facts({ locate: () => Promise.reject(new Error("no way")) }))
  assert.equal(found.verdict === "deny" && found.toModel, "no way")
})

test("plan allows what a rule names and read-only commands, but no keys", async () => {
  const plan = facts({ level: "plan", allow: rules("bash(foo *)") })
  assert.equal(await verdict(bash("foo a; cat a"), plan), "allow")
  assert.equal(await verdict(bash("foo a; cat /home/u/.ssh/id"), plan), "deny")
  assert.equal(await verdict(bash("head a"), plan), "deny")
})

test("a search that follows links needs approval if one leads outside, or cannot be resolved", async () => {
  const quiet = { hasEscapingLinks: async () => false }
  const out = asks(quiet)
  const reason = (given: PolicyFacts) => question(bash("grep -R x sub"), given)
  assert.equal(await reason(out), "allow")
  const locate: PolicyFacts["locate"] = async (path) => ({
    path,
    real: path === "/home/u/shop/sub" ? "/srv/x" : path,
  })
  const expected = { reason: "it follows symbolic links, and they may lead out of the folder", rule: null }
  const { reason: why } = (await reason(asks({ ...quiet, locate }))) as { reason: string }
  assert.equal(why, expected.reason)
  const inside = (await reason(asks({ hasEscapingLinks: async () => true }))) as { reason: string }
  assert.equal(inside.reason, expected.reason)
  const fails: PolicyFacts["locate"] = async (path) => {
    if (path.endsWith("/sub")) throw new Error("gone")
    return { path, real: path }
  }
  assert.notEqual(await reason(asks({ ...quiet, locate: fails })), "allow")
})

test("a question about a command gives the first applicable reason", async () => {
  const reason = async (command: string, more: Partial<PolicyFacts> = {}) => {
    const asked = await question(bash(command), asks(more))
    return typeof asked === "string" ? asked : asked.reason
  }
  const mayRun = "a program of the workspace may run, or one that its git settings name"
  assert.equal(await reason("git status", { queryGit: async () => null }), mayRun)
  assert.equal(await reason("ls", { findProgram: async () => "/home/u/shop/bin/ls" }), mayRun)
  assert.equal(await reason("cat ~/.ssh/id"), "it may show keys")
  assert.equal(await reason("cat ~/.ssh/id", { findProgram: async () => "/home/u/shop/bin/cat" }), "it may show keys")
  assert.equal(await reason("curl x; cat ~/.ssh/id"), 'rule "curl" (built in)')
  assert.equal(await reason("make all"), "it is not known to only read")
  assert.equal(await reason("make $X"), "it cannot be told what all of it does")
})

test("the suggested rule covers this command alone", async () => {
  for (const [command, rule] of [
    ["npm run test", "bash(npm run test)"],
    ["npm run build", "bash(npm run build)"],
    ["git commit", "bash(git commit)"],
    ["git commit -m x", "bash(git commit -m x)"],
    ["foo a b", "bash(foo a b)"],
    ["git -C x commit", "bash(git -C x commit)"],
    ["foo 'a!'", null],
    ["foo '!a'", null],
    ["foo a > f", null],
    ["foo; bar", null],
    ["foo $X", null],
    ["foo a*", null],
    ["cat /home/u/.ssh/id", null],
  ] as const)
    assert.equal(((await question(bash(command), asks())) as { rule: string | null }).rule, rule, command)
  assert.equal(await verdict(bash("foo $(bar)"), asks({ allow: rules("bash(*)") })), "allow")
  assert.equal(await verdict(bash("foo $(bar)"), asks({ allow: rules("bash(foo *)") })), "ask")
})

test("a URL without a host needs approval, without a suggested rule", async () => {
  const call = (url: string) => ({ tool: "fetch", arguments: { url }, title: url })
  assert.deepEqual(await question(call("data:x"), asks()), { reason: "it asks the network", rule: null })
  assert.deepEqual(await question(call("https://a.example/x"), asks()), {
    reason: "it asks a.example",
    rule: "fetch(a.example)",
  })
})

test("a hundred and one questions keep their suggested rules, then all are dropped", async () => {
  for (const [count, expected] of [
    [101, "allow"],
    [102, "ask"],
  ] as const) {
    const policy = createPolicy(asks())
    for (let at = 0; at < count; at++) await policy.decide(bash(`make t${at} x`))
    await policy.remember(bash("make t0 x"), "session", true)
    assert.equal((await policy.decide(bash("make t0 x"))).verdict, "allow")
    assert.equal((await policy.decide(bash("make t0 y"))).verdict, expected, String(count))
  }
})

test("a rule is stored once; default ports are not opened explicitly; a rule inside the roots grants nothing", async () => {
  const kept: string[] = []
  const policy = createPolicy(asks({ storeRule: async (rule) => void kept.push(rule) }))
  await policy.decide(bash("make x y"))
  await policy.remember(bash("make x y"), "always")
  await policy.remember(bash("make x y"), "always")
  assert.deepEqual(kept, ["bash(make x y)"])
  const ports = createPolicy(asks({ allow: rules("network(a.b:80)", "network(a.b:443)", "network(a.b:81)") }))
  assert.deepEqual(await ports.hostPorts(), [81])
  const byRule = createPolicy(asks({ allow: rules("edit(**)", "edit(/etc/x)") }))
  await byRule.decide(file("edit", "a"))
  assert.deepEqual(byRule.granted(), [])
  await byRule.decide(file("edit", "/etc/x"))
  assert.deepEqual(byRule.granted(), ["/etc/x"])
})

test("only the last line break of a hooks folder is git's own", async () => {
  const named = (stdout: string) => gitHooksPath(facts({ queryGit: async () => ({ code: 0, stdout }) }))
  assert.equal(await named("/h\nx\n"), "/h\nx")
  assert.equal(await named("\n"), null)
})

test("a tool that acts only on the session is allowed at every level, unless a rule denies it", async () => {
  const call = { tool: "todo", arguments: {}, title: "todo" }
  for (const level of ["plan", "ask", "auto", "full"] as const) {
    assert.equal(await verdict(call, asks({ level })), "allow", level)
    assert.equal(await verdict(call, asks({ level, deny: rules("todo") })), "deny", level)
  }
})
