import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"

/** All files in Gong's folder, as text. */
function kept(stage: Stage, folder = stage.gongHome): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      assert.equal(statSync(path).mode & 0o777, 0o600, path)
      assert.equal(statSync(entry.parentPath).mode & 0o777, 0o700, entry.parentPath)
      return [path.slice(folder.length + 1), readFileSync(path, "utf8")]
    }),
  )
}

const run = (stage: Stage, from: string, ...more: readonly string[]) =>
  stage.gong(["import", "--from", from, ...more], { env: { ANTHROPIC_API_KEY: undefined } })

/** The sections of the summary: the lines below each heading. */
function parts(out: string): Readonly<Record<string, string>> {
  const found = out.split(/^(?=\S.* \(\d+\)$)/m).map((part) => [part.split(" (", 1)[0] ?? "", part])
  return Object.fromEntries(found)
}

/** A second import finds everything present and writes nothing. */
async function changesNothing(stage: Stage, from: string): Promise<void> {
  const before = kept(stage)
  const again = await run(stage, from)
  assert.deepEqual([again.status, again.err, parts(again.out)["taken"]], [0, "", undefined])
  assert.match(again.out, /\nNothing was written\.\n$/)
  assert.deepEqual(kept(stage), before)
}

async function claudeHome(t: TestContext): Promise<Stage> {
  const stage = await openStage(t, { otherwise: { text: "Fine." } })
  const { home } = stage
  stage.write({
    [`${home}/.claude/settings.json`]: `{
  // comments are fine
  "model": "claude-sonnet-4-5",
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Read(~/.zshrc)", "WebSearch"],
    "deny": ["Read(./.env)"],
    "ask": ["Bash(git push:*)"],
    "defaultMode": "acceptEdits",
  },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo no >&2; exit 2" }, { "type": "http", "url": "x" }] }
    ],
    "TaskCreated": [{ "hooks": [{ "type": "command", "command": "true" }] }]
  },
  "env": { "ANTHROPIC_API_KEY": "sk-ant-secret", "FOO": "1" },
  "statusLine": { "type": "command" },
}`,
    [`${home}/.claude/commands/fix.md`]:
      "---\nargument-hint: [issue]\nallowed-tools: Bash\n---\nFix $ARGUMENTS, first $1. !`git status`\n",
    [`${home}/.claude/commands/git/commit.md`]: "Commit it.\n",
    [`${home}/.claude/skills/release/SKILL.md`]: "---\nname: release\ndescription: d\n---\nb\n",
    [`${home}/.claude/agents/reviewer.md`]: "---\nname: reviewer\ndescription: d\n---\nReview.\n",
    [`${home}/.claude/CLAUDE.md`]: "Always answer in verse.\n",
    [`${home}/.claude/.credentials.json`]: "{}",
    [`${home}/.claude.json`]: JSON.stringify({
      mcpServers: {
        github: { command: "npx", args: ["-y", "server"], env: { GITHUB_TOKEN: "ghp_secret", LEVEL: "1" } },
        leaky: { command: "x", args: ["--token=abcdefgh12345"] },
      },
      projects: {},
    }),
  })
  return stage
}

