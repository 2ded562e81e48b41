import assert from "node:assert/strict"
import { test } from "node:test"
import { stripVTControlCharacters } from "node:util"
import stringWidth from "string-width"
import { noServers, openStage, type Stage } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"

const chinese = { LANG: "zh_CN.UTF-8" }
const han = /\p{Script=Han}/u

/**
 * Consecutive English words on a screen that should be Chinese. Names and code do not count: paths, addresses,
 * options, variables, text in quotes or after `gong`, and the given words.
 */
function englishLeft(text: string, names: readonly string[] = []): readonly string[] {
  const code = [
    /^gong: /gm,
    /https?:\/\/\S+|[\w.~-]*\/[\w./@-]+/g,
    /\bgong (?:-- )?[a-z]+[a-z -]*/g,
    /--?[a-z][\w-]*(?: [A-Z][\w/:|[\],.]*| [a-z|-]+\|[a-z|-]+)?/g,
    /[“"`][^”"`\n]*[”"`]/g,
    /\b[A-Z][A-Z_]{2,}\b/g,
    /\b[a-z]+\([^)\n]*\)/g,
  ]
  const rest = [...names, ...code].reduce<string>(
    (left, one) => left.replaceAll(one, "·"),
    stripVTControlCharacters(text),
  )
  return rest.match(/[A-Za-z]{2,}(?:[ ,.:;']+[A-Za-z]{2,})+/g) ?? []
}

function isChinese(text: string, names: readonly string[] = []): void {
  assert.match(text, han)
  const lines = stripVTControlCharacters(text).split("\n")
  const left = lines.filter((line) => englishLeft(line, names).length > 0)
  assert.deepEqual(left, [])
}

test("the check finds remaining English and accepts names and code", () => {
  assert.deepEqual(englishLeft("沙箱：off because it failed"), ["off because it failed"])
  assert.deepEqual(
    englishLeft("请用 gong login anthropic，或 export ANTHROPIC_API_KEY=... 写入 /tmp/a b.c", ["export"]),
    [],
  )
})

test("help is Chinese throughout, by the locale, by GONG_LANG and by the setting, in 80 columns", async (t) => {
  const stage = await openStage(t)
  const names = ["read,grep", "read、grep"]
  for (const env of [chinese, { LC_ALL: "zh_TW.UTF-8" }, { GONG_LANG: "zh-CN" }]) {
    const help = await stage.gong(["--help"], { env })
    assert.equal(help.status, 0)
    isChinese(help.out, names)
    const wide = help.out.split("\n").filter((line) => stringWidth(line) > 80)
    assert.deepEqual(wide, [])
  }
  stage.write({ [`${stage.gongHome}/settings.json`]: '{ "language": "zh-CN" }' })
  isChinese((await stage.gong(["help"])).out, names)
  isChinese((await stage.gong(["config", "get", "nothing"])).err, names)
  // The environment overrides the setting.
  assert.doesNotMatch((await stage.gong(["help"], { env: { GONG_LANG: "en" } })).out, han)
  const wrong = await stage.gong(["doctor"], { env: { GONG_LANG: "klingon" } })
  assert.deepEqual([wrong.status, wrong.err], [2, 'gong: GONG_LANG must be auto, en or zh-CN, not "klingon".\n'])
})

test("usage errors, doctor, sessions, models, login and undo are Chinese", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "好。" } })
  const say = async (args: readonly string[], names: readonly string[] = []) => {
    const { out, err } = await stage.gong(args, { env: chinese })
    isChinese(out + err, names)
  }
  await say(["--fooo"])
  await say(["--max-turns", "x"])
  await say(["--permission", "atuo"], ["ask, auto", "plan, ask"])
  await say(["doctor", "me"])
  await say(["doctor"], ["bubblewrap (bwrap)", "bwrap", "linux", "apt install bubblewrap", "dnf install bubblewrap"])
  await say(["sessions"])
  await say(["-c", "-p", "x"])
  await say(["undo"])
  await say(["config", "set", "bash.timeout", "soon"])
  await say(["permissions"])
  await say(["login", "nobody"], providersOf(await stage.gong(["login", "nobody"])))
  await say(["models", "nothing-like-it"])
  await stage.gong(["-p", "你好"])
  await say(["sessions"])
  await say(["sessions", "stats"], ["custom/mock"])
  await say(["sessions", "search", "没有的词"])
})

