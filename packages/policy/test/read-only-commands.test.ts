import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"
import { readOnlyCommands } from "../src/command/read-only-commands.ts"
import { analyzeReadOnly } from "../src/command/read-only-analysis.ts"
import { facts } from "./fixtures.ts"

/** Arguments with which each of these is read-only; all others take a name. */
const ownArguments: Readonly<Record<string, string>> = { sed: "1p", jq: ".", date: "+%s", uniq: "a", seq: "3" }

const argumentOf = (name: string) => ownArguments[name] ?? "a"
const answer = (command: string) => analyzeReadOnly(parseCommand(command), facts(), () => false)

/** The read-only programs for which this holds, in the order of the table. */
const which = (holds: (name: string) => boolean) => Object.keys(readOnlyCommands).filter(holds)

test("every read-only command is read-only with one argument", () => {
  assert.deepEqual(
    which((name) => !answer(`${name} ${argumentOf(name)}`).readOnly),
    [],
  )
})

test("programs that show names and numbers accept file patterns, others do not", () => {
  const taking = which((name) => answer(`${name} *.ts`).readOnly)
  assert.deepEqual(taking, ["ls", "wc", "echo", "stat", "du", "df"])
})

test("the arguments of some programs are text, not files", () => {
  const texts = which((name) => answer(`${name} -- ${argumentOf(name)}`).reads.length === 0)
  const programs = "echo tr basename dirname which type whereis id date expr numfmt seq"
  assert.deepEqual(
    which((name) => readOnlyCommands[name]?.text === true),
    [...programs.split(" "), "printf"],
  )
  assert.deepEqual(
    programs.split(" ").filter((name) => !texts.includes(name)),
    [],
  )
})

test("shell builtins are not looked up as programs", () => {
  const builtins = which((name) => answer(`${name} ${argumentOf(name)}`).programs.length === 0)
  assert.deepEqual(builtins, ["echo", "pwd", "true", "false", "type", "printf", "test", "["])
})

test("programs that read whole trees are marked", () => {
  const searching = which((name) => answer(`${name} ${argumentOf(name)}`).trees.length > 0)
  assert.deepEqual(searching, ["diff", "rg", "grep", "egrep", "fgrep", "find"])
})

test("options match completely: with more characters it is another option", () => {
  const options: Readonly<Record<string, string>> = {
    more: "-d",
    base64: "-d",
    diff: "-u",
    uniq: "-c",
    sort: "-u",
    find: "-print",
    sed: "-n",
    jq: "-r",
    file: "-b",
    tree: "-a",
    whereis: "-b",
    date: "-u",
    test: "-d",
    "[": "-d",
  }
  assert.deepEqual(
    which((name) => readOnlyCommands[name]?.options !== undefined),
    Object.keys(options),
  )
  for (const [name, option] of Object.entries(options)) {
    const takes = (word: string) => readOnlyCommands[name]?.options?.test(word)
    assert.deepEqual([option, `-?${option}`, `${option}?`].map(takes), [true, false, false], name)
  }
})

test("words that change a program's effect are recognized at their beginning, not inside other words", () => {
  for (const [name, kind, hits, others] of [
    ["wc", "refuses", "--files0-from=x", "a--f -l"],
    ["tail", "refuses", "-f -F -nf --follow --retry --pid=1", "a-f -n5 --lines=5"],
    ["od", "refuses", "--traditional", "a--t -t"],
    ["grep", "refuses", "-f -if --file=x -D --devices=read", "a-f a--f --dereference-recursive -i"],
    ["grep", "follows", "-R -iR --dereference-recursive", "a-R a--der -r"],
    ["grep", "pattern", "-e -ie -f --regexp=x --file=x", "a-e -i --include=x"],
    ["rg", "pattern", "-e -ie --regexp=x --files --type-list", "a-e -i"],
    ["rg", "refuses", "--pre=x --hostname-bin=x --search-zip --follow --file --file=x -z -f -L", "a--pre a-z --files"],
    ["du", "refuses", "--files0-from=x --exclude-from=x -X -L", "a--f a-L -s --exclude=x"],
    ["printf", "refuses", "-v %n %5hn", "a-v %d %%"],
    ["seq", "refuses", "inf NaN 123456789 1e5 1p5 0x1", "12345678 1"],
    ["more", "unless", "LESS LESSOPEN MORE", "XLESS LANG"],
    ["date", "script", "+%s", "0+1 01010101"],
    ["sed", "script", "1p 1,5p; $= /x/d s/a/b/ s#a#b#2g", "w1p 1pw s/a/b/w s/a/b/e 1e"],
    ["jq", "script", ". .a|keys", "import xenv env.HOME"],
  ] as const) {
    const form = readOnlyCommands[name]?.[kind]
    for (const word of hits.split(" ")) assert.equal(form?.test(word), true, `${name} ${kind} ${word}`)
    for (const word of others.split(" ")) assert.equal(form?.test(word), false, `${name} ${kind} ${word}`)
  }
})
