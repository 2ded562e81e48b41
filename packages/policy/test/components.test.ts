import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"
import { deletedBy } from "../src/command/deletions.ts"
import { commandOf } from "../src/decision.ts"
import { externalEffectRule } from "../src/command/external-effects.ts"
import { findMatches, innerCommandsOf, parseFind } from "../src/shell/inner-commands.ts"
import { printfOutput } from "../src/shell/output.ts"
import { expandBraces } from "../src/shell/braces.ts"
import {
  bounded,
  combinations,
  union,
  isKnown,
  boundedField,
  textValue,
  concatenated,
  unknown,
} from "../src/shell/value.ts"
import { nestedCommands, transparent } from "../src/command/unwrap.ts"

const wordsOf = (command: string) => parseCommand(command).commands[0]?.words ?? []

test("commands that act outside the machine's files are recognized by program, or by verb", () => {
  const leaves = (command: string) =>
    externalEffectRule(parseCommand(command).commands.flatMap((one) => nestedCommands(one).all))
  for (const [command, expected] of [
    ["git push", "git push"],
    ["git -C x fetch", "git fetch"],
    ["git status", null],
    ["npm --silent publish", "npm publish"],
    ["npm install", null],
    ["curl x", "curl"],
    ["/usr/bin/ssh x", "ssh"],
    ["time docker ps", "docker"],
    ["nice gem push x", "gem push"],
    ["cargo build", null],
    ["toString", null],
    ["ls; scp a b", "scp"],
  ] as const)
    assert.equal(leaves(command), expected, command)
})

test("irreversible effects of a command: its paths, and whether the workspace itself may be among them", () => {
  for (const [command, paths, canIncludeRoots] of [
    ["rm -r a b", ["a", "b"], false],
    ["rm -fR -- -x", ["-x"], false],
    ["rm --recursive a", ["a"], false],
    ["rm a b/**", ["b/**"], false],
    ["rm a", [], false],
    ["rm -- -r a", [], false],
    [`rm ${unknown} a`, [], false],
    [`rm a ${unknown}`, [], false],
    ["rimraf a", ["a"], false],
    ["chmod -R 777 a b", ["a", "b"], true],
    ["chmod --recursive --reference=x a b", ["a", "b"], true],
    ["chown -hR u a", ["a"], true],
    ["mv a b c", ["a", "b"], false],
    ["mv -t x a b", ["a", "b"], false],
    ["mv --target-directory=x a b", ["a", "b"], false],
    ["mv -tx a b", ["a", "b"], false],
    ["mv a-t b c", ["a-t", "b"], false],
    ["mv a--target-directory=x b", ["a--target-directory=x"], false],
    ["rsync --delete a x/b:c", ["x/b:c"], false],
    ["find a b -delete", ["a", "b"], true],
    ["git clean -fdx", ["."], true],
    ["git -C x clean", ["x/."], true],
    ["git clean a /b", ["a", "/b"], true],
    ["git -C x clean a /b", ["x/a", "/b"], true],
    ["git clean -C x", ["x"], true],
    ["rsync --delete a b", ["b"], false],
    ["rsync --del a b/", ["b/"], false],
  ] as const) {
    const [name = "", ...args] = command.split(" ")
    const found = deletedBy(name, args)
    const unknownIsRecursive = command === `rm ${unknown} a`
    assert.deepEqual(found, { paths: unknownIsRecursive ? [unknown, "a"] : paths, canIncludeRoots }, command)
  }
  for (const command of [
    "chmod 777 a",
    "find a -print",
    "git status",
    "rsync a b",
    "rsync --delete a host:b",
    "rsync --delete a rsync://h/b",
    "rsync --delete",
    "ls a",
    "toString a",
  ]) {
    const [name = "", ...args] = command.split(" ")
    assert.equal(deletedBy(name, args), null, command)
  }
})

test("exactly the blanks of a shell are trimmed from a command", () => {
  const declared = { command: "command" }
  const command = (text: unknown) => commandOf({ tool: "bash", arguments: { command: text }, title: "" }, declared)
  assert.equal(command(" \t\nls x\n"), "ls x")
  assert.equal(command("\u00a0ls\r"), "\u00a0ls\r")
  assert.deepEqual([command("  "), command(""), command(7)], ["", "", null])
})

test("neutral wrappers of a command are removed, where clear; of a thousand words at most", () => {
  const plain = (command: string) =>
    transparent(wordsOf(command))
      ?.map(({ text }) => text)
      .join(" ")
  for (const [command, expected] of [
    ["ls x", "ls x"],
    ["time ls x", "ls x"],
    ["timeout 5 nice command ls", "ls"],
    ["builtin cd x", "cd x"],
    ["nohup ls", undefined],
    ["time -o f ls", undefined],
    ["command -v ls", undefined],
    ["time A=1 ls", undefined],
    ["/usr/bin/time ls", undefined],
  ] as const)
    assert.equal(plain(command), expected, command)
  const many = (count: number) => Array.from({ length: count }, () => wordsOf("x")[0] ?? assert.fail())
  assert.equal(transparent(many(1_000))?.length, 1_000)
  assert.equal(transparent(many(1_001)), null)
})