/** The list of providers in the English form of the same message. */
function providersOf({ err }: { readonly err: string }): readonly string[] {
  const list = /There are ([^;]*);/.exec(err)?.[1] ?? ""
  assert.notEqual(list, "")
  return [list]
}

test("problems of skills, templates, themes, extensions, hooks, rules and files are Chinese; so are import and the help of rpc", async (t) => {
  const stage = await openStage(t)
  const skill = (header: string) => `---\n${header}\n---\nx\n`
  const home = (path: string) => `${stage.gongHome}/${path}`
  stage.write({
    [home("skills/good/SKILL.md")]: skill("name: good\ndescription: 好"),
    [home("skills/silent/SKILL.md")]: skill("name: silent"),
    [home("skills/Odd--x/SKILL.md")]: skill("name: -Odd--\ndescription: 好\nscope: ever"),
    [home("skills/loose.md")]: "x\n",
    [home("prompts/zero.md")]: "$0\n",
    [home("prompts/empty.md")]: "",
    [home("themes/odd.json")]: '{"colors": {"x": "red", "match": "no"}, "y": 1}',
    [home("extensions/none.mjs")]: "export const a = 1\n",
    [home("extensions/newer.mjs")]: "export const api = 9\nexport default () => {}\n",
    [home("extensions/help.mjs")]: "export default (gong) => gong.command({ name: 'help', about: 'x', run() {} })\n",
    [home("extensions/kit.mjs")]: "export default (gong) => gong.resources({ skills: ['nowhere'] })\n",
    ".gong/skills/good/SKILL.md": skill("name: good\ndescription: 好"),
    ".gong/hooks.json":
      '{"hooks": {"PreTool": [], "PreToolUse": [{"matcher": "(", "hooks": []}, {"hooks": [{"type": "prompt"}]}, 4]}}',
    ".claude/settings.json": "{nope",
    "AGENTS.md": `@.env ${"字 ".repeat(20_000)}`,
    [`${stage.home}/.claude/settings.json`]: JSON.stringify({
      model: "opus",
      statusLine: {},
      permissions: { allow: ["Bash(npm test)", "Frobnicate"], defaultMode: "acceptEdits" },
      hooks: { Nope: [] },
      env: { A: "b" },
    }),
  })
  const names = [
    "PreToolUse, PostToolUse, UserPromptSubmit, Stop, SubagentStop, SessionStart, SessionEnd, PreCompact, PreSwitch, Notification",
    "strong, muted, accent, added, removed, match, warn, error, heading, link, code, quote, keyword, string, number, comment",
    "black, red, green, yellow, blue, magenta, cyan, white, gray, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite",
    "export default function (gong)",
    "bubblewrap (bwrap)",
    "apt install bubblewrap",
    "dnf install bubblewrap",
    "read,grep",
    "read、grep",
    "Claude Code",
    "model opus",
    "allow Frobnicate",
    "defaultMode acceptEdits",
  ]
  for (const args of [
    ["doctor", "--trust", "yes"],
    ["skills", "validate"],
    ["import", "--from", "claude", "--dry-run"],
    ["import", "--from", "claude"],
    ["rpc", "--help"],
    ["-p", "x", "--allow", "foo("],
    ["-p", "x", "-e", "nowhere"],
    ["-p", "/skill:nothing"],
  ]) {
    const { out, err } = await stage.gong(args, { env: chinese })
    isChinese((out + err).replaceAll(/^.*\.mjs:\d+.*$/gm, ""), names)
  }
  const wrong = await stage.gong(["skills", "validate"], { env: chinese })
  assert.match(wrong.err, /^(gong: (警告|错误|重名)：\/.*\n)+gong: .* 个技能、.*：\d+ 个问题。\n$/)
  assert.match((await stage.gong(["doctor", "--trust", "yes"], { env: chinese })).out, /^ *(警告|错误|重名)：\//m)
  const validate = await stage.gong(["skills", "list", "--json"], { env: chinese })
  assert.doesNotMatch(validate.out.replaceAll("好", ""), han)
})

test("the demo and its scripted model are Chinese", async (t) => {
  const stage = await openStage(t)
  const run = await stage.gong(["demo", "--fast"], { env: chinese })
  assert.equal(run.status, 0, run.err)
  const text = run.out.replaceAll(/^.*return price.*$|^会话：.*(?= sessions)/gm, "")
  isChinese(text, ["sessions show", "node --test", "grep "])
  assert.match(text, /2 个文件中 6 处匹配\n/)
  assert.match(text, /1 个失败, 退出码 1, /)
})

test("a print run is Chinese on stderr: summary line, retry, refusal, limit; the tape, the model and JSON stay English", async (t) => {
  const stage = await openStage(t)
  const turns = [
    { fault: { kind: "status", status: 500, message: "busy" } },
    { calls: [{ name: "bash", args: { command: "make x" } }] },
    { text: "Done." },
  ] as const
  stage.server.begin([...turns])
  const quick = ["--set", "retry.baseMs=1"]
  const run = await stage.gong(["-p", "go", ...quick], { env: chinese })
  assert.deepEqual([run.status, run.out], [0, "Done.\n"])
  isChinese(run.err, ["custom/mock", "custom", "(500 busy)", "gong: ", "ask", "auto"])
  assert.match(run.err, /沙箱：关/)
  assert.match(run.err, /秒后第 2 次尝试，共 4 次/)
  assert.match(run.err, /“make x”需要权限，而这里没有人可以给出/)
  assert.doesNotMatch(JSON.stringify(stage.server.requests.map(({ body }) => body)), han)
  assert.doesNotMatch(JSON.stringify(stage.entries()), han)

  for (const output of ["json", "events"]) {
    stage.server.begin([...turns])
    const events = await stage.gong(["-p", "go", "--output", output, ...quick], { env: chinese })
    assert.equal(events.status, 0)
    assert.doesNotMatch(events.out + events.err, han)
  }
  for (const args of [
    ["models", "--json", "sonnet"],
    ["sessions", "--json"],
    ["config", "--json"],
    ["skills", "--json"],
  ])
    assert.doesNotMatch((await stage.gong(args, { env: chinese })).out, han)
})

test("the model setup is Chinese, at a terminal and headless", { skip }, async (t) => {
  const stage = await openStage(t)
  const env = { ...stage.env, ...chinese, GONG_MODEL: "", GONG_BASE_URL: "", GONG_API_KEY: "", GONG_API: "" }
  stage.write({ [`${stage.gongHome}/models.json`]: noServers })
  const terminal = openTerminal(t, { ...stage, env } as Stage, [])
  await terminal.until("1-5，回车离开 > ")
  terminal.type("9\r")
  await terminal.until("请输入 1 到 5 的数字")
  await terminal.until("> ")
  terminal.type("\r")
  assert.equal(await terminal.ended, 2)
  isChinese(terminal.text, ["Ollama", "API", "sk-ant-、sk-or-、gsk_、xai-", "ollama serve"])
  const headless = await stage.gong(["-p", "hi"], { env })
  assert.deepEqual([headless.status, headless.out], [2, ""])
  isChinese(headless.err, ["export", "gong models --keys"])
})

test("a conversation is Chinese: intro, help, permission questions, refusals, trust", { skip }, async (t) => {
  const stage = await openStage(t)
  stage.write({
    ".gong/settings.json": JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }),
  })
  const env = { ...stage.env, ...chinese }
  const call = { name: "bash", args: { command: "make x" } }
  stage.server.begin([{ calls: [call] }, { text: "好了。" }])
  const terminal = openTerminal(t, { ...stage, env } as Stage, [])
  await terminal.until("[n] 不用它运行：")
  terminal.type("v\r")
  await terminal.until("[n] 不用它运行：")
  terminal.type("n\r")
  await terminal.until("> ")
  terminal.type("/help\r")
  await terminal.until("/hotkeys 显示按键")
  await terminal.until("> ")
  terminal.type("/trust\r")
  await terminal.until("不选按回车 > ")
  terminal.type("\r")
  await terminal.until("没有任何改变")
  await terminal.until("> ")
  terminal.type("跑一下\r")
  await terminal.until("[e] 否并说明：")
  terminal.type("\uff4e\r")
  await terminal.until("好了。")
  await terminal.until("> ")
  terminal.type("/hotkeys\r")
  await terminal.until("Ctrl+D")
  await terminal.until("> ")
  terminal.type("/tree\r")
  await terminal.until("不选按回车 > ")
  terminal.type("1\r")
  await terminal.until("继续")
  await terminal.until("> ")
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  const typed = ["/help", "/trust", "/hotkeys", "/tree", "make x", "Ctrl+C", "Ctrl+D", "custom/mock", "Gong 0.1.0"]
  const levels = ["[plan|ask|auto|full]", "[yes|no]", "[on|off]", "AGENTS.md", ".md", ".jsonl", "Pi", "API", "id"]
  const values = Array.from(terminal.text.matchAll(/^\/[\w:-]+(?: \S+)*(?= {2})/gm), ([command]) => command)
  isChinese(terminal.text, [...values, ...typed, ...levels])
  assert.match(
    terminal.text,
    /bash 想运行\r?\n {2}make x\r?\n {2}原因：不能确定它只是读取\r?\n {2}本会话、始终：bash\(make x\)/,
  )
})

