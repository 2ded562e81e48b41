import assert from "node:assert/strict"
import { test } from "node:test"
import type { PermissionLevel, PolicyCall } from "@gong/spec"
import { createPolicy } from "../src/policy.ts"
import { parseRule } from "../src/rules.ts"
import { bash, decide, facts, file, rules, verdict } from "./fixtures.ts"

const levels: readonly PermissionLevel[] = ["plan", "ask", "auto", "full"]

async function row(call: ReturnType<typeof bash>, interactive: boolean): Promise<string> {
  const verdicts = await Promise.all(levels.map(async (level) => verdict(call, facts({ level, interactive }))))
  return verdicts.join(" ")
}

test("[SAFE-1] the table of levels, with a user", async () => {
  const cases = [
    [file("read", "src/a.ts"), "allow allow allow allow"],
    [file("grep", "/usr/include"), "allow allow allow allow"],
    [file("edit", "src/a.ts"), "deny ask allow allow"],
    [file("write", "/tmp/x"), "deny ask allow allow"],
    [bash("ls -la"), "deny allow allow allow"],
    [bash("npm install"), "deny ask ask allow"],
    [file("write", "/etc/hosts"), "deny ask ask allow"],
    [file("read", "~/.ssh/id_rsa"), "deny ask ask allow"],
    [bash("cat ~/.ssh/id_rsa"), "deny ask ask allow"],
    [bash("git push"), "deny ask ask allow"],
    [bash("curl http://x"), "deny ask ask allow"],
    [{ tool: "fetch", arguments: {}, title: "fetch x" }, "deny ask ask allow"],
  ] as const
  for (const [call, expected] of cases) assert.equal(await row(call, true), expected, call.title)
})

test("[SAFE-9] the table of levels, headless: a question becomes a refusal", async () => {
  const cases = [
    [file("read", "src/a.ts"), "allow allow allow allow"],
    [file("edit", "src/a.ts"), "deny deny allow allow"],
    [bash("git status"), "deny allow allow allow"],
    [bash("npm test"), "deny deny deny allow"],
    [file("write", "/etc/hosts"), "deny deny deny allow"],
    [file("ls", "~/.aws"), "deny deny deny allow"],
    [bash("git push"), "deny deny deny allow"],
  ] as const
  for (const [call, expected] of cases) assert.equal(await row(call, false), expected, call.title)
})

test("[SAFE-9] the refusal for the model without a user", async () => {
  const toModel = async (call: ReturnType<typeof bash>, level: PermissionLevel = "auto"): Promise<string> => {
    const decision = await decide(call, facts({ level, deny: rules("bash(curl *)") }))
    assert.equal(decision.verdict, "deny")
    return decision.verdict === "deny" ? decision.toModel : ""
  }
  const goOn = "Do not try another way around; go on without it, or stop and say what you need."
  assert.equal(
    await toModel(bash("git push -u origin fix-login")),
    `Refused: "git push -u origin fix-login" needs permission and nobody is here to give it. ${goOn}`,
  )
  assert.equal(
    await toModel(file("write", "/etc/hosts")),
    'Refused: /etc/hosts is outside the workspace (/home/u/shop). Allow it with --add-dir /etc or --allow "write(/etc/hosts)".',
  )
  assert.equal(
    await toModel(bash("curl x"), "full"),
    `Refused: "curl x" is forbidden by the rule bash(curl *). ${goOn}`,
  )
  assert.equal(
    await toModel(bash("rm -rf /"), "full"),
    `Refused: "rm -rf /" would destroy the root folder. Gong never runs this, whatever is allowed. ${goOn}`,
  )
  assert.match(await toModel(file("edit", "a"), "plan"), /^Refused: "a" is not run, because this session only plans\./)
})