test("gong import --from claude: the configuration works in the next session; items without an equivalent are listed with their location", async (t) => {
  const stage = await claudeHome(t)
  const { home } = stage
  const first = await run(stage, "claude")
  assert.deepEqual([first.status, first.err], [0, ""])
  const { imported = "", "already present": present = "", "not imported": skipped = "" } = parts(first.out)
  for (const line of [
    /^ {2}rules +allow bash\(npm run test \*\) +\S+settings\.json$/m,
    /^ {2}rules +deny read\(\.env\) /m,
    /^ {2}hooks +PreToolUse Bash \(echo no >&2; exit 2\) /m,
    /^ {2}settings +model claude-sonnet-4-5 /m,
    /^ {2}commands +\/fix .*prompts\/fix\.md \(!`\.\.\.` is not run but sent as text; its tools and model are ignored\)$/m,
    /^ {2}commands +\/git-commit /m,
    /^ {2}agents +reviewer .*stored for a later/m,
    /^ {2}instructions +CLAUDE\.md .*AGENTS\.md \(referenced by Gong's AGENTS\.md\)$/m,
    /^ {2}mcp +github .*mcp\.json \(stored as disabled; not copied: GITHUB_TOKEN/m,
  ])
    assert.match(imported, line)
  assert.match(present, /^ {2}skills +release +~\/\.claude\/skills\/release: Gong reads it in place\.$/m)
  for (const line of [
    /rules +allow WebSearch +~\/\.claude\/settings\.json:5: Gong has no tool WebSearch\./,
    /rules +ask Bash\(git push:\*\) +~\/\.claude\/settings\.json:7: /,
    /rules +defaultMode acceptEdits +~\/\.claude\/settings\.json:8: .*gong config set permission auto/,
    /hooks +PreToolUse Bash \(.*\) +~\/\.claude\/settings\.json:12: only "type": "command" works/,
    /hooks +TaskCreated +~\/\.claude\/settings\.json:14: there is no hook event "TaskCreated"/,
    /keys +ANTHROPIC_API_KEY +~\/\.claude\/settings\.json:16: keys are not copied: gong login/,
    /settings +env FOO=1 /,
    /settings +statusLine .*Gong has no equivalent\./,
    /keys +the login +~\/\.claude\/\.credentials\.json: keys are not copied: gong login anthropic/,
    /mcp +leaky .*seems to contain a key/,
  ])
    assert.match(skipped, line)

  const files = kept(stage)
  assert.deepEqual(JSON.parse(files["settings.json"] ?? ""), {
    model: "anthropic/claude-sonnet-4-5",
    rules: { allow: ["bash(npm run test *)", "read(~/.zshrc)"], deny: ["read(.env)", "read(.env/**)"] },
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }],
    },
  })
  assert.deepEqual(JSON.parse(files["mcp.json"] ?? ""), {
    mcpServers: {
      github: {
        command: "npx",
        args: ["-y", "server"],
        env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "1" },
        disabled: true,
      },
    },
  })
  assert.ok(!Object.values(files).some((text) => /secret|abcdefgh/.test(text)), "no key was copied")

  // The rule, the hook, the template and the instructions are active.
  stage.write({ ".env": "A=1\n" })
  stage.server.begin([
    {
      calls: [
        { name: "read", args: { path: ".env" } },
        { name: "bash", args: { command: "ls" } },
      ],
    },
    { text: "Done." },
  ])
  await stage.gong(["-p", "/fix login page"])
  const request = JSON.stringify(stage.server.requests.at(-1)?.body)
  assert.match(request, /Fix login page, first login\./)
  assert.match(request, /Always answer in verse/)
  assert.match(request, /forbidden by the rule read\(\.env\)/)
  assert.match(request, /"no\\n|no\\\\n|: no/)

  const again = await run(stage, "claude")
  assert.deepEqual([again.status, Object.keys(parts(again.out)).includes("imported")], [0, false])
  assert.match(again.out, /Nothing was written\.\n$/)
  assert.deepEqual(
    Object.fromEntries(Object.entries(kept(stage)).filter(([path]) => path in files)),
    files,
    "a second time changes nothing",
  )
  assert.ok(!first.out.includes(home), "paths of the home are short")
})

