import assert from "node:assert/strict"
import { test } from "node:test"
import type { PolicyFacts } from "../src/decision.ts"
import { parseSettings } from "../src/git/git-settings.ts"
import { bash, decide, facts, rules, verdict } from "./fixtures.ts"

/** Typical answers of git, with changes. */
function saying(others: Readonly<Record<string, { code: number; stdout: string } | null>>): PolicyFacts {
  const usual = facts()
  return facts({
    level: "ask",
    queryGit: async (folder, args, env) => {
      const [verb = ""] = args
      return verb in others ? (others[verb] ?? null) : usual.queryGit(folder, args, env)
    },
  })
}

test("[SAFE-5] an allowed git read runs with the checked folders and settings pinned", async () => {
  const decision = await decide(bash("git status | head -3"), facts({ level: "ask" }))
  assert.equal(decision.verdict, "allow")
  const { env = {} } = decision.verdict === "allow" ? decision : {}
  assert.equal(env["GIT_DIR"], "/home/u/shop/.git")
  assert.equal(env["GIT_WORK_TREE"], "/home/u/shop")
  const named = Object.keys(env).filter((name) => name.startsWith("GIT_CONFIG_KEY_"))
  assert.deepEqual(
    named.map((name) => `${env[name]}=${env[name.replace("KEY", "VALUE")]}`),
    ["core.hookspath=/dev/null", "core.fsmonitor=false", "diff.submodule=short", "status.submodulesummary=false"],
  )
  assert.deepEqual(
    [env["GIT_CONFIG_COUNT"], env["GIT_PAGER"], env["GIT_OPTIONAL_LOCKS"], env["GIT_ALLOW_PROTOCOL"]],
    ["4", "cat", "0", "none"],
  )
  assert.deepEqual(await decide(bash("ls"), facts({ level: "ask" })), { verdict: "allow" })
  const numbered = await decide(bash("git log"), facts({ level: "ask", env: { GIT_CONFIG_COUNT: "2" } }))
  assert.equal(numbered.verdict === "allow" && numbered.env?.["GIT_CONFIG_KEY_2"], "core.hookspath")
})

test("[SAFE-5] without an answer of git, or with an unclear one, the read needs approval", async () => {
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
    // A git without support for settings in variables.
    { config: { code: 0, stdout: "local\0file:/home/u/shop/.git/config\0core.bare\nfalse\0" } },
    { "ls-files": null },
    { "ls-files": { code: 0, stdout: `100644 ${"1".repeat(40)} 0\ta\x00160000 ${"1".repeat(40)} 0\tb\0` } },
  ])
    assert.equal(await verdict(bash("git status"), saying(others)), "deny", JSON.stringify(others))
})

const own = "local file:/home/u/shop/.git/config"
const users = "global file:/home/u/.gitconfig"

const settings: Readonly<Record<string, "allow" | "deny">> = {
  [`${own} core.bare=false`]: "allow",
  [`${own} core.pager=evil`]: "allow",
  [`${own} alias.status=!evil`]: "allow",
  [`${own} remote.origin.url=ext::evil`]: "allow",
  [`${own} user.name=clean process command`]: "allow",
  [`${own} branch.clean.remote=origin`]: "allow",
  [`${own} format.pretty=%h`]: "allow",
  [`${own} diff.external=evil`]: "deny",
  [`${own} diff.T.x.textconv=evil`]: "deny",
  [`${own} diff.t.command=evil`]: "deny",
  [`${own} filter.f.clean=evil`]: "deny",
  [`${own} filter.f.smudge=evil`]: "deny",
  [`${own} filter.f.process=evil`]: "deny",
  [`${own} lfs.extension.x.clean=evil`]: "deny",
  [`${own} hook.x.command=evil`]: "deny",
  [`${own} gpg.program=evil`]: "deny",
  [`${own} gpg.ssh.program=evil`]: "deny",
  [`${own} gpg.ssh.defaultkeycommand=evil`]: "deny",
  [`${own} merge.m.driver=evil`]: "deny",
  [`${own} core.alternaterefscommand=evil`]: "deny",
  [`${own} log.showsignature`]: "deny",
  [`${own} log.diffmerges=remerge`]: "deny",
  [`${own} format.pretty=%h %G?`]: "deny",
  [`${own} pretty.x=format:%GK`]: "deny",
  [`${own} xformat.pretty=%G?`]: "allow",
  [`${own} format.prettyx=%G?`]: "allow",
  [`${users} format.pretty=%G?`]: "allow",
  "mysystem file:/etc/gitconfig diff.external=difft": "deny",
  "globally file:/etc/gitconfig diff.external=difft": "deny",
  [`${own} extensions.partialclone=origin`]: "deny",
  [`${own} remote.a.b.promisor=true`]: "deny",
  [`${own} remote.origin.partialclonefilter=blob:none`]: "deny",
  [`${own} core.worktree=..`]: "allow",
  "worktree file:/home/u/shop/.git/config.worktree diff.external=evil": "deny",
  "unknown blob:1234 diff.external=evil": "deny",
  [`${users} diff.external=difft --color`]: "allow",
  [`${users} diff.external=/usr/bin/difft`]: "allow",
  [`${users} filter.lfs.process=git-lfs filter-process`]: "allow",
  [`${users} log.showsignature=true`]: "allow",
  [`${users} diff.external=/home/u/shop/evil`]: "deny",
  [`${users} diff.external=env A=/home/u/shop/evil x`]: "deny",
  [`${users} diff.external=./evil`]: "deny",
  [`${users} diff.external=sub/evil`]: "deny",
  "system file:/etc/gitconfig diff.external=difft": "allow",
  "command command line: diff.external=difft": "allow",
  "global file:/home/u/shop/more diff.external=difft": "deny",
  "global file:/home/u/shopping diff.external=difft": "allow",
  [`${own} core.fsmonitor=evil`]: "allow",
  "command command line: core.fsmonitor=evil": "deny",
}