test("a question has its reason, the rule for this call alone, and a wider rule for its subcommand or folder", async () => {
  const asked = async (call: ReturnType<typeof bash>, level: PermissionLevel = "auto") => {
    const decision = await decide(call, facts({ level, interactive: true }))
    assert.equal(decision.verdict, "ask", call.title)
    if (decision.verdict !== "ask") return []
    const { reason, rules } = decision
    assert.equal(rules?.rulesFile, rules && "/home/u/.gong/permissions.json")
    return [reason, rules?.suggestedRule, rules?.widerRule]
  }
  const push = 'rule "git push" (built in)'
  assert.deepEqual(await asked(bash("git push -u origin x")), [push, "bash(git push -u origin x)", "bash(git push *)"])
  const unknown = "it is not known to only read"
  assert.deepEqual(await asked(bash("npm test")), [unknown, "bash(npm test)", "bash(npm test *)"])
  assert.deepEqual(await asked(bash("make")), [unknown, "bash(make)", undefined])
  assert.deepEqual(await asked(bash("node a.js --x")), [unknown, "bash(node a.js --x)", undefined])
  const build = [unknown, "bash(npm run build)", "bash(npm run *)"]
  assert.deepEqual(await asked(bash("ls && npm run build | tail -5")), build)
  assert.deepEqual(await asked(bash("make a && make b")), [unknown, undefined, undefined])
  assert.deepEqual(await asked(bash("make > x")), [unknown, undefined, undefined])
  assert.deepEqual(await asked(bash("echo $(id)")), ["it cannot be told what all of it does", undefined, undefined])
  assert.deepEqual(await asked(bash("cat ~/.netrc")), ["it may show keys", undefined, undefined])
  const level = "level ask"
  assert.deepEqual(await asked(file("edit", "src/a.ts"), "ask"), [level, "edit(src/a.ts)", "edit(src/**)"])
  assert.deepEqual(await asked(file("edit", "a.ts"), "ask"), [level, "edit(a.ts)", undefined])
  assert.deepEqual(await asked(file("edit", "./~/a.ts"), "ask"), [level, "edit(/home/u/shop/~/a.ts)", undefined])
  // Nothing in a rule can escape these, so a rule would cover other files, too.
  for (const name of ["src/*.ts", "src/a?", "src/a\n", "src/a "])
    assert.deepEqual(await asked(file("edit", name), "ask"), [level, undefined, undefined], name)
  assert.deepEqual(await asked(file("write", "/etc/x")), ["outside the workspace", "write(/etc/x)", undefined])
  const [reason, rule, wider] = await asked(file("write", ".vscode/tasks.json"))
  assert.deepEqual([rule, wider], ["write(.vscode/tasks.json)", undefined], String(reason))
})

test("an answer for the session or for always covers this file or command alone, and more only with the wider rule", async () => {
  for (const choice of ["session", "always"] as const) {
    const stored: string[] = []
    const given = {
      level: "ask" as const,
      interactive: true,
      storeRule: async (rule: string) => void stored.push(rule),
    }
    const policy = createPolicy(facts(given))
    const verdicts = async (...calls: readonly PolicyCall[]) =>
      Promise.all(calls.map(async (call) => (await policy.decide(call)).verdict))
    const files = [
      file("edit", "src/a.ts"),
      file("edit", "src/b.ts"),
      file("edit", "lib/a.ts"),
      file("write", "src/a.ts"),
    ]
    assert.deepEqual(await verdicts(...files), ["ask", "ask", "ask", "ask"])
    await policy.remember(file("edit", "src/a.ts"), choice)
    assert.deepEqual(await verdicts(...files), ["allow", "ask", "ask", "ask"])
    await policy.remember(file("edit", "src/b.ts"), choice, true)
    assert.deepEqual(await verdicts(...files, file("edit", "src/d/e.ts")), ["allow", "allow", "ask", "ask", "allow"])
    const commands = [bash("npm run lint"), bash("npm run build"), bash("npm install x")]
    assert.deepEqual(await verdicts(...commands), ["ask", "ask", "ask"])
    await policy.remember(bash("npm run lint"), choice)
    assert.deepEqual(await verdicts(...commands), ["allow", "ask", "ask"])
    await policy.remember(bash("npm run build"), choice, true)
    assert.deepEqual(await verdicts(...commands, bash("npm run x -- --y")), ["allow", "allow", "ask", "allow"])
    const all = ["edit(src/a.ts)", "edit(src/**)", "bash(npm run lint)", "bash(npm run *)"]
    assert.deepEqual(stored, choice === "always" ? all : [])
  }
})