test("errors of extensions during a run are reported in Chinese; thrown messages are unchanged", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [{ name: "stray", args: {} }] }, { text: "done" }] })
  const stray = `gong.tool({ name: "stray", description: "d", parameters: { type: "object", properties: {} },
    async execute() { Promise.reject(new Error("nobody waits")); await new Promise(setImmediate); return "ok" } })`
  stage.write({ [`${stage.gongHome}/extensions/late.js`]: `export default (gong) => {\n${stray}\n}\n` })
  const run = await stage.gong(["-p", "--yolo", "--no-session", "go"], { env: chinese })
  assert.deepEqual([run.status, run.out], [0, "done\n"])
  assert.match(run.err, /late\.js:3: nobody waits。没有调用在等它；请在那里捕获。$/m)
})

test("invalid YAML headers, JSON themes, providers and extensions are reported in Chinese", async (t) => {
  const stage = await openStage(t)
  const home = (path: string) => `${stage.gongHome}/${path}`
  const provider = (fields: string) =>
    `gong.provider({ baseUrl: "http://127.0.0.1:9/v1", models: { m: {} }, ${fields} })\n`
  stage.write({
    [home("skills/colon/SKILL.md")]: "---\nname: colon\ndescription: a: b\n---\nx\n",
    [home("skills/docs/SKILL.md")]: "---\nname: docs\n---\u0020x\n---\nx\n",
    [home("prompts/quote.md")]: '---\ndescription: "a\n---\nx\n',
    [home("themes/odd.json")]: '{"colors": {"match": red}}',
    [home("models.json")]:
      '{"providers": {"corp": {"baseUrl": "http://127.0.0.1:9/v1", "models": {"m": {"maxOutput": 9}}}}}',
    [home("extensions/prov.mjs")]: `export default (gong) => {
${provider('name: "anthropic"')}${provider('name: "demo"')}${provider('name: "b", models: { m: { contextWindow: "big" } }')}${provider('name: "c", keys: ["OPENAI_API_KEY"]')}}\n`,
    [home("extensions/hook.mjs")]: "export default (gong) => gong.hook({ onNothing() {} })\n",
    [home("extensions/tool.mjs")]: 'export default (gong) => gong.tool({ name: "x" })\n',
    [home("extensions/throws.mjs")]: 'export default () => { throw new Error("my own words") }\n',
    [home("extensions/prints.mjs")]: "export default (gong) => { for (let i = 0; i < 30; i++) console.log(i) }\n",
    [home("extensions/leaves.mjs")]: "process.exit(3)\n",
    ".gong/extensions/theirs.mjs": `export default (gong) => { ${provider('name: "theirs"')} }\n`,
  })
  const doctor = await stage.gong(["doctor", "--trust", "yes"], { env: chinese })
  const hooks = "beforeToolCall, beforeSessionOp, beforeStop, onToolResult, onContext, onInput, onBeforeAgent"
  const names = [
    hooks,
    "my own words",
    "models.json",
    "bubblewrap (bwrap)",
    "apt install bubblewrap",
    "dnf install bubblewrap",
  ]
  isChinese(doctor.out.replaceAll(/^ {4}at .*$/gm, ""), names)
  for (const line of [
    /colon\/SKILL\.md:3: 文件头不是 YAML（第 14 列）：值里的冒号会被当成另一个键。请给值加上引号。$/m,
    /quote\.md:2: 文件头不是 YAML（第 \d+ 列）：缺少引号/,
    /odd\.json:1: 这不是 JSON：无效的符号。/,
    /prov\.mjs: 提供方“anthropic”已忽略：已有这个名称。请改名。$/m,
    /提供方“demo”已忽略：这个名称已占用。/,
    /提供方“b”已忽略：models\/m\/contextWindow 必须是整数。/,
    /提供方“c”已忽略：OPENAI_API_KEY 保存着另一个提供方的密钥。/,
    /提供方“theirs”已忽略：项目的扩展不能带来提供方。/,
    /hook\.mjs:1: gong\.hook\(\)：没有“onNothing”；/,
    /tool\.mjs:1: gong\.tool\(\)：“x”的“description”必须是文字。/,
    /throws\.mjs:1: my own words。扩展 throws 已停用。/,
    /prints 输出：19 （其余省略。）$/m,
    /leaves\.mjs: 它终止了扩展的线程：它调用了 process\.exit\(\)。扩展 leaves 已停用。/,
  ])
    assert.match(doctor.out, line)
  const broken = '{"providers": {"corp": {"baseUrl": "http://127.0.0.1:9/v1", "models": {"m": {"maxOutput": "big"}}}}}'
  stage.write({ [home("models.json")]: broken })
  const models = await stage.gong(["models"], { env: chinese })
  assert.match(models.err, /models\.json:1：“providers\.corp\.models\.m\.maxOutput”必须是整数。$/m)
})