test("gong import --dry-run reports the same and writes nothing; existing data is kept and reported", async (t) => {
  const stage = await claudeHome(t)
  const dry = await run(stage, "claude", "--dry-run")
  assert.equal(dry.status, 0)
  assert.deepEqual(kept(stage), {})
  assert.match(dry.out, /^would be imported \(\d+\)\n/)
  assert.match(dry.out, /Nothing was written \(--dry-run\)\.\n$/)
  const json = JSON.parse((await run(stage, "claude", "--dry-run", "--json")).out) as {
    dryRun: boolean
    taken: { area: string; to: string }[]
    left: { from: string; reason: string }[]
  }
  assert.deepEqual([json.dryRun, json.taken.length > 8, json.left.length > 8], [true, true, true])

  mkdirSync(join(stage.gongHome, "prompts"), { recursive: true, mode: 0o700 })
  const own = '{ "model": "openai/gpt-5.5", /* mine */ "rules.allow": ["bash(make)"] }\n'
  for (const [name, text] of Object.entries({ "settings.json": own, "prompts/fix.md": "Mine.\n" }))
    writeFileSync(join(stage.gongHome, name), text, { mode: 0o600 })
  const { "already present": present = "" } = parts((await run(stage, "claude")).out)
  assert.match(present, /settings +model claude-sonnet-4-5 .*it has another value: openai\/gpt-5\.5/)
  assert.match(present, /commands +\/fix .*prompts\/fix\.md exists and is not changed\./)
  const files = kept(stage)
  assert.equal(files["prompts/fix.md"], "Mine.\n")
  assert.match(
    files["settings.json"] ?? "",
    /"model": "openai\/gpt-5\.5", \/\* mine \*\/\s+"rules\.allow": \[\s*"bash\(make\)",/,
  )
})

test(
  "gong import --from claude: hostile and broken files are one line each, and everything else works",
  { skip: process.platform === "win32" },
  async (t) => {
    const stage = await openStage(t)
    const folder = join(stage.home, ".claude")
    stage.write({
      [`${folder}/settings.json`]: '{ "model": \n  nonsense }',
      [`${folder}/commands/good.md`]: "Good.\n",
      [`${folder}/commands/empty.md`]: "---\na: b\n---\n",
      [`${folder}/commands/two words.md`]: "x\n",
      [`${folder}/commands/..evil.md`]: "x\n",
      [`${folder}/commands/binary.md`]: "a\0b",
      [`${folder}/commands/huge.md`]: "x".repeat(2_000_000),
      [`${folder}/commands/long.md`]: "x".repeat(300_000),
      [`${stage.home}/.claude.json`]: '{"mcpServers": [1, {"a": 1}], "x": 1}',
      [`${stage.root}/outside/secret.md`]: "secret\n",
    })
    symlinkSync(join(stage.root, "outside/secret.md"), join(folder, "commands/link.md"))
    symlinkSync(join(stage.root, "outside"), join(folder, "commands/linked"))
    symlinkSync(folder, join(folder, "commands/loop"))
    symlinkSync("/nowhere", join(folder, "commands/dangling.md"))
    execFileSync("mkfifo", [join(folder, "commands/pipe.md")])
    const done = await run(stage, "claude")
    assert.deepEqual([done.status, done.err], [0, ""])
    const { "not imported": skipped = "" } = parts(done.out)
    for (const line of [
      /settings\.json: line 2:\d+: /,
      /\/empty .*it is empty/,
      /\/two words .*a name with a blank/,
      /binary\.md: it is not text/,
      /huge\.md: it has 2000000 bytes; the maximum is/,
      /\/long .*262144 bytes/,
      /link\.md: it is a link to another folder/,
      /linked: it is a link to another folder/,
      /pipe\.md: it is not a regular file/,
    ])
      assert.match(skipped, line)
    const files = kept(stage)
    assert.equal(files["prompts/good.md"], "Good.\n")
    assert.ok(!Object.values(files).includes("secret\n"))
  },
)

test("gong import: nothing to import, no agent and an unknown one are usage errors of one line", async (t) => {
  const stage = await openStage(t)
  const cases = [
    [["import"], /^gong: which agent\? gong import --from claude\|codex\|pi\|opencode\|gemini\|cursor\|vscode\n$/],
    [
      ["import", "--from", "claud"],
      /^gong: --from wants claude, codex, pi, opencode, gemini, cursor or vscode, not "claud"\. Did you mean claude\?\n$/,
    ],
    [["import", "--from", "codex"], /^gong: no configuration of Codex was found in \S+\/home\/\.codex\.\n$/],
    [["import", "me"], /^gong: "import" is a command\. For a message write: gong -- import me\n$/],
    [["--dry-run", "-p", "x"], /^gong: --dry-run works only with "gong import"\.\n$/],
  ] as const
  for (const [args, expected] of cases) {
    const done = await stage.gong(args)
    assert.deepEqual([done.status, done.out], [2, ""], args.join(" "))
    assert.match(done.err, expected)
  }
})

test("gong import --from codex: TOML, providers, rules, prompts, skills and hooks; keys are not copied", async (t) => {
  const stage = await openStage(t)
  const folder = join(stage.home, ".codex")
  stage.write({
    [`${folder}/config.toml`]: `model = "big-1"
model_provider = "corp"
model_reasoning_effort = "high"
approval_policy = "untrusted"
sandbox_mode = "workspace-write"
notify = ["say"]

[model_providers.corp]
name = "Corp"
base_url = "https://llm.corp.example/v1"
env_key = "CORP_KEY"
query_params = { api-version = "1" }
experimental_bearer_token = "sk-secret-token"

[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"

[mcp_servers.leaky]
command = "x"
args = ["--token=abcdefgh12345"]

[projects."/w/shop"]
trust_level = "trusted"

[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "prompt"
prompt = "done?"
[[hooks.Stop.hooks]]
type = "command"
command = "echo end"

[profiles.fast]
model = "small-1"
`,
    [`${folder}/rules/default.rules`]: 'prefix_rule(pattern=["make", "test"], decision="allow")\n',
    [`${folder}/hooks.json`]: `{
  "hooks": {
    "Stop": [{ "hooks": [
      { "type": "command", "command": "true" },
      { "type": "http", "url": "x" }
    ] }]
  }
}`,
    [`${folder}/prompts/cost.md`]: "It costs $$5 for $1 and $FILE.\n",
    [`${folder}/skills/deploy/SKILL.md`]: "---\nname: deploy\ndescription: d\n---\nb\n",
    [`${folder}/AGENTS.md`]: "Be brief.\n",
    [`${folder}/auth.json`]: '{"OPENAI_API_KEY": "sk-secret"}',
  })
  const done = await run(stage, "codex")
  assert.deepEqual([done.status, done.err], [0, ""])
  const files = kept(stage)
  assert.deepEqual(JSON.parse(files["settings.json"] ?? ""), {
    model: "corp/big-1",
    thinking: "high",
    permission: "ask",
    sandbox: "workspace",
    hooks: {
      Stop: [{ hooks: [{ type: "command", command: "echo end" }] }, { hooks: [{ type: "command", command: "true" }] }],
    },
    rules: { allow: ["bash(make test *)"] },
  })
  assert.deepEqual(JSON.parse(files["models.json"] ?? ""), {
    providers: {
      corp: { name: "Corp", baseUrl: "https://llm.corp.example/v1", api: "openai-responses", keys: ["CORP_KEY"] },
    },
  })
  assert.deepEqual(JSON.parse(files["mcp.json"] ?? ""), {
    mcpServers: {
      docs: { url: "https://docs.example/mcp", headers: { Authorization: "Bearer ${DOCS_TOKEN}" }, disabled: true },
    },
  })
  assert.equal(files["prompts/cost.md"], "It costs \\$5 for $1 and $FILE.\n")
  assert.equal(files["AGENTS.md"], `@${folder}/AGENTS.md\n`)
  assert.match(files["skills/deploy/SKILL.md"] ?? "", /name: deploy/)
  assert.ok(!Object.values(files).some((text) => text.includes("sk-secret")))
  assert.match(done.out, /\$FILE is unchanged/)
  assert.match(done.out, /keys +the login .*gong login openai/)
  const { "not imported": skipped = "" } = parts(done.out)
  for (const line of [
    /settings +notify \["say"\] +~\/\.codex\/config\.toml:6: use a "Stop" hook/,
    /models +corp query_params .* +~\/\.codex\/config\.toml:12: Gong has no equivalent\./,
    /keys +corp experimental_bearer_token +~\/\.codex\/config\.toml:13: its key is not copied: gong login corp/,
    /mcp +leaky +~\/\.codex\/config\.toml:19: .*seems to contain a key/,
    /settings +trusted folders \(1\) +~\/\.codex\/config\.toml:23: .*gong trust/,
    /hooks +Stop .* +~\/\.codex\/config\.toml:27: only "type": "command" works/,
    /settings +profiles .* +~\/\.codex\/config\.toml:34: Gong has no equivalent\./,
    /hooks +Stop .* +~\/\.codex\/hooks\.json:5: only "type": "command" works/,
  ])
    assert.match(skipped, line)
  await changesNothing(stage, "codex")
  // Gong reads the written data.
  const config = await stage.gong(["config", "get", "model"], { env: { GONG_MODEL: undefined } })
  assert.deepEqual([config.status, config.err], [0, ""])
  assert.match((await stage.gong(["models", "corp"])).out + (await stage.gong(["models", "--keys"])).out, /CORP_KEY/)

  stage.write({ [`${folder}/config.toml`]: 'model = "x\n' })
  assert.match((await run(stage, "codex")).out, /settings +the file +~\/\.codex\/config\.toml: line 1: /)
})

test("gong import --from pi: settings and providers are imported, skills and prompts are read in place", async (t) => {
  const stage = await openStage(t)
  const folder = join(stage.home, ".pi/agent")
  stage.write({
    [`${folder}/settings.json`]: `{
  "defaultProvider": "local",
  "defaultModel": "qwen",
  "defaultThinkingLevel": "max",
  "steeringMode": "one-at-a-time",
  "compaction": { "enabled": false, "reserveTokens": 9000 },
  "retry": {
    "maxRetries": 5,
    "provider": {}
  },
  "theme": "dark"
}`,
    [`${folder}/mcp.json`]: '{ "mcpServers": {\n  "a": { "command": "a" },\n  "b": 1\n} }',
    [`${folder}/models.json`]: JSON.stringify(
      {
        providers: {
          local: {
            baseUrl: "http://127.0.0.1:1234/v1",
            api: "openai-completions",
            apiKey: "sk-secret-in-a-file",
            models: [
              {
                id: "qwen",
                contextWindow: 32000,
                maxTokens: 4096,
                input: ["text", "image"],
                cost: { input: 1, output: 2 },
              },
            ],
          },
          own: { baseUrl: "http://127.0.0.1:1/v1", authHeader: true },
          odd: { baseUrl: "http://127.0.0.1:1/v1", api: "bedrock-converse-stream" },
          bad: { baseUrl: "http://127.0.0.1:99999/v1" },
        },
      },
      null,
      1,
    ),
    [`${folder}/prompts/p.md`]: "P\n",
    [`${folder}/skills/s/SKILL.md`]: "---\nname: s\ndescription: d\n---\nb\n",
    [`${folder}/extensions/gate.ts`]: "export default 1\n",
  })
  const done = await run(stage, "pi")
  assert.deepEqual([done.status, done.err], [0, ""])
  const files = kept(stage)
  assert.deepEqual(JSON.parse(files["settings.json"] ?? ""), {
    model: "local/qwen",
    thinking: "xhigh",
    queue: { steer: "one" },
    compaction: { auto: false, reserveTokens: 9000 },
    retry: { count: 5 },
  })
  const models = { qwen: { contextWindow: 32000, maxOutput: 4096, images: true, price: { input: 1, output: 2 } } }
  assert.deepEqual(JSON.parse(files["models.json"] ?? ""), {
    providers: {
      local: { baseUrl: "http://127.0.0.1:1234/v1", api: "openai-completions", models },
      own: { baseUrl: "http://127.0.0.1:1/v1" },
    },
  })
  const { "already present": present = "", "not imported": skipped = "" } = parts(done.out)
  assert.match(present, /commands +\/p /)
  assert.match(present, /skills +s /)
  assert.match(
    skipped,
    /models +odd +~\/\.pi\/agent\/models\.json:27: Gong does not support the wire format bedrock-converse-stream/,
  )
  assert.match(skipped, /models +bad +~\/\.pi\/agent\/models\.json:\d+: it has no base URL/)
  assert.match(skipped, /models +own authHeader true +~\/\.pi\/agent\/models\.json:25: Gong has no equivalent/)
  assert.match(skipped, /settings +retry\.provider .*settings\.json:9: Gong has no equivalent/)
  assert.match(skipped, /settings +theme .*settings\.json:11: Gong has no equivalent/)
  assert.match(skipped, /mcp +b +~\/\.pi\/agent\/mcp\.json:3: it is not an object/)
  assert.match(skipped, /extensions +gate\.ts .*Gong does not run extensions of Pi/)
  assert.match(done.out, /gong login local/)
  assert.equal((await stage.gong(["models", "qwen"])).status, 0)
  await changesNothing(stage, "pi")
})

test("gong import --from opencode: JSONC, rules, commands, servers, providers", async (t) => {
  const stage = await openStage(t)
  const folder = join(stage.home, ".config/opencode")
  stage.write({
    [`${folder}/opencode.jsonc`]: `{
  // mine
  "model": "anthropic/claude-sonnet-4-5",
  "permission": { "bash": { "*": "ask", "npm *": "allow" }, "edit": "deny",
    "skill": "deny" },
  "command": { "test": { "template": "Run $ARGUMENTS", "description": "runs: it" },
    "empty": {} },
  "mcp": { "fs": { "type": "local", "command": ["npx", "fs"], "environment": { "API_KEY": "{env:FS_KEY}" }, "enabled": false },
    "none": {} },
  "provider": { "box": { "npm": "@ai-sdk/openai-compatible", "options": { "baseURL": "http://10.0.0.2/v1", "apiKey": "{env:BOX}", "timeout": 1000 },
    "models": { "m": { "limit": { "context": 8000, "output": 1000 } } } },
    "openai": { "options": { "timeout": 1 } } },
  "instructions": ["docs/*.md"],
  "theme": "x",
}`,
    [`${folder}/command/deep/one.md`]: "One.\n",
    [`${folder}/agent/a.md`]: "A\n",
    [`${folder}/plugin/p.ts`]: "1\n",
  })
  const done = await run(stage, "opencode")
  assert.deepEqual([done.status, done.err], [0, ""])
  const files = kept(stage)
  assert.deepEqual(JSON.parse(files["settings.json"] ?? ""), {
    model: "anthropic/claude-sonnet-4-5",
    rules: { allow: ["bash(npm *)"], deny: ["edit"] },
  })
  assert.deepEqual(JSON.parse(files["mcp.json"] ?? ""), {
    mcpServers: { fs: { command: "npx", args: ["fs"], env: { API_KEY: "${FS_KEY}" }, disabled: true } },
  })
  assert.deepEqual(JSON.parse(files["models.json"] ?? ""), {
    providers: {
      box: {
        baseUrl: "http://10.0.0.2/v1",
        api: "openai-completions",
        keys: ["BOX"],
        models: { m: { contextWindow: 8000, maxOutput: 1000 } },
      },
    },
  })
  assert.equal(files["prompts/test.md"], '---\ndescription: "runs: it"\n---\n\nRun $ARGUMENTS\n')
  assert.equal(files["prompts/deep-one.md"], "One.\n")
  for (const line of [
    /rules +bash \* "?ask"? +\S+opencode\.jsonc:4: /,
    /rules +skill \* "?deny"? +\S+opencode\.jsonc:5: /,
    /commands +\/empty +\S+opencode\.jsonc:7: it has no template/,
    /models +box timeout 1000 +\S+opencode\.jsonc:10: Gong has no equivalent/,
    /models +openai +\S+opencode\.jsonc:12: Gong has no equivalent/,
    /mcp +none +\S+opencode\.jsonc:9: it has neither/,
  ])
    assert.match(done.out, line)
  await changesNothing(stage, "opencode")
  assert.match(done.out, /instructions +docs\/\*\.md .*import it in AGENTS\.md: @docs\/\*\.md/)
  assert.match(done.out, /extensions +p\.ts /)
})

test("a model of OpenCode is assigned to its provider in models.dev, with plans and sites separate", async (t) => {
  for (const [theirs, ours] of [
    ["alibaba-coding-plan/qwen3.7-plus", "qwen-coding/qwen3.7-plus"],
    ["minimax-cn-coding-plan/MiniMax-M3", "minimax-token-plan-cn/MiniMax-M3"],
    ["siliconflow/deepseek-ai/DeepSeek-V4-Flash", "siliconflow-intl/deepseek-ai/DeepSeek-V4-Flash"],
    ["openai/gpt-5.1", "openai/gpt-5.1"],
  ]) {
    const stage = await openStage(t)
    stage.write({ [join(stage.home, ".config/opencode/opencode.json")]: JSON.stringify({ model: theirs }) })
    assert.equal((await run(stage, "opencode")).status, 0)
    assert.deepEqual(JSON.parse(kept(stage)["settings.json"] ?? ""), { model: ours })
  }
})

test("gong import --project: into .gong of the workspace; allow rules need trust; no link leads out", async (t) => {
  const stage = await openStage(t)
  stage.write({
    ".claude/settings.json": JSON.stringify({
      permissions: { allow: ["Bash(make:*)"], deny: ["Bash(rm:*)"] },
      hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
    }),
    ".claude/settings.local.json": JSON.stringify({ permissions: { allow: ["Bash(npm test)"] } }),
    ".claude/commands/x.md": "X\n",
    ".mcp.json": JSON.stringify({ mcpServers: { a: { command: "a" } } }),
    [`${stage.home}/.claude.json`]: JSON.stringify({
      mcpServers: { user: { command: "u" } },
      projects: { [stage.repo]: { mcpServers: { b: { command: "b" } } } },
    }),
    [`${stage.home}/id_rsa`]: "private\n",
  })
  symlinkSync(join(stage.home, "id_rsa"), join(stage.repo, ".claude/commands/key.md"))
  const shy = await run(stage, "claude", "--project")
  assert.match(shy.out, /allow Bash\(make:\*\) .*an untrusted folder cannot add allow rules/)
  assert.match(shy.out, /hooks +hooks .*when the folder is trusted/)
  assert.match(shy.out, /rules +deny Bash\(rm:\*\) .*when the folder is trusted/)
  assert.match(shy.out, /commands +\/x .*when the folder is trusted/)
  assert.match(shy.out, /key\.md: it is a link to another folder/)
  assert.equal(existsSync(join(stage.gongHome, "permissions.json")), false)
  const files = kept(stage, join(stage.repo, ".gong"))
  assert.deepEqual(Object.keys(files).toSorted(), ["mcp.json"])
  assert.deepEqual(JSON.parse(files["mcp.json"] ?? ""), { mcpServers: { b: { command: "b", disabled: true } } })

  await run(stage, "claude", "--project", "--trust", "yes")
  const allowed = JSON.parse(readFileSync(join(stage.gongHome, "permissions.json"), "utf8")) as unknown
  assert.deepEqual(allowed, { [stage.repo]: ["bash(make *)", "bash(npm test)"] })

  const evil = await openStage(t)
  const servers = { projects: { [evil.repo]: { mcpServers: { b: { command: "b" } } } } }
  evil.write({ [`${evil.home}/.claude.json`]: JSON.stringify(servers) })
  const within = join(evil.home, "elsewhere")
  mkdirSync(within)
  symlinkSync(within, join(evil.repo, ".gong"))
  const out = await run(evil, "claude", "--project")
  assert.match(out.out, /leads out of \S+; not written/)
  assert.deepEqual(readdirSync(within), [])
})

test("gong import --project: allow rules of a trusted folder are stored in an existing home", async (t) => {
  const stage = await openStage(t)
  const scripts = Array.from({ length: 227 }, (_, at) => `Bash(npm run task-${at})`)
  stage.write({
    ".claude/settings.json": JSON.stringify({ permissions: { allow: scripts } }),
    [join(stage.gongHome, "settings.json")]: "{}\n",
    [join(stage.gongHome, "permissions.json")]: JSON.stringify({ "/elsewhere": ["bash(make)"] }),
  })
  const shy = await run(stage, "claude", "--project")
  assert.match(shy.out, /an untrusted folder cannot add allow rules/)
  const dry = await run(stage, "claude", "--project", "--trust", "yes", "--dry-run")
  assert.doesNotMatch(dry.out, /leads out/)
  const rulesOf = (): Record<string, readonly string[]> =>
    JSON.parse(readFileSync(join(stage.gongHome, "permissions.json"), "utf8")) as Record<string, readonly string[]>
  assert.deepEqual(rulesOf(), { "/elsewhere": ["bash(make)"] })

  const done = await run(stage, "claude", "--project", "--trust", "yes")
  assert.deepEqual([done.status, done.err], [0, ""])
  assert.deepEqual(rulesOf(), {
    "/elsewhere": ["bash(make)"],
    [stage.repo]: scripts.map((rule) => rule.replace("Bash", "bash")),
  })
  assert.deepEqual(existsSync(join(stage.repo, ".gong")), false, "a repository holds no rules that allow")
  const listed = await stage.gong(["permissions"])
  assert.match(listed.out, /bash\(npm run task-226\)/)
  const again = await run(stage, "claude", "--project", "--trust", "yes")
  assert.match(again.out, /\nNothing was written\.\n$/)
})

test("gong import --project: rules are written to a home that is a link, and not through a link that leads out of it", async (t) => {
  const stage = await openStage(t)
  const rules = { ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(make)"] } }) }
  const real = join(stage.home, "dotfiles/gong")
  mkdirSync(real, { recursive: true })
  symlinkSync(real, stage.gongHome)
  stage.write(rules)
  await run(stage, "claude", "--project", "--trust", "yes")
  const kept = { [stage.repo]: ["bash(make)"] }
  assert.deepEqual(JSON.parse(readFileSync(join(real, "permissions.json"), "utf8")), kept)

  const evil = await openStage(t)
  mkdirSync(evil.gongHome)
  symlinkSync(join(evil.repo, "rules.json"), join(evil.gongHome, "permissions.json"))
  evil.write({ ...rules, "rules.json": "{}" })
  const out = await run(evil, "claude", "--project", "--trust", "yes")
  assert.match(out.out, /permissions\.json leads out of \S+; not written/)
  assert.equal(evil.read("rules.json"), "{}")
})

test(
  "gong import: MCP servers of Gemini CLI, Cursor and VS Code, confirmed one by one with their command lines at a terminal",
  { skip },
  async (t) => {
    const stage = await openStage(t)
    stage.write({
      [`${stage.home}/.gemini/settings.json`]: JSON.stringify({
        mcpServers: {
          files: { command: "npx", args: ["files"], trust: true },
          web: { httpUrl: "https://web.example/mcp" },
        },
      }),
      [`${stage.home}/.cursor/mcp.json`]: JSON.stringify({
        mcpServers: { cursor: { command: "run", env: { A: "${env:HOME_OF_A}" } } },
      }),
      [`${stage.home}/.config/Code/User/mcp.json`]: JSON.stringify({
        servers: { code: { type: "stdio", command: "code-server" }, asks: { command: "x", args: ["${input:key}"] } },
      }),
    })
    await run(stage, "gemini")
    const terminal = openTerminal(t, stage, ["import", "--from", "cursor"])
    await terminal.until("Add the MCP server cursor: run? [y/N]")
    terminal.type("y\n")
    assert.equal(await terminal.ended, 0)
    const other = await run(stage, "vscode")
    assert.match(other.out, /asks .*it asks for a value at its start/)
    const { mcpServers } = JSON.parse(readFileSync(join(stage.gongHome, "mcp.json"), "utf8")) as { mcpServers: object }
    assert.deepEqual(mcpServers, {
      files: { command: "npx", args: ["files"], disabled: true },
      web: { type: "http", url: "https://web.example/mcp", disabled: true },
      cursor: { command: "run", env: { A: "${HOME_OF_A}" } },
      code: { type: "stdio", command: "code-server", disabled: true },
    })
  },
)