test("[SAFE-5] git settings that run a program need approval if the repository sets them, or if the user's resolve into a root", async () => {
  for (const [line, expected] of Object.entries(settings)) {
    const [, scope = "", origin = "", setting = ""] = /^(\S+) (command line:|\S+) (.*)$/s.exec(line) ?? []
    const usual = facts()
    const record = `${scope}\0${origin}\0${setting.replace("=", "\n")}\0`
    const queryGit: PolicyFacts["queryGit"] = async (folder, args, env) => {
      const answer = await usual.queryGit(folder, args, env)
      const isLate = scope === "command"
      if (answer === null || args[0] !== "config") return answer
      return { code: 0, stdout: isLate ? `${answer.stdout}${record}` : `${record}${answer.stdout}` }
    }
    assert.equal(await verdict(bash("git status"), facts({ level: "ask", queryGit })), expected, line)
  }
})

test("[SAFE-5] a working tree outside the roots needs approval if a setting names it", async () => {
  const found = (top: string) => ({
    "rev-parse": { code: 0, stdout: `/home/u/shop/.git\n/home/u/shop/.git\n${top}\n` },
  })
  assert.equal(await verdict(bash("git status"), saying(found("/home/u"))), "allow", "a repository above the workspace")
  const usual = saying(found("/home/u"))
  const queryGit: PolicyFacts["queryGit"] = async (folder, args, env) => {
    const answer = await usual.queryGit(folder, args, env)
    const more = args[0] === "config" ? `${own.replace(" ", "\0")}\0core.worktree\n../..\0` : ""
    return answer && { ...answer, stdout: `${more}${answer.stdout}` }
  }
  assert.equal(await verdict(bash("git status"), { ...usual, queryGit }), "deny")
})

test("[SAFE-5] a program of the user's settings counts as the workspace's if it is there or a link leads there", async () => {
  const record = (program: string) => `${users.replace(" ", "\0")}\0diff.external\n${program}\0`
  const links = { "/opt/tools": "/home/u/shop/tools", "/home/u/shop/bin": "/usr/bin" }
  for (const [program, expected] of [
    ["/opt/tools/difft", "deny"],
    ["/home/u/shop/bin/difft", "deny"],
    ["/opt/other/difft", "allow"],
  ] as const) {
    const given = facts({ level: "ask" }, links)
    const queryGit: PolicyFacts["queryGit"] = async (folder, args, env) => {
      const answer = await given.queryGit(folder, args, env)
      return args[0] === "config" && answer ? { ...answer, stdout: `${record(program)}${answer.stdout}` } : answer
    }
    assert.equal(await verdict(bash("git status"), { ...given, queryGit }), expected, program)
  }
})

test("without a repository, or without git, a git read is allowed", async () => {
  assert.equal(await verdict(bash("git status"), saying({ "rev-parse": { code: 128, stdout: "" } })), "allow")
  const without = facts({ level: "ask", findProgram: async () => null, queryGit: async () => null })
  assert.equal(await verdict(bash("git status"), without), "allow")
})

test("with a command that a rule allows git needs approval, since the variables would apply to both", async () => {
  const given = facts({ level: "ask", allow: rules("bash(npm test)", "bash(ls *)") })
  assert.equal(await verdict(bash("npm test"), given), "allow")
  assert.equal(await verdict(bash("npm test && git status"), given), "deny")
  assert.equal(await verdict(bash("ls -a && git status"), given), "allow", "that one only reads")
})

test("[SAFE-4] a read-only program name that resolves into the workspace is not read-only", async () => {
  const given = facts({
    findProgram: async (name) => (name === "rg" ? "/home/u/shop/node_modules/.bin/rg" : `/usr/bin/${name}`),
  })
  assert.equal(await verdict(bash("ls"), given), "allow")
  assert.equal(await verdict(bash("ls | rg x"), given), "deny")
  assert.equal(await verdict(bash("rg x"), facts({ findProgram: async () => null })), "allow", "it would not be found")
})

test("git's list of settings is parsed, with line breaks in values and keys without a value", () => {
  const text = "local\0file:/a b\0core.bare\0command\0command line:\0alias.x\n!a\nb\0"
  assert.deepEqual(parseSettings(text), [
    { scope: "local", origin: "file:/a b", key: "core.bare", value: null },
    { scope: "command", origin: "command line:", key: "alias.x", value: "!a\nb" },
  ])
  for (const cut of ["", "local", "local\0file:/a"]) assert.deepEqual(parseSettings(cut), [], cut)
})