test("statuses of calls and runs are Chinese in shown sessions and lists; JSON stays English", async (t) => {
  const calls = [
    { name: "bash", args: { command: "exit 3" } },
    { name: "bash", args: { command: "seq 30" } },
    { name: "todo", args: { todos: [{ content: "一", status: "completed" }] } },
    { name: "bash", args: { job: 7 } },
    { name: "bash", args: { command: "echo job 7" } },
  ]
  const stage = await openStage(t, { turns: [{ calls }, { text: "好。" }] })
  await stage.gong(["--yolo", "--tools", "+todo", "-p", "做"], { env: chinese })
  const [id = ""] = stage.sessions()
  const shown = await stage.gong(["sessions", "show", id], { env: chinese })
  assert.match(shown.out, /^ {2}bash exit 3 {2}\S+ s {2}错误$/m)
  assert.match(shown.out, /^ {4}...（前面还有 20 行）$/m)
  assert.match(shown.out, /^ {2}todo 1 项 {2}/m)
  assert.match(shown.out, /^ {2}bash 后台任务 7 {2}/m)
  assert.match(shown.out, /^ {2}bash echo job 7 {2}/m)
  assert.match(shown.out, /^ {4}1 项中已完成 1 项$/m)
  assert.match(shown.out, /^会话 .*\n.*，开始于 /)
  assert.match((await stage.gong(["sessions", "search", "做"], { env: chinese })).out, / {2}用户 +做$/m)
  const replay = await stage.gong(["sessions", "replay", id], { env: chinese })
  assert.match(replay.err, /^gong: 会话 \w+ 没有录制。/)
  assert.match((await stage.gong(["config"], { env: chinese })).out, /^thinking +- +默认$/m)
  const prompt = (await stage.gong(["config", "prompt"], { env: chinese })).out
  assert.match(prompt, /^--- 角色$/m)
  assert.match(prompt, /^合计 +\d+ 字节 +约 \d+ token *$/m)
  assert.match((await stage.gong(["config", "path"], { env: chinese })).out, /^用户 {5}.*\n项目 {5}/)
  assert.doesNotMatch((await stage.gong(["sessions", "show", id, "--json"], { env: chinese })).out, /错误|已完成/)
})
