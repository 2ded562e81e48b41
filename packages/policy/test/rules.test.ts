import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"
import { absolute, parentOf } from "../src/paths.ts"
import * as rules from "../src/rules.ts"
import { bash, facts, rules as read, verdict } from "./fixtures.ts"

const rule = (text: string) => read(text)[0] ?? assert.fail(text)
const words = (command: string) => parseCommand(command).commands[0]?.words ?? []

test("an allow rule for commands matches word by word; a final star matches any further words, one inside a word any characters", () => {
  for (const [pattern, command, expected] of [
    ["git push *", "git push", true],
    ["git push *", "git push origin main", true],
    ["git push *", "git pull", false],
    ["git push *", "git", false],
    ["git push", "git push", true],
    ["git push", "git push origin", false],
    ["npm run test*", "npm run test:unit", true],
    ["npm run test*", "npm run build", false],
    ["npm * test", "npm run test", true],
    ["npm * test", "npm run x test", false],
    ["ls *", "cd x", false],
    ["* *", "ls x", true],
    ["*", "ls x", true],
    ["echo a.c", "echo abc", false],
    ["echo a*c", "echo 'a\nc'", true],
    ["ls *", 'ls "$X"', false],
  ] as const)
    assert.equal(rules.allowsCommand(rule(`bash(${pattern})`), words(command)), expected, `${pattern}: ${command}`)
  assert.equal(rules.allowsCommand(rule("bash"), words("ls")), true)
  assert.equal(rules.allowsCommand(rule("bash(**)"), words("ls")), true)
})

test("a deny rule for commands matches the whole line, the bare name, git without its options, and incompletely parsed text", () => {
  const denies = (pattern: string, command: string, guessed: string | null = null) =>
    rules.deniesCommand(rule(`bash(${pattern})`), [words(command)], guessed)
  for (const [pattern, command, expected] of [
    ["curl *", "curl", true],
    ["curl *", "curl x y", true],
    ["curl *", "/usr/bin/curl x", true],
    ["/usr/bin/curl *", "/usr/bin/curl x", true],
    ["curl *", "curlx", false],
    ["curl", "curl x", false],
    ["git push *", "git -C /x push", true],
    ["git push *", "git -c a=b --git-dir x --work-tree y --namespace z --exec-path p push", true],
    ["git push *", "git --no-pager push", true],
    ["git push *", "git stash push", false],
    ["git push*--force*", "git push origin --force", true],
  ] as const)
    assert.equal(denies(pattern, command), expected, `${pattern}: ${command}`)
  for (const [pattern, text, expected] of [
    ["git push *", "eval $X 'git' pu''sh", true],
    ["git push *", "$(git) {push}", true],
    ["git push *", "git pushed", false],
    ["git push *", "git", false],
    ["git push *", "a=git,push", true],
    ["c*l *", "curl", false],
  ] as const)
    assert.equal(denies(pattern, "true", text), expected, text)
  assert.equal(rules.deniesCommand(rule("bash"), [], null), true)
  assert.equal(rules.deniesCommand(rule("bash(*)"), [], null), true)
})

test("a rule of another tool does not apply to commands", async () => {
  const call = bash("touch x")
  assert.equal(await verdict(call, facts({ interactive: true, allow: read("edit", "read(touch *)") })), "ask")
  assert.equal(await verdict(call, facts({ level: "full", deny: read("edit(x)", "write", "read", "fetch") })), "allow")
})

test("a host is compared label by label, case-insensitively; a star is one or more labels", () => {
  for (const [pattern, url, expected] of [
    ["docs.example.com", "https://DOCS.example.com/x", true],
    ["docs.example.com.", "https://docs.example.com", true],
    ["example.com", "https://docs.example.com", false],
    ["*.example.com", "https://docs.example.com", true],
    ["*.example.com", "https://a.docs.example.com", true],
    ["*.example.com", "https://example.com", false],
    ["*.example.com", "https://notexample.com", false],
    ["*.example.com", "https://x.example.org", false],
    ["example.com", "no address", false],
    ["example.com", 7, false],
  ] as const)
    assert.equal(rules.matchesHost(pattern, url), expected, `${pattern} ${url}`)
})