test("[SAFE-2] the order is deny rule > guard > allow rule > level", async () => {
  const everything = rules("bash", "edit", "write", "read")
  const given = facts({ allow: everything, deny: rules("bash(curl *)", "edit(src/**)"), level: "plan" })
  assert.equal(await verdict(bash("curl x"), given), "deny")
  assert.equal(await verdict(bash("rm -rf ~"), given), "deny")
  assert.equal(await verdict(bash("make"), given), "allow", "an allow rule precedes the level")
  assert.equal(await verdict(file("edit", "src/a/b.ts"), given), "deny")
  assert.equal(await verdict(file("write", "src/a/b.ts"), given), "deny", "denying edits denies writes")
  assert.equal(await verdict(file("edit", "docs/a.md"), given), "allow")
})

test("an allow rule covers a command only if every part of it is covered", async () => {
  const given = facts({ allow: rules("bash(npm test)", "Bash(git commit:*)", "bash(node --test *)") })
  const cases: readonly (readonly [string, string])[] = [
    ["npm test", "allow"],
    ["npm test 2>&1 | tail -20", "allow"],
    ["cd /home/u/shop && npm test", "allow"],
    ["git commit -m 'a b'", "allow"],
    ["node --test", "allow"],
    ["node --test x.test.ts", "allow"],
    ["npm test -- --x", "deny"],
    ["npm testx", "deny"],
    ["npm test && rm x", "deny"],
    ["npm test > x", "deny"],
    ["npm test $(id)", "deny"],
    ["X=1 npm test", "deny"],
    ["node --test a=~/b", "deny"],
    ['git commit -m "$(id)"', "deny"],
    ["git commit -m $X", "deny"],
    ["node --test\nrm", "deny"],
  ]
  for (const [command, expected] of cases) assert.equal(await verdict(bash(command), given), expected, command)
})

test("[SAFE-2] a deny rule matches its command despite wrappers, quoting and length", async () => {
  const given = facts({ level: "full", deny: rules("bash(curl *)", "bash(git push *)") })
  for (const command of [
    "curl x",
    "/usr/bin/curl x",
    "ls; curl x",
    "ls && sudo -u root env X=1 nice -n 5 curl x",
    "timeout 5 curl x",
    "sh -c 'curl x'",
    'bash -lc "ls; curl x"',
    "eval curl x",
    "env -S 'curl x'",
    "echo $(curl x)",
    'echo "`curl x`"',
    "if true; then curl x; fi",
    "f() { curl x; }; f",
    "find . -exec curl {} ;",
    "xargs curl < urls",
    "cu''rl x",
    "cu\\rl x",
    '"curl" x',
    "X=1 curl x",
    "cat <<E\nit's\nE\ncurl x",
    `echo '${"a".repeat(5000)}' && curl x`,
    "git -C /x -c a=b push origin",
    "git --git-dir x push",
    `${"time ".repeat(40)}curl x`,
    ...[1, 49, 50, 51, 10_000].map((times) => `${"true && ".repeat(times)}curl http://x`),
  ]) {
    assert.equal(await verdict(bash(command), given), "deny", command.slice(0, 80))
  }
  for (const command of ["git status", "echo curling", "ls curl.md", "git log --grep push"]) {
    assert.equal(await verdict(bash(command), given), "allow", command)
  }
})

test("[SAFE-6] a key file that is a link elsewhere still counts as one, read or searched", async () => {
  const given = facts({}, { "/home/u/.aws": "/data/aws" })
  for (const path of ["~/.aws/credentials", "~/.aws"]) {
    assert.equal(await verdict(file("read", path), given), "deny", path)
    assert.equal(await verdict(file("grep", path), given), "deny", path)
  }
  assert.equal(await verdict(file("read", "/data/other"), given), "allow")
})

test("[SAFE-7] decisions use the real path, and compare whole names", async () => {
  const links = { "/home/u/shop/link": "/etc", "/home/u/shop/keys": "/home/u/.ssh" }
  const given = facts({ allow: rules("edit(link/**)") }, links)
  assert.equal(await verdict(file("write", "link/hosts"), given), "deny")
  assert.equal(await verdict(file("edit", "link/hosts"), given), "deny", "an allow rule refers to the real path")
  assert.equal(await verdict(file("read", "keys/id_rsa"), given), "deny")
  assert.equal(await verdict(bash("cat keys/id_rsa"), given), "deny")
  assert.equal(await verdict(file("write", "/home/u/shop-evil/x"), given), "deny")
  assert.equal(await verdict(file("write", "../shop/x"), given), "allow")
  assert.equal(await verdict(file("read", "link/hosts"), facts({ deny: rules("read(link/**)") }, links)), "deny")
  assert.equal(await verdict(file("read", "/etc/hosts"), facts({ reads: "workspace" })), "deny")
})

