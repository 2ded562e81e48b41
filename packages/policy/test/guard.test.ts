import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { destructiveEffect } from "../src/guard.ts"
import { globMatches, isInside } from "../src/paths.ts"
import { parseRule } from "../src/rules.ts"
import { dangerous, ordinary } from "./guard-cases.ts"
import { bash, decide, facts, rules, verdict } from "./fixtures.ts"

const open = facts({ level: "full", allow: rules("bash") })

test("[SAFE-8] irreversible deletion is refused at every level and despite every rule", async () => {
  for (const command of [
    "rm -rf /",
    "rm -fr /",
    "rm -r -f /",
    "rm --recursive --force /",
    "rm -rf /*",
    "rm -rf --no-preserve-root /x",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    "rm -rf $HOME",
    'rm -rf "$HOME"',
    "rm -rf ${HOME}/*",
    "rm -rf /home/u",
    "rm -rf /home",
    "rm -rf /usr",
    "rm -rf .",
    "rm -rf ./",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf .git",
    "rm -rf ./.git/",
    "rm -rf .gong",
    "rm -rf ..",
    "rm -rf src/../..",
    "rm -rf /home/u/shop",
    "rm -rf $PWD",
    "rm -rf /tmp",
    "rm -rf /tmp/*",
    'rm -rf "$STEAMROOT/"*',
    "rm -rf $DIR/",
    "cd / && rm -rf *",
    "cd .. && rm -rf shop",
    "cd src && rm -rf ../.git",
    "ls; sudo rm -rf ~",
    "sh -c 'rm -rf ~'",
    "echo $(rm -rf ~)",
    "true && /bin/rm -rf ~",
    "find / -delete",
    "find ~ -type f -exec rm {} +",
    "chmod -R 777 /",
    "chown -R u ~",
    "mv ~ /x",
    "mv /home/u/shop /tmp/y",
    "mkfs.ext4 /dev/sda1",
    "mkfs /dev/nvme0n1",
    "dd if=/dev/zero of=/dev/sda",
    "echo x > /dev/sda",
    "cat x | tee /dev/sdb",
    "wipefs -a /dev/vda",
    "shred /dev/sda",
    ":(){ :|:& };:",
    "bomb() { bomb | bomb & }; bomb",
    "git clean -fdx /",
    "git clean -fdx ~",
  ]) {
    assert.equal(await verdict(bash(command), open), "deny", command)
  }
})

test("the guard allows ordinary deletions", async () => {
  for (const command of [
    "rm -rf node_modules dist",
    "rm -rf ./build",
    "rm -rf /tmp/x",
    "rm -rf /home/u/shop/dist/*",
    "rm -rf ~/.cache/x",
    "rm file",
    "rm -f *.log",
    "cd dist && rm -rf *",
    "find . -name '*.pyc' -delete",
    "chmod -R u+w .",
    "chown -R u src",
    "mv src lib",
    "dd if=/dev/sda of=disk.img",
    "dd if=x of=/dev/null",
    "echo x > /dev/null",
    "git clean -fdx",
    "f() { g | h & }; f",
    "cat /dev/sda",
  ]) {
    assert.equal(await verdict(bash(command), open), "allow", command)
  }
})

test("[SAFE-8] values are traced to a recursive delete through assignments, loops, substitutions, pipes, functions and shells", async () => {
  for (const command of dangerous) assert.equal(await verdict(bash(command), open), "deny", command)
})

test("ordinary commands with variables and loops are not refused", async () => {
  for (const command of ordinary) assert.equal(await verdict(bash(command), open), "allow", command)
})

test("the refusal names what would be deleted, or requests the name of the folder", async () => {
  const printed = async (command: string): Promise<string> => {
    const found = await decide(bash(command), open)
    return found.verdict === "deny" ? found.toModel : found.verdict
  }
  assert.match(await printed("X=~; rm -rf $X"), /would destroy the home folder\. Gong never runs this/)
  assert.match(await printed("cd build; rm -rf *"), /would destroy \/home\/u\/shop, should a "cd" before it fail\./)
  const unknown = await printed('X=$(cat f); ls; rm -rf "$X"')
  assert.match(unknown, /which one cannot be known before it runs \(rm -rf "\$X"\)/)
  assert.match(unknown, /Name the folder: write its path out, or assign it in the same command/)
})

