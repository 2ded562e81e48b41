import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { convertClaudeRule } from "@gong/policy/claude-rules"
import { readPrefixRules } from "../src/codex/codex-rules.ts"
import { collect } from "../src/candidate.ts"
import { readOpencodeRules } from "../src/opencode/opencode-rules.ts"
import type { ImportContext } from "../src/context.ts"
import { openSource } from "../src/source.ts"
import { createRegistry } from "@gong/llm"

const settings = "/home/u/.claude"

test("each rule of Claude Code is converted, or skipped with a reason", () => {
  const cases = [
    ["Bash(npm run test:*)", "allow", ["bash(npm run test *)"]],
    ["Bash(npm test)", "allow", ["bash(npm test)"]],
    ["Bash", "deny", ["bash"]],
    ["Bash(*)", "allow", ["bash"]],
    ["Bash(cd x && make)", "allow", /separately/],
    ["Bash(git commit -m 'x')", "deny", /without quotes/],
    ["Read(./.env)", "deny", ["read(.env)", "read(.env/**)"]],
    ["Read(.env)", "deny", ["read(**/.env)", "read(**/.env/**)"]],
    ["Read(secrets/)", "deny", ["read(**/secrets/**)"]],
    ["Read(src/**)", "allow", ["read(src/**)"]],
    ["Read(//etc/passwd)", "deny", ["read(/etc/passwd)", "read(/etc/passwd/**)"]],
    ["Read(~/.zshrc)", "allow", ["read(~/.zshrc)"]],
    ["Edit(/docs/**)", "allow", ["edit(/home/u/.claude/docs/**)", "write(/home/u/.claude/docs/**)"]],
    ["Edit", "allow", ["edit(**)", "write(**)"]],
    ["Write(*.lock)", "deny", ["edit(**/*.lock)"]],
    ["Glob", "allow", ["find(**)"]],
    ["WebFetch(domain:docs.example.com)", "allow", ["fetch(docs.example.com)"]],
    ["WebFetch( )", "allow", ["fetch"]],
    ["WebFetch(url:x)", "allow", /only domain:HOST/],
    ["WebSearch", "allow", /no tool WebSearch/],
    ["mcp__github__get_issue", "allow", ["mcp(github__get_issue)"]],
    ["mcp__github", "deny", ["mcp(github__*)"]],
    ["mcp__github__*", "allow", ["mcp(github__*)"]],
    ["mcp__github__get_*", "allow", ["mcp(github__get_*)"]],
    ["mcp__my-server_1", "allow", ["mcp(my-server_1__*)"]],
    ["mcp__", "allow", /it is not a rule/],
    ["mcp__git hub", "allow", /it is not a rule/],
    ["?!", "allow", /not a rule/],
    ["Read()", "deny", ["read"]],
    ["Read()", "allow", ["read(**)"]],
    ["LS(a/b)", "allow", ["ls(a/b)"]],
    ["MultiEdit(a/b/)", "deny", ["edit(a/b/**)"]],
    ["Read(**/x)", "allow", ["read(**/x)"]],
    ["Read(a*)", "deny", ["read(**/a*)"]],
    [" Grep ( x/y ) ", "allow", ["grep(x/y)"]],
    ["Grep(x) y", "allow", /it is not a rule/],
    ["Bash(:*)", "deny", ["bash"]],
    ["Bash(ls:*)", "deny", ["bash(ls *)"]],
    ["WebFetch(domain:a.example b)", "allow", /only domain:HOST/],
    ["WebFetch(x domain:a.example)", "allow", /only domain:HOST/],
  ] as const
  for (const [text, list, expected] of cases) {
    const converted = convertClaudeRule(text, list, settings)
    if (expected instanceof RegExp) assert.match(converted.ok ? "moved" : englishOf(converted.reason), expected, text)
    else assert.deepEqual(converted.ok ? converted.rules : englishOf(converted.reason), expected, text)
  }
  const project = convertClaudeRule("Edit(/docs/**)", "deny", "")
  assert.deepEqual(project.ok && project.rules, ["edit(docs/**)"])
  const star = convertClaudeRule("Bash(git * main)", "allow", settings)
  assert.match(star.ok ? englishOf(star.note ?? "") : "", /a part of a word/)
  for (const [rule, list] of [
    ["Bash(git * main)", "deny"],
    ["Bash(git *)", "allow"],
    ["Bash(git:*)", "allow"],
  ] as const) {
    const plain = convertClaudeRule(rule, list, settings)
    assert.equal(plain.ok && plain.note, null, rule)
  }
})

function contextFor(more: Partial<ImportContext> = {}): ImportContext {
  const candidates = collect()
  const source = openSource([], candidates)
  const context = { env: {}, userHome: "/home/u", project: null, trusted: false, libraries: [] }
  return { ...context, registry: createRegistry(), source, own: source, candidates, ...more }
}

const rows = ({ candidates }: ImportContext) =>
  candidates.all.map((one) => (one.state === "skipped" ? `skipped ${englishOf(one.what)}` : englishOf(one.what)))

test("literal rules of Codex are converted, with alternatives and comments; computed ones are skipped with their line", () => {
  const context = contextFor()
  const text = `# made by hand
prefix_rule(
    pattern = ["git", ["push", 'fetch']], # one (of) two
    decision = "allow",
    match = ["git push origin)"],
)
prefix_rule(pattern=["rm", "-rf"], decision="forbidden")
prefix_rule(pattern = ["gh", "pr"], decision = "prompt")
prefix_rule(pattern = ["npm", name], decision = "allow")
prefix_rule(pattern = ["echo", "a b"])
prefix_rule(pattern = ["never", "closed"]
`
  readPrefixRules(context, "/r/default.rules", text)
  assert.deepEqual(rows(context), [
    "allow bash(git push *)",
    "allow bash(git fetch *)",
    "deny bash(rm -rf *)",
    "skipped prompt gh pr",
    'skipped allow pattern = ["npm", name], decision = "allow"',
    "skipped allow echo a b",
  ])
  assert.equal(context.candidates.all[2]?.from, "/r/default.rules:7")
})