test("an unresolvable path is refused with its reason", async () => {
  const given = facts({ locate: () => Promise.reject(new Error("The path holds a NUL character.")) })
  assert.deepEqual(await decide(file("write", "a\0b"), given), {
    verdict: "deny",
    reason: "no such place",
    toModel: "The path holds a NUL character.",
    impossible: true,
  })
})

test("[SAFE-7] files that control git or Gong need approval, even inside the workspace", async () => {
  for (const path of [
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".GIT/config",
    ".gong/settings.json",
    ".pi/SYSTEM.md",
  ]) {
    assert.equal(await verdict(file("write", path), facts()), "deny", path)
    assert.equal(await verdict(file("write", path), facts({ level: "full" })), "allow", path)
  }
  const inTemp = facts({ gongHome: "/tmp/home" })
  assert.equal(await verdict(file("write", "/tmp/home/permissions.json"), inTemp), "deny")
  assert.equal(await verdict(file("write", "src/.gitignore"), facts()), "allow")
})

test("[SAFE-6] keys: whole folders of them, environments of processes, and searches that include them", async () => {
  for (const path of [
    "~/.ssh/x",
    "~/.SSH/x",
    "~/.aws",
    "~/.gong/auth.json",
    "~/.gong/mcp.json",
    "~/.config/google-chrome/Default/Cookies",
    "/proc/self/environ",
    "/proc/12/task/12/environ",
    "/etc/shadow",
  ]) {
    assert.equal(await verdict(file("read", path), facts()), "deny", path)
  }
  assert.equal(await verdict(file("grep", "~"), facts()), "deny")
  assert.equal(
    await verdict(file("grep", "~"), facts({ exists: async () => false })),
    "allow",
    "there are none to meet",
  )
  assert.equal(await verdict(file("find", "~"), facts()), "allow")
  assert.equal(
    await verdict(file("read", "~/.aws/config"), facts({ roots: ["/home/u/shop", "/home/u/.aws"] })),
    "allow",
  )
})

test("[SAFE-10] the decision is about exactly the command that runs", async () => {
  const given = facts({ level: "ask" })
  assert.equal(await verdict(bash("\n\t ls >&2 \n"), given), "allow")
  // A shell does not treat these as blanks: the output would go to a file of that name.
  for (const end of ["\u000b", "\u000c", "\r", "\u00a0", "\u2028", "\ufeff"])
    assert.equal(await verdict(bash(`ls >&2${end}`), given), "deny", JSON.stringify(end))
})

test("approval for the session holds; always is stored; once only allows the test script again", async () => {
  const saved: string[] = []
  const policy = createPolicy(
    facts({ level: "ask", interactive: true, storeRule: async (rule) => void saved.push(rule) }),
  )
  const ask = async (call: ReturnType<typeof bash>): Promise<string> => (await policy.decide(call)).verdict

  assert.equal(await ask(file("edit", "a.ts")), "ask")
  await policy.remember(file("edit", "a.ts"), "session")
  assert.equal(await ask(file("edit", "a.ts")), "allow")
  assert.equal(await ask(file("write", "a.ts")), "ask")
  assert.equal(await ask(file("edit", "/etc/x")), "ask")

  assert.equal(await ask(bash("git push origin a")), "ask")
  await policy.remember(bash("git push origin a"), "always")
  assert.equal(await ask(bash("git push origin a")), "allow")
  assert.deepEqual(saved, ["bash(git push origin a)"])

  const odd = bash("echo $(date) > log")
  assert.equal(await ask(odd), "ask")
  await policy.remember(odd, "always")
  assert.equal(await ask(odd), "allow", "character by character, for this session")
  assert.equal(await ask(bash("echo $(date) > log2")), "ask")
  assert.equal(saved.length, 1, "a command that no rule can express is not stored")

  assert.equal(await ask(bash("make")), "ask")
  await policy.remember(bash("make"), "once")
  assert.equal(await ask(bash("make")), "ask")
  assert.equal(await ask(bash("npm test")), "ask")
  await policy.remember(bash("npm test"), "once")
  assert.equal(await ask(bash("npm test")), "allow")
  assert.equal(await ask(bash("npm test | tail -3")), "allow")
})

