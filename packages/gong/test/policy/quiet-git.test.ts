import assert from "node:assert/strict"
import { test } from "node:test"
import type { PolicyFacts } from "../../src/policy/judge.ts"
import { parseSettings } from "../../src/policy/git-settings.ts"
import { bash, decide, facts, rules, verdict } from "./world.ts"

/** The usual answers of git, some of them others. */
function saying(others: Readonly<Record<string, { code: number; stdout: string } | null>>): PolicyFacts {
  const usual = facts()
  return facts({
    level: "ask",
    askGit: async (folder, args, env) => {
      const [verb = ""] = args
      return verb in others ? (others[verb] ?? null) : usual.askGit(folder, args, env)
    },
  })
}

test("[SAFE-5] a command that git reads by runs with the folders and settings that were judged", async () => {
  const decision = await decide(bash("git status | head -3"), facts({ level: "ask" }))
  assert.equal(decision.verdict, "allow")
  const { env = {} } = decision.verdict === "allow" ? decision : {}
  assert.equal(env["GIT_DIR"], "/home/u/shop/.git")
  assert.equal(env["GIT_WORK_TREE"], "/home/u/shop")
  assert.deepEqual([env["GIT_CONFIG_KEY_0"], env["GIT_CONFIG_VALUE_0"]], ["core.hookspath", "/dev/null"])
  assert.deepEqual(await decide(bash("ls"), facts({ level: "ask" })), { verdict: "allow" })
  const numbered = await decide(bash("git log"), facts({ level: "ask", env: { GIT_CONFIG_COUNT: "2" } }))
  assert.equal(numbered.verdict === "allow" && numbered.env?.["GIT_CONFIG_KEY_2"], "core.hookspath")
})

test("[SAFE-5] where git gives no answer, or one that is not plain, it is asked about", async () => {
  const top = "/home/u/shop"
  const found = { code: 0, stdout: `${top}/.git\n${top}/.git\n${top}\n` }
  assert.equal(await verdict(bash("git status"), saying({ "rev-parse": found })), "allow")
  for (const others of [
    { "rev-parse": null },
    { "rev-parse": { code: 128, stdout: `${top}\n${top}\n` } },
    { "rev-parse": { code: 0, stdout: `${top}/.git\n${top}/.git\n` } },
    { "rev-parse": { code: 0, stdout: `--path-format=absolute\n.git\n.git\n${top}\n` } },
    { "rev-parse": { code: 0, stdout: `.git\n.git\n${top}\n` } },
    { config: null },
    { config: { code: 128, stdout: "" } },
    // A git that does not know variables with settings.
    { config: { code: 0, stdout: "local\0file:/home/u/shop/.git/config\0core.bare\nfalse\0" } },
    { "ls-files": null },
    { "ls-files": { code: 0, stdout: `100644 ${"1".repeat(40)} 0\ta\x00160000 ${"1".repeat(40)} 0\tb\0` } },
  ])
    assert.equal(await verdict(bash("git status"), saying(others)), "deny", JSON.stringify(others))
})

test("where git finds no repository, or is not there, it does no harm and is not asked about", async () => {
  assert.equal(await verdict(bash("git status"), saying({ "rev-parse": { code: 128, stdout: "" } })), "allow")
  const without = facts({ level: "ask", findProgram: async () => null, askGit: async () => null })
  assert.equal(await verdict(bash("git status"), without), "allow")
})

test("beside a command that a rule lets pass git is asked about: the variables would be that one's, too", async () => {
  const given = facts({ level: "ask", allow: rules("bash(npm test)", "bash(ls *)") })
  assert.equal(await verdict(bash("npm test"), given), "allow")
  assert.equal(await verdict(bash("npm test && git status"), given), "deny")
  assert.equal(await verdict(bash("ls -a && git status"), given), "allow", "that one only reads")
})

test("[SAFE-4] a program that the workspace brings is not the one that only reads", async () => {
  const given = facts({
    findProgram: async (name) => (name === "rg" ? "/home/u/shop/node_modules/.bin/rg" : `/usr/bin/${name}`),
  })
  assert.equal(await verdict(bash("ls"), given), "allow")
  assert.equal(await verdict(bash("ls | rg x"), given), "deny")
  assert.equal(await verdict(bash("rg x"), facts({ findProgram: async () => null })), "allow", "it would not be found")
})

test("settings as git lists them, with line breaks in values and keys without one", () => {
  const text = "local\0file:/a b\0core.bare\0command\0command line:\0alias.x\n!a\nb\0"
  assert.deepEqual(parseSettings(text), [
    { scope: "local", origin: "file:/a b", key: "core.bare", value: null },
    { scope: "command", origin: "command line:", key: "alias.x", value: "!a\nb" },
  ])
})