test("a network rule covers the two default ports, or its own; a deny rule covers all", () => {
  const at = (host: string, port: number) => ({ host, port })
  for (const [text, place, allows, denies] of [
    ["network", at("x.com", 443), true, true],
    ["network", at("x.com", 80), true, true],
    ["network", at("x.com", 8080), false, true],
    ["network(x.com)", at("x.com", 443), true, true],
    ["network(x.com)", at("x.com", 81), false, true],
    ["network(x.com:81)", at("x.com", 81), true, true],
    ["network(x.com:81)", at("x.com", 443), false, false],
    ["network(*.x.com)", at("a.x.com", 80), true, true],
    ["network(y.com)", at("x.com", 443), false, false],
    ["fetch(x.com)", at("x.com", 443), false, false],
  ] as const) {
    assert.equal(rules.matchesNetwork(rule(text), place, "allow"), allows, `allow ${text} ${place.port}`)
    assert.equal(rules.matchesNetwork(rule(text), place, "deny"), denies, `deny ${text} ${place.port}`)
  }
  const named = read(
    "network(a.com:81)",
    "network(b.com:81)",
    "network(c.com:90)",
    "network(d.com)",
    "network",
    "fetch(x)",
  )
  assert.deepEqual(rules.portsInRules(named), [81, 90])
})

test("path patterns are absolute, relative to the home, or relative to the workspace", () => {
  const matches = (pattern: string | null, ...paths: readonly string[]) =>
    rules.matchesPath(rule(pattern === null ? "edit" : `edit(${pattern})`), paths, "/w", "/home/u")
  assert.deepEqual([matches("/etc/*", "/etc/a"), matches("/etc/*", "/w/etc/a")], [true, false])
  assert.deepEqual([matches("~/x", "/home/u/x"), matches("~/x", "/w/~/x")], [true, false])
  assert.deepEqual([matches("src/a", "/w/src/a"), matches("./src/a", "/w/src/a")], [true, true])
  assert.deepEqual([matches("b", "/w/a", "/w/b"), matches("b", "/w/a"), matches(null)], [true, false, true])
})

test("a rule names an existing tool, including one of a program; a network rule names a host", () => {
  const problem = (text: string, more: readonly string[] | null = []) => {
    const rule = rules.parseRule(text, more && ["read", "network", ...more])
    return rule.ok ? null : englishOf(rule.problem)
  }
  assert.match(problem("weather(x)") ?? "", /^"weather\(x\)": there is no tool "weather" \(read, /)
  assert.equal(problem("Weather(x)", ["weather"]), null)
  assert.equal(problem("weather", ["Weather"]), null)
  assert.equal(problem("anything", null), null)
  for (const place of ["x.com", "*.x.com", "x.com.", "x.com:1", "x:65535", "localhost:8080", "a-b_c.d"])
    assert.equal(problem(`network(${place})`), null, place)
  for (const place of ["https://x.com", "x.com/y", "x.com:", "x.com:123456", "a.*.com", "*", "*.", ".com", "x..com"])
    assert.match(problem(`network(${place})`) ?? "", /write a host, as network/, place)
})

test("dots and a home are resolved in a path, and never lead above the root", () => {
  for (const [path, expected] of [
    ["a/./b//c/", "/w/a/b/c"],
    ["../../../x", "/x"],
    ["/a/../..", "/"],
    ["~", "/home/u"],
    ["~/x", "/home/u/x"],
    ["~u/x", "/w/~u/x"],
    ["x~", "/w/x~"],
    ["", "/w"],
  ] as const)
    assert.equal(absolute(path, "/w", "/home/u"), expected, path)
  assert.deepEqual([parentOf("/a/b"), parentOf("/a"), parentOf("/")], ["/a", "/", "/"])
})

test("blanks of a pattern match any number of blanks, and git's own options precede its verb", () => {
  const denied = (text: string, command: string, guessed: string | null = null) =>
    rules.deniesCommand(rule(text), [words(command)], guessed)
  assert.equal(denied("bash(git  push)", "git push"), true)
  assert.equal(denied("bash(git push *)", "git -C x --git-dir y -Cz push"), true)
  assert.equal(denied("bash(git push *)", "x -C y push"), false)
  assert.equal(denied("bash(curl *)", "ls", "x $(curl y)"), true)
  assert.equal(denied("bash(curl *)", "ls", "x $(curled y)"), false)
  assert.equal(rules.deniesCommand(rule("bash(* x*)"), [], "x"), false)
  assert.deepEqual(rules.gitWords(["git", "-Cx", "push"]), ["push"])
  assert.deepEqual(rules.gitWords(["git", "--git-dir=x", "push"]), ["push"])
  assert.deepEqual(rules.gitWords(["git", "-c", "a=b", "-p", "push", "-x"]), ["push", "-x"])
})

test("a path pattern is relative to the workspace, and a dot in it is literal", () => {
  const matches = (text: string, path: string) => rules.matchesPath(rule(text), [path], "/w", "/home/u")
  assert.equal(matches("edit(./a)", "/w/a"), true)
  assert.equal(matches("edit(a./b)", "/w/a./b"), true)
  assert.equal(matches("edit(~/a)", "/home/u/a"), true)
  assert.equal(matches("edit(/a)", "/a"), true)
})