test("variables of the environment are expanded: an unset one is empty", async () => {
  const given = (env: Readonly<Record<string, string>>) => facts({ level: "full", env: { HOME: "/home/u", ...env } })
  for (const [command, env, expected] of [
    ['rm -rf "$OUT/"*', {}, "deny"],
    ['rm -rf "$OUT/"*', { OUT: "/tmp/x" }, "allow"],
    ["rm -rf $OUT", { OUT: "/home/u" }, "deny"],
    ["rm -rf $OUT", {}, "allow"],
    ["rm -rf ${OUT:?}/*", {}, "allow"],
    ["rm -rf ${OUT:?}/*", { OUT: "/home/u" }, "deny"],
    ['rm -rf "$TMPDIR/x"', {}, "allow"],
    ['rm -rf "$TMPDIR"', {}, "deny"],
    ["rm -rf ~", { HOME: "/tmp/elsewhere" }, "allow"],
  ] as const)
    assert.equal(await verdict(bash(command), given(env)), expected, `${command} ${JSON.stringify(env)}`)
})

test("any script is evaluated without a throw, in bounded time; one that is too complex and deletes is refused", () => {
  const pieces = fc.constantFrom(
    ..."rm -rf ~ X= $X ${X:- $( ` ( ) { } [[ ]] (( )) ; & | \n < > << EOF ' \" \\ for in do done if then fi case esac while f() eval sh -c {a,b} * ~/ # ! time \0 工".split(
      " ",
    ),
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 40 }),
      fc.constantFrom("", " "),
      (parts, joint) => {
        destructiveEffect(parts.join(joint), open)
      },
    ),
    { numRuns: 200 },
  )
  for (const piece of [
    "$(",
    "`",
    "{a,b}",
    "${x:-",
    "(",
    "{ ",
    "eval ",
    "f(){ f;f; };f;",
    "x=$x$x;",
    "for i in 1 2; do ",
    "<<E\n",
    "sudo ",
  ])
    destructiveEffect(piece.repeat(1000), open)
  assert.equal(destructiveEffect(`${"rm -rf x;".repeat(10_000)}`, open)?.kind, "unknown")
  assert.equal(destructiveEffect(`${"true;".repeat(10_000)}`, open), null)
})

test("valid and invalid rules", () => {
  const read = (text: string) => {
    const rule = parseRule(text, ["bash", "edit"])
    return rule.ok ? [rule.rule.tool, rule.rule.pattern] : englishOf(rule.problem)
  }
  assert.deepEqual(read("bash(git push *)"), ["bash", "git push *"])
  assert.deepEqual(read("Bash(git:*)"), ["bash", "git *"])
  assert.deepEqual(read(" edit ( src/** ) "), ["edit", "src/**"])
  assert.deepEqual(read("bash"), ["bash", null])
  assert.deepEqual(read("bash(*)"), ["bash", "*"])
  assert.deepEqual(read("bash(f(x))"), ["bash", "f(x)"])
  assert.equal(read("git push"), '"git push" is no rule. Write bash(git push *) or edit(src/**).')
  assert.match(String(read("shell(x)")), /there is no tool "shell"/)
  for (const text of ["", "bash()", "(x)", "bash(x"]) assert.match(String(read(text)), /is no rule/, text)
})

test("path patterns and folders compare whole names", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["/w/src/**", "/w/src/a/b.ts", true],
    ["/w/src/**", "/w/src2/a", false],
    ["/w/**/x.ts", "/w/x.ts", true],
    ["/w/**/x.ts", "/w/a/b/x.ts", true],
    ["/w/*.ts", "/w/a.ts", true],
    ["/w/*.ts", "/w/a/b.ts", false],
    ["/w/a.ts", "/w/aXts", false],
    ["/w/[id]/?.ts", "/w/[id]/a.ts", true],
  ]
  for (const [pattern, path, expected] of cases)
    assert.equal(globMatches(pattern, path), expected, `${pattern} ${path}`)
  assert.equal(isInside("/w/app", "/w/app-evil"), false)
  assert.equal(isInside("/w/app", "/w/app"), true)
  assert.equal(isInside("/", "/x"), true)
})