test("only paths outside the roots that a rule or a question covers are granted to the tools", async () => {
  const headless = createPolicy(facts({ allow: rules("write(/etc/hosts)") }))
  await headless.decide(file("write", "/etc/hosts"))
  await headless.decide(file("write", "/etc/passwd"))
  await headless.decide(file("write", "src/a.ts"))
  assert.deepEqual(headless.granted(), ["/etc/hosts"])
  const asking = createPolicy(facts({ interactive: true }))
  await asking.decide(file("read", "~/.ssh/config"))
  assert.deepEqual(asking.granted(), ["/home/u/.ssh/config"])
})

test("[SAFE-1] in a sandbox auto allows commands without external effects; plan allows them only in a read-only one", async () => {
  const given = facts({ sandbox: "workspace" })
  assert.equal(await verdict(bash("npm install && make > x"), given), "allow")
  assert.equal(await verdict(bash("make && git push"), given), "deny")
  assert.equal(await verdict(bash("cat ~/.ssh/id_rsa"), given), "deny")
  const plan = (sandbox: "workspace" | "read-only") => facts({ sandbox, level: "plan" })
  assert.equal(await verdict(bash("npm test"), plan("workspace")), "deny")
  assert.equal(await verdict(bash("npm test"), plan("read-only")), "allow")
  assert.equal(await verdict(bash("curl x"), plan("read-only")), "deny")
  assert.equal(await verdict(bash("npm test"), facts({ sandbox: "workspace", level: "ask" })), "deny")
})

test("[SAFE-17] outside the sandbox a command needs approval at every level, or a rule: a read there may run files created inside", async () => {
  const out = (command: string) => ({ ...bash(command), arguments: { command, unsandboxed: true } })
  const levels = ["ask", "auto", "full"] as const
  for (const level of levels) {
    const given = facts({ sandbox: "workspace", level })
    const answer = await decide(out("make install"), given)
    assert.ok(answer.verdict === "deny")
    assert.equal(
      answer.toModel,
      'Refused: "make install" outside the sandbox needs permission and nobody is here to give it. The user can allow it with --allow "bash(make install)" or --sandbox off. Do not try another way around; go on without it, or stop and say what you need.',
    )
    assert.equal(await verdict(out("make install"), { ...given, interactive: true }), "ask")
    assert.equal(await verdict(out("make install"), { ...given, allow: rules("bash(make *)") }), "allow")
    assert.equal(await verdict(out("git status"), given), "deny")
    assert.equal(await verdict(out("ls"), given), "deny")
    assert.equal(await verdict(out("echo a; test -d b"), given), "allow", "shell builtins")
    assert.equal(await verdict(out("cat a.txt"), { ...given, interactive: true }), "ask")
    assert.equal(await verdict(out("cat a.txt"), { ...given, allow: rules("bash(cat *)") }), "allow")
  }
  assert.equal(await verdict(out("make install"), facts({ sandbox: "read-only", level: "plan" })), "deny")
  assert.equal(await verdict(out("make install"), facts({ sandbox: "off", level: "full" })), "allow")
})

test("a question about a command outside the sandbox gives that reason and a matching rule", async () => {
  const asked = async (command: string, more: object = {}) => {
    const call = { ...bash(command), arguments: { command, ...more } }
    const decision = await decide(call, facts({ sandbox: "workspace", interactive: true }))
    return decision.verdict === "ask" ? [decision.reason, decision.unsandboxed, decision.rules?.suggestedRule] : []
  }
  const pushed = ['rule "git push" (built in)', true, "bash(git push -u origin x)"]
  assert.deepEqual(await asked("git push -u origin x"), pushed)
  assert.deepEqual(await asked("git push -u origin x", { unsandboxed: true }), pushed)
  assert.deepEqual(await asked("make all", { unsandboxed: true }), [
    "it runs outside the sandbox",
    true,
    "bash(make all)",
  ])
  assert.deepEqual(await asked("cat a.txt", { unsandboxed: true }), [
    "it runs outside the sandbox",
    true,
    "bash(cat a.txt)",
  ])
  assert.deepEqual(await asked("curl http://h"), ['rule "curl" (built in)', undefined, "bash(curl http://h)"])
})

