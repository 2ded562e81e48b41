import assert from "node:assert/strict"
import { test } from "node:test"
import { createPolicy } from "../src/policy.ts"
import { autorun } from "../src/sensitive/autorun.ts"
import { bash, decide, facts, file, rules, verdict } from "./fixtures.ts"

const levels = ["plan", "ask", "auto", "full"] as const

/** One path per name of the table: `*` is replaced, and a folder gets a file in it. */
const paths = autorun.flatMap(({ names }) => names.map((name) => name.replaceAll("*", "x")))

async function row(path: string, interactive: boolean): Promise<string> {
  const verdicts = levels.map(async (level) => verdict(file("write", path), facts({ level, interactive })))
  return (await Promise.all(verdicts)).join(" ")
}

test("[SAFE-27] files that another program runs need approval at auto: every name, at every depth, in any case", async () => {
  for (const path of paths)
    for (const form of [path, `${path}/below/it`, `packages/a/${path}`, path.toUpperCase(), `./src/../${path}`]) {
      assert.equal(await row(form, true), "deny ask ask allow", form)
      assert.equal(await row(form, false), "deny deny deny allow", form)
    }
})

test("names match completely: similar names, and files of a build, need no approval", async () => {
  for (const path of [
    ".vscode/extensions.json",
    ".vscode-test/tasks.json",
    "vscode/tasks.json",
    "my.vscode/tasks.json",
    "src/tasks.json",
    ".github/ISSUE_TEMPLATE.md",
    ".github/workflows.md",
    "docs/github/workflows/a.yml",
    "Jenkinsfile.md",
    "myjenkinsfile",
    "a.code-workspace.md",
    ".envrc.example",
    ".mcp.json5",
    "mise.md",
    "lefthook",
    "package.json",
    "Makefile",
    ".editorconfig",
    ".tool-versions",
    "AGENTS.md",
    ".npmrc",
  ])
    assert.equal(await verdict(file("write", path), facts()), "allow", path)
})

test("[SAFE-27] links, other roots and parent folders are resolved to their real path", async () => {
  const links = { "/home/u/shop/conf": "/home/u/shop/.vscode", "/home/u/shop/ci": "/home/u/shop/.github" }
  const given = facts({}, links)
  assert.equal(await verdict(file("write", "conf/tasks.json"), given), "deny")
  assert.equal(await verdict(file("edit", "ci/workflows/a.yml"), given), "deny")
  assert.equal(await verdict(file("write", "conf/extensions.json"), given), "allow")
  assert.equal(await verdict(file("write", "/w/b/.envrc"), facts({ roots: ["/home/u/shop", "/w/b"] })), "deny")
  const inAgents = facts({ roots: ["/home/u/.claude/worktrees/a"], cwd: "/home/u/.claude/worktrees/a" })
  assert.equal(await verdict(file("write", "src/a.ts"), inAgents), "allow", "names above the root do not count")
  assert.equal(await verdict(file("write", ".claude/settings.json"), inAgents), "deny")
})

test("[SAFE-27] the question names the program that would act, and suggests a rule for that file alone; the rule or approval allows it", async () => {
  const asked = async (path: string) => {
    const decision = await decide(file("write", path), facts({ interactive: true }))
    return decision.verdict === "ask" ? [decision.reason, decision.rules?.suggestedRule] : []
  }
  const rule = "write(.vscode/tasks.json)"
  assert.deepEqual(await asked(".vscode/tasks.json"), ["it controls VS Code and its forks", rule])
  assert.deepEqual((await asked(".github/workflows/ci.yml"))[0], "it controls continuous integration")
  assert.deepEqual((await asked(".git/config"))[0], "it controls git or Gong")
  const given = facts({ allow: rules(rule) })
  assert.equal(await verdict(file("write", ".vscode/tasks.json"), given), "allow")
  assert.equal(await verdict(file("write", ".vscode/launch.json"), given), "deny")
})

test("[SAFE-27] git's configured hooks folder needs approval too, wherever it is configured; git is queried once", async () => {
  let asked = 0
  const given = (hooks: string, links = {}) =>
    facts(
      {
        queryGit: async (folder, args) => {
          asked++
          assert.deepEqual([folder, args.at(-1)], ["/home/u/shop", "core.hooksPath"])
          return hooks === "" ? { code: 1, stdout: "" } : { code: 0, stdout: `${hooks}\n` }
        },
      },
      links,
    )
  for (const hooks of ["tools/hooks", "./tools/hooks/", "/home/u/shop/tools/hooks", "~/shop/tools/hooks", "linked"]) {
    const policy = createPolicy(given(hooks, { "/home/u/shop/linked": "/home/u/shop/tools/hooks" }))
    asked = 0
    for (const path of ["tools/hooks/pre-commit", "tools/hooks/a/b"])
      assert.equal((await policy.decide(file("write", path))).verdict, "deny", `${hooks}: ${path}`)
    assert.equal((await policy.decide(file("write", "tools/hooks.md"))).verdict, "allow", hooks)
    assert.equal(asked, 1)
  }
  assert.equal(await verdict(file("write", "tools/hooks/pre-commit"), given("")), "allow")
  assert.equal(await verdict(file("write", "tools/hooks/a"), facts({ queryGit: async () => null })), "allow")
})

test("reading them is allowed", async () => {
  assert.equal(await verdict(file("read", ".github/workflows/ci.yml"), facts()), "allow")
  assert.equal(await verdict(bash("cat .envrc"), facts()), "allow")
})

test("each row of the table has a unique name, and no pattern is repeated", () => {
  const names = autorun.flatMap((one) => one.names)
  assert.deepEqual(names, [...new Set(names)])
  assert.deepEqual(
    names,
    names.map((name) => name.toLowerCase()),
  )
  assert.equal(new Set(autorun.map(({ program }) => program)).size, autorun.length)
})
