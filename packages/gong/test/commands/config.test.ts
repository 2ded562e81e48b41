import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, ...args: readonly string[]): Promise<readonly [number, string, string]> {
  const { status, out, err } = await program.gong(args)
  return [status, program.plain(out), program.plain(err)]
}

test("gong config sets, shows and unsets settings of the user and of the project, and reports overrides", async (t) => {
  const program = openProgram(t)
  const found: unknown[] = []
  for (const args of [
    ["get", "permission"],
    ["set", "permission", "auto"],
    ["get", "permission"],
    ["set", "sandbox", "workspace"],
    ["unset", "sandbox"],
    ["set", "retry.count", "7"],
    ["unset", "permission"],
    ["unset", "permission"],
    ["set", "images.block", "on"],
    ["get", "images.block"],
    ["get", "rules.allow"],
    ["get", "nope"],
    ["set", "permission", "nope"],
    ["set", "env.allow", "A,B"],
    ["get", "env.allow"],
    ["path"],
    ["get", "retry.count", "--json"],
    ["path", "--json"],
    ["list", "--project"],
    ["get", "theme", "--project"],
  ])
    found.push([args.join(" "), ...(await printed(program, "config", ...args))])
  assert.deepEqual(found, [
    ["get permission", 0, "-\n", ""],
    ["set permission auto", 0, "permission is auto in $GONG/settings.json.\n", ""],
    ["get permission", 0, "auto\n", ""],
    [
      "set sandbox workspace",
      0,
      "sandbox is workspace in $GONG/settings.json. Here GONG_SANDBOX has precedence: off.\n",
      "",
    ],
    ["unset sandbox", 0, "sandbox is not set in $GONG/settings.json. Here GONG_SANDBOX has precedence: off.\n", ""],
    ["set retry.count 7", 0, "retry.count is 7 in $GONG/settings.json.\n", ""],
    ["unset permission", 0, "permission is not set in $GONG/settings.json.\n", ""],
    ["unset permission", 0, "permission is not set in $GONG/settings.json.\n", ""],
    ["set images.block on", 0, "images.block is on in $GONG/settings.json.\n", ""],
    ["get images.block", 0, "on\n", ""],
    ["get rules.allow", 0, "-\n", ""],
    ["get nope", 2, "", 'gong: there is no setting "nope". gong config list shows all.\n'],
    ["set permission nope", 2, "", 'gong: "permission" must be plan, ask, auto or full, not "nope".\n'],
    ["set env.allow A,B", 0, "env.allow is A,B in $GONG/settings.json.\n", ""],
    ["get env.allow", 0, "A,B\n", ""],
    ["path", 0, "user     $GONG/settings.json\nproject  $REPO/.gong/settings.json\n", ""],
    ["get retry.count --json", 0, '{"name":"retry.count","value":7,"origin":"$GONG/settings.json"}\n', ""],
    ["path --json", 0, '{"user":"$GONG/settings.json","project":"$REPO/.gong/settings.json"}\n', ""],
    ["list --project", 2, "", "gong: --project works only with gong config set and unset, not with list.\n"],
    ["get theme --project", 2, "", "gong: --project works only with gong config set and unset, not with get.\n"],
  ])
  assert.equal(
    program.read(`${program.gongHome}/settings.json`),
    '{\n  "retry": {\n    "count": 7\n  },\n  "images": {\n    "block": true\n  },\n  "env": {\n    "allow": [\n      "A",\n      "B"\n    ]\n  }\n}\n',
  )
  const rows = JSON.parse((await program.gong(["config", "--json"])).out) as { settings: { origin: string }[] }
  assert.deepEqual(
    rows.settings.filter(({ origin }) => origin !== "default").map((row) => program.plain(JSON.stringify(row))),
    [
      '{"name":"sandbox","value":"off","origin":"GONG_SANDBOX"}',
      '{"name":"env.allow","value":["A","B"],"origin":"$GONG/settings.json"}',
      '{"name":"images.block","value":true,"origin":"$GONG/settings.json"}',
      '{"name":"retry.count","value":7,"origin":"$GONG/settings.json"}',
    ],
  )
})