test("text arguments of a command are not files that it reads", async () => {
  for (const level of ["ask", "auto"] as const) {
    assert.equal(await verdict(bash("echo /home/u/.ssh/id_rsa"), facts({ level })), "allow")
    assert.notEqual(await verdict(bash("cat /home/u/.ssh/id_rsa"), facts({ level })), "allow")
  }
})

test("reading a job's output is not a new command", async () => {
  assert.equal(await verdict({ tool: "bash", arguments: { job: 2 }, title: "job 2" }, facts()), "allow")
})

test("a program's own tool needs approval, and may have a rule under its name", async () => {
  const call = { tool: "Deploy.it", arguments: { url: "https://docs.example.com/a" }, title: "deploy" }
  assert.equal(await verdict(call, facts()), "deny")
  assert.equal(await verdict(call, facts({ level: "plan", interactive: true })), "deny")
  assert.equal(await verdict(call, facts({ level: "full" })), "allow")
  const saved: string[] = []
  const policy = createPolicy(facts({ interactive: true, storeRule: async (rule) => void saved.push(rule) }))
  const asked = await policy.decide(call)
  assert.ok(asked.verdict === "ask")
  assert.deepEqual([asked.rules?.suggestedRule, asked.rules?.widerRule], [undefined, "Deploy.it"])
  const other = { ...call, arguments: { url: "https://other.example.com" } }
  await policy.remember(call, "session")
  assert.deepEqual([(await policy.decide(call)).verdict, (await policy.decide(other)).verdict], ["allow", "ask"])
  await policy.remember(other, "always", true)
  assert.deepEqual([saved, (await policy.decide({ ...call, arguments: {} })).verdict], [["Deploy.it"], "allow"])
  assert.deepEqual(parseRule("deploy.it", ["bash"]).ok, false, "an unknown name is a typo")
  assert.deepEqual(parseRule("deploy.it", ["Deploy.it"]).ok, true)
})

test("fetch(HOST) covers that host, compared label by label", async () => {
  const call = (url: string) => ({ tool: "fetch", arguments: { url }, title: url })
  const given = facts({ allow: rules("fetch(docs.example.com)", "fetch(*.example.org)") })
  for (const [url, expected] of [
    ["https://docs.example.com/x", "allow"],
    ["https://DOCS.example.com./x", "allow"],
    ["https://docs.example.com.evil.net/", "deny"],
    ["https://docs.example.com@evil.net/", "deny"],
    ["https://xdocs.example.com/", "deny"],
    ["https://a.b.example.org/", "allow"],
    ["https://evilexample.org/", "deny"],
    ["docs.example.com", "deny"],
  ] as const)
    assert.equal(await verdict(call(url), given), expected, url)
  const denied = facts({ level: "full", deny: rules("fetch(*.example.org)") })
  assert.equal(await verdict(call("https://a.example.org"), denied), "deny")
})

test("a question about fetch names the host, suggests a rule for it alone, and headless says how to allow it", async () => {
  const call = {
    tool: "fetch",
    arguments: { url: "https://docs.example.com/x?key=1" },
    title: "https://docs.example.com/x",
  }
  const suggestedRule = "fetch(docs.example.com)"
  const asked = await decide(call, facts({ interactive: true }))
  const given = { suggestedRule, rulesFile: "/home/u/.gong/permissions.json" }
  assert.deepEqual(asked, { verdict: "ask", reason: "it asks docs.example.com", rules: given })
  const refused = await decide(call, facts())
  assert.ok(refused.verdict === "deny" && refused.toModel.includes('--allow "fetch(docs.example.com)"'))
  const policy = createPolicy(facts({ interactive: true }))
  await policy.decide(call)
  await policy.remember(call, "session")
  assert.equal((await policy.decide(call)).verdict, "allow")
  assert.equal((await policy.decide({ ...call, arguments: { url: "https://docs.example.org" } })).verdict, "ask")
})

test("[SAFE-6] a link in the workspace to a key location is not searched without approval", async () => {
  const given = facts({ level: "ask" }, { "/home/u/shop/h": "/home/u", "/home/u/shop/lib": "/usr/lib" })
  for (const command of ["rg --hidden PRIVATE h", "grep -r PRIVATE h", "cd h && rg --hidden PRIVATE", "cat h/.netrc"])
    assert.equal(await verdict(bash(command), given), "deny", command)
  assert.equal(await verdict(bash("rg x src"), given), "allow")
  assert.equal(await verdict(bash("ls h"), given), "allow", "names are not keys")
})