test("opencode's last match wins: rules that would become looser are skipped, and deny rules are kept", async () => {
  const context = contextFor()
  const permission = {
    bash: { "*": "allow", "git push *": "ask", "npm *": "allow", "rm *": "deny", "rm -i *": "allow" },
    edit: { "*": "deny", "docs/*.md": "allow" },
    read: "allow",
    webfetch: "ask",
    external_directory: "allow",
  }
  await readOpencodeRules(context, permission, (keys) => Promise.resolve(keys.join("/")))
  assert.deepEqual(rows(context), [
    "skipped bash * allow",
    "skipped bash git push * ask",
    "allow bash(npm *)",
    "deny bash(rm *)",
    "skipped bash rm -i * allow",
    "deny edit",
    "skipped edit docs/*.md allow",
    "allow read(**)",
    "skipped webfetch * ask",
    "skipped external_directory * allow",
  ])
  const places = context.candidates.all.map(({ from }) => from)
  assert.deepEqual(
    [places[0], places[5], places[8]],
    ["permission/bash/*", "permission/edit/*", "permission/webfetch"],
    "each is named by its own place",
  )
})

test("an untrusted project may add deny rules but no allow rules", async () => {
  for (const trusted of [false, true]) {
    const context = contextFor({ project: "/w/shop", trusted })
    const permission = { bash: { "npm *": "allow", "rm *": "deny" } }
    await readOpencodeRules(context, permission, () => Promise.resolve("o.json:3"))
    readPrefixRules(context, "x.rules", 'prefix_rule(pattern=["make"], decision="allow")\n')
    const mark = trusted ? "" : "skipped "
    assert.deepEqual(rows(context), [
      trusted ? "allow bash(npm *)" : "skipped bash npm * allow",
      "deny bash(rm *)",
      trusted ? "allow bash(make *)" : `${mark}allow make`,
    ])
  }
})

test("patterns of opencode become rules of the same paths; a star spans folders there", async () => {
  for (const [tool, pattern, expected] of [
    ["read", "src/*", ["allow read(src/**)"]],
    ["read", "src/**", ["allow read(src/**)"]],
    ["read", "$HOME/.zshrc", ["allow read(~/.zshrc)"]],
    ["read", "~/.zshrc", ["allow read(~/.zshrc)"]],
    ["read", "/etc/passwd", ["allow read(/etc/passwd)"]],
    ["read", "a$HOME/b", ["allow read(a$HOME/b)"]],
    ["bash", "$HOME/run *", ["allow bash(~/run *)"]],
    ["webfetch", "https://a.example/*", "skipped webfetch https://a.example/* allow"],
    ["webfetch", "*", ["allow fetch"]],
    ["toString", "*", "skipped toString * allow"],
  ] as const) {
    const context = contextFor()
    await readOpencodeRules(context, { [tool]: { [pattern]: "allow" } }, () => Promise.resolve("o.json:1"))
    assert.deepEqual(rows(context), typeof expected === "string" ? [expected] : expected, pattern)
  }
})

const reasons = ({ candidates }: ImportContext) =>
  candidates.all.map((one) => (one.state === "skipped" ? englishOf(one.reason) : "added"))

test("a permission of opencode that is no rule is skipped with its reason", async () => {
  for (const [permission, reason] of [
    ["ask", "it corresponds to the level ask: gong config set permission ask"],
    ["allow", "--yolo, or gong config set permission full"],
    [{ bash: "ask" }, "Gong has no such rules; the level ask always asks."],
    [{ bash: "maybe" }, "it is not an action."],
    [{ bash: 5 }, "it is not an action."],
    [{ doom_loop: "deny" }, "Gong has no rule for doom_loop."],
    [{ webfetch: { "https://a.example": "deny" } }, "only a host can be a fetch rule: fetch(HOST)"],
  ] as const) {
    const context = contextFor()
    await readOpencodeRules(context, permission, () => Promise.resolve("o.json:1"))
    assert.deepEqual(reasons(context), [reason], JSON.stringify(permission))
  }
})

test("an allow rule of opencode counts unless a later ask rule, or an earlier deny rule, covers a part of it", async () => {
  const of = async (patterns: Readonly<Record<string, string>>) => {
    const context = contextFor()
    await readOpencodeRules(context, { bash: patterns }, () => Promise.resolve("o.json:1"))
    return rows(context)
  }
  assert.deepEqual(await of({ "git push": "ask", "git *": "allow" }), [
    "skipped bash git push ask",
    "allow bash(git *)",
  ])
  assert.deepEqual(await of({ "git *": "allow", "git push": "ask" }), [
    "skipped bash git * allow",
    "skipped bash git push ask",
  ])
  assert.deepEqual(await of({ "git *": "allow", "rm *": "ask" }), ["allow bash(git *)", "skipped bash rm * ask"])
  assert.deepEqual(await of({ "rm *": "allow", "rm -r *": "deny" }), ["allow bash(rm *)", "deny bash(rm -r *)"])
  assert.deepEqual(await of({ "rm -r *": "deny", "rm *": "allow" }), ["deny bash(rm -r *)", "allow bash(rm *)"])
})
