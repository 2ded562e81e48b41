import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "smol-toml"
import { tomlLines } from "../../src/codex/toml-lines.ts"

const text = `# model = "no"
model = "a" # = [ "
"quoted key" = 'its'
notify = [
  "say", # ]
  "= x",
]
instructions = """
[not.a.table]
model = "b" \\"""
"""
literal = '''
[nor.this]'''
a.b.c = 1
inline = { x = { y = 1 }, z = [1, 2] }

[tui]
theme = "dark"

[ mcp_servers . "my docs" ]
url = "https://docs.example/[x]"

[mcp_servers.fs.env]
LEVEL = "1"

[projects."/w/shop.d"]
trust_level = "trusted"

[[hooks.Stop]]
[[hooks.Stop.hooks]]
command = "one"
[[hooks.Stop.hooks]]
command = "two"
[[hooks.Stop]]
matcher = "x"
[[hooks.Stop.hooks]]
command = "three"`

test("keys, tables and elements of arrays of tables have the line of their first mention", () => {
  assert.ok(parse(text))
  const lineOf = tomlLines(text)
  const cases: readonly (readonly [readonly (string | number)[], number | null])[] = [
    [["model"], 2],
    [["quoted key"], 3],
    [["notify"], 4],
    [["notify", 1], 4],
    [["instructions"], 8],
    [["not"], null],
    [["literal"], 12],
    [["nor"], null],
    [["a"], 14],
    [["a", "b", "c"], 14],
    [["inline", "x", "y"], 15],
    [["tui"], 17],
    [["tui", "theme"], 18],
    [["mcp_servers"], 20],
    [["mcp_servers", "my docs"], 20],
    [["mcp_servers", "my docs", "url"], 21],
    [["mcp_servers", "fs"], 23],
    [["mcp_servers", "fs", "env", "LEVEL"], 24],
    [["projects", "/w/shop.d", "trust_level"], 27],
    [["hooks"], 29],
    [["hooks", "Stop", 0, "hooks", 0], 30],
    [["hooks", "Stop", 0, "hooks", 1], 32],
    [["hooks", "Stop", 1], 34],
    [["hooks", "Stop", 1, "matcher"], 35],
    [["hooks", "Stop", 1, "hooks", 0, "command"], 37],
    [["nothing"], null],
  ]
  for (const [keys, line] of cases) assert.equal(lineOf(keys), line, keys.join("."))
})

test("Windows line ends and an empty text", () => {
  const lineOf = tomlLines('a = 1\r\n[b]\r\nc = """\r\nx"""\r\nd = 2\r\n')
  assert.deepEqual([lineOf(["a"]), lineOf(["b"]), lineOf(["b", "c"]), lineOf(["b", "d"])], [1, 2, 3, 5])
  assert.equal(tomlLines("")(["a"]), null)
})
