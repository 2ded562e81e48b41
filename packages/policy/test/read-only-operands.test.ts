import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"
import { analyzeReadOnly } from "../src/command/read-only-analysis.ts"
import { facts } from "./fixtures.ts"

const answer = (command: string) => analyzeReadOnly(parseCommand(command), facts(), () => false)
const shop = "/home/u/shop"

test("an operand of a read-only command is a path unless it is an option or its value; after -- every argument is", () => {
  for (const [command, ...reads] of [
    ["cat a", "a"],
    ["cat -- -x", "-x"],
    ["cat -n -- -x a", "-x", "a"],
    ["cat --x=b -- --y=c", "b", "--y=c"],
    ["ls --sort=size a", "size", "a"],
    ["cat - a", "a"],
    ["head -n 5 a", "5", "a"],
    ["rg -- -x src", "--", "src"],
    ["rg x a-e", "a-e"],
    ["git diff -- a", "diff", "a"],
    ["echo a"],
  ] as const) {
    const expected = reads.filter((path) => path !== "--").map((path) => `${shop}/${path}`)
    assert.deepEqual([answer(command).readOnly, answer(command).reads], [true, expected], command)
  }
})

test("an extra word, a folder elsewhere or an output file makes a command not read-only", () => {
  for (const command of [
    "uniq - out",
    "uniq a out",
    "uniq -- a out",
    "date +%s +%d",
    "date 0101",
    "cat ~u~",
    "cat ~u",
    "~/cat a",
    "sed w",
    "cat a > b",
    "ls 2> '/dev/null '",
    "cd /etc && ls",
    "ls && cd src",
    "cd src; ls",
    "cd src || ls",
    "cd -P src && ls",
    "cd a b && ls",
    "cd s* && ls",
    "git -C /etc status",
    "git -C ../x status",
    "git -C status",
    "git --no-pager -C /etc status",
    "toString",
    "x/cat a",
  ])
    assert.equal(answer(command).readOnly, false, command)
})

test("a read-only command in another folder of the workspace is analyzed there, and the folders that git searches are reported", () => {
  const found = answer("git --no-pager -C src -C a -P diff x")
  assert.deepEqual([found.readOnly, found.gitFolders], [true, [`${shop}/src/a`]])
  assert.deepEqual(found.trees, [`${shop}/src/a`, `${shop}/src/a/diff`, `${shop}/src/a/x`])
  for (const option of ["-P", "--no-pager", "-P --no-pager"])
    assert.deepEqual(answer(`git ${option} -C src status`).gitFolders, [`${shop}/src`], option)
  assert.deepEqual(answer("cd src && cat a").reads, [`${shop}/src/a`])
  assert.deepEqual(answer("cd src").readOnly, true)
  assert.deepEqual(answer("uniq -c a").readOnly, true)
  assert.deepEqual(answer("date -u +%s").readOnly, true)
  assert.deepEqual(answer("ls 2>/dev/null").readOnly, true)
})