test("brace expansion: nested lists, ends of ranges, quotes; 64 words at most", () => {
  const words = (text: string) =>
    expandBraces([{ type: "text", text, quoted: false }]).map((parts) =>
      parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    )
  for (const [text, expected] of [
    ["a", ["a"]],
    ["a{b,c}d", ["abd", "acd"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{1..3}", ["1", "3"]],
    ["{a..e}x", ["ax", "ex"]],
    ["{1..9..2}", ["1", "9"]],
    ["{-1..5}", ["-1", "5"]],
    ["{a}", ["{a}"]],
    ["{}", ["{}"]],
    ["{a", ["{a"]],
    ["{x{a,b}", ["{xa", "{xb"]],
    ["{a}{b,c}", ["{a}b", "{a}c"]],
    ["{,x}", ["", "x"]],
    ["{1..}", ["{1..}"]],
  ] as const)
    assert.deepEqual(words(text), expected, text)
  const list = (count: number) => `{${Array.from({ length: count }, (_, at) => `w${at}`).join(",")}}`
  assert.equal(words(list(64)).length, 64)
  assert.deepEqual(words(list(65)), [unknown])
  assert.deepEqual(words(`{a,${"b".repeat(4_092)}}`).length, 2)
  assert.equal(words(`${"{".repeat(63)}{a,b}`).length, 2)
  assert.equal(words(`${"{".repeat(64)}{a,b}`).length, 1, "64 braces that open nothing end the search")
  assert.deepEqual(words(`{a,${"b".repeat(4_093)}}`), [unknown])
  const quoted = expandBraces([{ type: "text", text: "{a,b}", quoted: true }])
  assert.equal(quoted.length, 1)
})

test("64 possible values are distinguished, and a field of 4,096 characters; beyond that it may be anything", () => {
  const texts = (count: number) => Array.from({ length: count }, (_, at) => String(at))
  assert.equal(textValue(...texts(64)).length, 64)
  assert.deepEqual(textValue(...texts(65)), [[unknown]])
  assert.equal(textValue(...texts(64), "0", "1").length, 64, "each counts once")
  assert.deepEqual(union(textValue("a"), textValue("b", "a")), [["a"], ["b"]])
  assert.deepEqual([boundedField("x".repeat(4_096)).length, boundedField("x".repeat(4_097))], [4_096, unknown])
  assert.deepEqual(bounded([["x".repeat(4_097), "y"]]), [[unknown, "y"]])
  assert.equal(combinations([texts(8), texts(8)])?.length, 64)
  assert.equal(combinations([texts(8), texts(9)]), null)
  assert.deepEqual(combinations([["a"], ["b", "c"], []]), [])
  assert.deepEqual(combinations([["a"], ["b", "c"]]), [
    ["a", "b"],
    ["a", "c"],
  ])
  assert.deepEqual([isKnown("a"), isKnown(`a${unknown}`)], [true, false])
})

test("outputs of two commands are concatenated; an unknown part leaves the other known", () => {
  assert.deepEqual(concatenated(["a\n"], ["b"]), ["a\nb"])
  assert.deepEqual(concatenated(["", "a"], ["b"]), ["b", "a\nb"])
  assert.deepEqual(concatenated(["a"], [""]), ["a"])
  assert.deepEqual(concatenated(["a\nb\n"], ["c"]), ["a\nb\nc"])
  assert.deepEqual(concatenated([unknown], [unknown]), [unknown])
  assert.deepEqual(concatenated([unknown], ["b"]), [`${unknown}\nb`])
  const many = Array.from({ length: 9 }, (_, at) => String(at))
  assert.deepEqual(concatenated(many, many), [unknown])
})

test("matches of a search are below its starting points, with the names that all alternatives require", () => {
  const found = (words: string) => findMatches(words === "" ? [] : words.split(" "))
  for (const [words, expected] of [
    ["", [".", "./**"]],
    ["a b", ["a", "a/**", "b", "b/**"]],
    ["a -mindepth 1", ["a/**"]],
    ["a -mindepth 0", ["a", "a/**"]],
    ["a -maxdepth 1", ["a", "a/**"]],
    ["a -name x.ts", [`a/${unknown}x.ts`]],
    ["a -iname *.ts", [`a/${unknown}${unknown}.ts`]],
    ["a -name x -o -name y", [`a/${unknown}x`, `a/${unknown}y`]],
    ["a -name x -o -type d", ["a", "a/**"]],
    ["a ! -name x", ["a", "a/**"]],
    ["a -name *", ["a", "a/**"]],
    ["a -name [ab]*", ["a", "a/**"]],
    ["a-b", ["a-b", "a-b/**"]],
    ["a -newer x-name -print", ["a", "a/**"]],
    ["a -newer x! -name b", [`a/${unknown}b`]],
    ["a -newer !x -name b", [`a/${unknown}b`]],
  ] as const)
    assert.deepEqual(found(words), expected, words)
  assert.deepEqual(parseFind(["-L", "-D", "a", "(", "x"]), { starts: ["a"], tests: ["(", "x"] })
  assert.deepEqual(parseFind(["-H", "a", "(", "x"]), { starts: ["a"], tests: ["(", "x"] })
  for (const tests of [
    ["(", "x"],
    ["-name", "x"],
    ["!", "-empty"],
  ])
    assert.deepEqual(parseFind(tests), { starts: ["."], tests }, tests.join(" "))
  assert.deepEqual(parseFind(["a-L", "b"]), { starts: ["a-L", "b"], tests: [] })
  assert.deepEqual(parseFind(["-P"]), { starts: ["."], tests: [] })
})

test("programs that run others: commands and scripts in their words or input", () => {
  const files = new Map([["f.sh", ["from file"]]])
  const inside = (...argv: readonly string[]) => innerCommandsOf(argv, { stdin: ["from stdin"] }, files)
  const script = (text: string, ...args: readonly string[]) => ({ script: text, args })
  const named = (text: string, name: string, ...args: readonly string[]) => ({
    ...script(text, ...args),
    assignments: [["0", name]],
  })
  for (const [argv, expected] of [
    [["bash", "-c", "x", "n", "a"], [named("x", "n", "a")]],
    [["bash", "-lc", "-x", "x"], [script("x")]],
    [["bash", "-c", "-o", "errexit", "x", "n", "a"], [named("x", "n", "a")]],
    [["bash", "-c"], []],
    [["bash", "f.sh", "a"], [script("from file", "a")]],
    [["bash", "-o", "errexit", "./f.sh", "a"], [script("from file", "a")]],
    [["bash"], [script("from stdin")]],
    [["bash", "-s", "a", "b"], [script("from stdin", "a", "b")]],
    [["bash", "/dev/stdin", "a"], [script("from stdin", "a")]],
    [["bash", "gone.sh"], []],
    [["./f.sh", "a"], [script("from file", "a")]],
    [[".", "f.sh", "a"], [{ ...script("from file", "a"), sameShell: true }]],
    [["find", "d", "-name", "x", "-exec", "rm", "{}", ";"], [{ argv: ["rm", `d/${unknown}x`] }]],
    [["find", "d", "-mindepth", "1", "-exec", "rm", "+"], [{ argv: ["rm", "d/**"] }]],
    [["fd", "x", "-x", "rm"], [{ argv: ["rm", unknown] }]],
    [["xargs", "rm"], [{ argv: ["rm", "from", "stdin"] }]],
    [["xargs", "-I", "X", "rm", "aX"], [{ argv: ["rm", "afrom stdin"] }]],
    [["xargs", "-IX", "rm", "X"], [{ argv: ["rm", "from stdin"] }]],
    [["xargs", "-a", "list", "rm"], [{ argv: ["rm", unknown] }]],
    [
      ["parallel", "rm", ":::", "a", "b"],
      [{ script: "rm 'a'" }, { script: "rm 'b'" }],
    ],
    [["parallel", "rm {}/x", "::::", "f"], [{ script: `rm '${unknown}'/x` }]],
    [["watch", "-n", "1", "rm", "x"], [{ script: "rm x" }]],
    [["at", "now"], [{ script: "from stdin" }]],
    [["git", "submodule", "foreach", "--recursive", "rm", "-x"], [{ script: "rm -x" }]],
    [["git", "submodule", "update"], []],
    [["npm", "exec", "--yes", "rimraf", "x"], [{ argv: ["rimraf", "x"] }]],
    [["npm", "run", "x"], []],
    [["command", "-v", "rm"], []],
    [["command", "rm"], [{ argv: ["rm"], assignments: [], sameShell: true }]],
    [["su", "-c", "rm x", "u"], [{ script: "rm x" }]],
    [["su", "--command=rm x"], [{ script: "rm x" }]],
    [["env", "-S", "rm x"], [{ script: `env rm x "$@"`, args: [] }]],
    [["env", "-iSrm", "x"], [{ script: `env rm "$@"`, args: ["x"] }]],
    [["env", "-C", "d", "A=1", "rm"], [{ argv: ["rm"], assignments: [["A", "1"]], folder: "d" }]],
    [["sudo", "--chdir=d", "rm"], [{ argv: ["rm"], assignments: [], folder: "d" }]],
    [["ls", "rm"], []],
  ] as const)
    assert.deepEqual(inside(...argv), expected, argv.join(" "))
})

test("printf repeats its format while there are arguments, 101 times at most", () => {
  const args = (count: number) => Array.from({ length: count }, () => "a")
  assert.deepEqual(printfOutput(["%s-", "a", "b"]), ["a-b-"])
  assert.deepEqual(printfOutput(["x\\ty\\n%%"]), ["x\ty\n%"])
  assert.deepEqual(printfOutput(["%5.2f %q %b", "1", "a", "b"]), ["1 a b"])
  assert.deepEqual(printfOutput(["x", "a"]), ["x"])
  assert.deepEqual(printfOutput(["%s", ...args(101)]), ["a".repeat(101)])
  assert.deepEqual(printfOutput(["%s", ...args(102)]), [unknown])
})