test("gong config --project writes into the folder, and renews trust only if the folder was trusted or had no active content", async (t) => {
  const program = openProgram(t)
  const project = (...args: readonly string[]) => printed(program, "config", ...args, "--project")
  assert.deepEqual(await project("set", "thinking", "high"), [
    0,
    "thinking is high in $REPO/.gong/settings.json.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust"), [
    0,
    "$REPO is trusted: 1 settings file is loaded.\n  .gong/settings.json\ngong trust no revokes it; gong trust forget asks again.\n",
    "",
  ])
  program.write({ ".gong/settings.json": '{ "thinking": "low" }\n' })
  assert.deepEqual(await project("set", "thinking", "medium"), [
    0,
    "thinking is medium in $REPO/.gong/settings.json. Here default has precedence, and the folder is not trusted (gong trust).\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust"), [
    0,
    '$REPO was trusted, but .gong/settings.json changed since then: its active content is not loaded.\n  .gong/settings.json (changed)\n    @@ -1,3 +1,1 @@\n    -{\n    -  "thinking": "high"\n    -}\n    +{ "thinking": "medium" }\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n',
    "",
  ])
  assert.deepEqual(await printed(program, "trust", "yes"), [
    0,
    "$REPO is trusted: 1 settings file is loaded.\n  .gong/settings.json\ngong trust no revokes it; gong trust forget asks again.\n",
    "",
  ])
  assert.deepEqual(await project("set", "retry.count", "2"), [
    0,
    "retry.count is 2 in $REPO/.gong/settings.json.\n",
    "",
  ])
  assert.deepEqual(await printed(program, "trust"), [
    0,
    "$REPO is trusted: 1 settings file is loaded.\n  .gong/settings.json\ngong trust no revokes it; gong trust forget asks again.\n",
    "",
  ])
  assert.deepEqual(await project("unset", "thinking"), [0, "thinking is not set in $REPO/.gong/settings.json.\n", ""])
  assert.deepEqual(await project("set", "sandbox", "off"), [
    2,
    "",
    'gong: "sandbox" cannot be set by a project. Without --project it is set for you.\n',
  ])
  assert.deepEqual(await printed(program, "trust", "no"), [
    0,
    '$REPO is not trusted: its active content is not loaded.\n  .gong/settings.json (same)\n    @@ -0,0 +1,5 @@\n    +{\n    +  "retry": {\n    +    "count": 2\n    +  }\n    +}\ngong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.\n',
    "",
  ])
  assert.deepEqual(await project("set", "retry.count", "4"), [
    0,
    "retry.count is 4 in $REPO/.gong/settings.json. Here default has precedence, and the folder is not trusted (gong trust).\n",
    "",
  ])
  assert.deepEqual(await printed(program, "config", "get", "retry.count"), [0, "3\n", ""])
})

test("gong config shows the source of a value, and warnings about settings go to stderr", async (t) => {
  const program = openProgram(t, { GONG_PERMISSION: "plan" })
  program.write({ [`${program.gongHome}/settings.json`]: '{ "nope": 1, "thinking": "low" }' })
  const { out, err } = await program.gong(["config", "list", "-m", "openai/gpt-5.1"])
  assert.equal(program.plain(err), 'gong: $GONG/settings.json:1: unknown setting "nope" is ignored.\n')
  assert.deepEqual(
    program
      .plain(out)
      .split("\n")
      .filter((line) => !line.endsWith(" default")),
    [
      "model                        openai/gpt-5.1  --model",
      "thinking                     low             $GONG/settings.json",
      "permission                   plan            GONG_PERMISSION",
      "sandbox                      off             GONG_SANDBOX",
      "",
    ],
  )
  assert.deepEqual(await printed(program, "config", "set", "permission", "ask"), [
    0,
    "permission is ask in $GONG/settings.json. Here GONG_PERMISSION has precedence: plan.\n",
    "",
  ])
})
