import assert from "node:assert/strict"
import { test } from "node:test"
import { innerCommandsOf } from "../../src/shell/inner-commands.ts"
import { unknown } from "../../src/shell/value.ts"
import { evaluated } from "../evaluated.ts"

/** The commands and scripts that a command runs; its words are separated by blanks, and `$` marks a script. */
function runs(command: string, stdin = "in"): readonly string[] {
  const inner = innerCommandsOf(command.split(" "), { stdin: [stdin] }, new Map([["f.sh", ["body"]]]))
  return inner.map((one) => ("script" in one ? [`$${one.script}`, ...(one.args ?? [])] : one.argv).join(" "))
}

test("a shell runs the script of -c, a file of this script, or its input", () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ["sh -c x name a", "$x a"],
    ["bash -lc x", "$x"],
    ["bash -c -o pipefail x n a", "$x a"],
    ["bash -euo pipefail -c x", "$x"],
    ["bash -c -- x", "$x"],
    ["bash -c"],
    ["sh -ce x name a", "$x a"],
    ["bash -cx -o pipefail x", "$x"],
    ["bash --rcfile c -c x", "$x"],
    ["bash --rcfile x-o f.sh a", "$body a"],
    ["bash --rcfile x-c f.sh", "$body"],
    ["bash --rcfile=c f.sh", "$body"],
    ["bash -c1 f.sh", "$body"],
    ["bash --init-file c f.sh", "$body"],
    ["bash -co pipefail x", "$x"],
    ["bash f.sh -c a", "$body -c a"],
    ["bash +x f.sh", "$body"],
    ["bash -s", "$in"],
    ["bash -x", "$in"],
    ["bash f.sh a", "$body a"],
    ["bash ./f.sh", "$body"],
    ["bash -x f.sh a b", "$body a b"],
    ["bash -o pipefail f.sh a", "$body a"],
    ["bash gone.sh"],
    ["bash x-c"],
    ["bash -s a b", "$in a b"],
    ["bash /dev/stdin a", "$in a"],
    ["bash /dev/fd/0", "$in"],
    ["bash /proc/self/fd/0", "$in"],
    ["bash /proc/12/fd/0", "$in"],
    ["bash /dev/fd/01"],
    ["bash x/dev/stdin"],
    [". /dev/stdin a", "$in a"],
    ["bash", "$in"],
    [". f.sh a", "$body a"],
    ["source ./f.sh", "$body"],
    ["./f.sh a", "$body a"],
    ["at now", "$in"],
  ]
  assert.deepEqual(
    cases.map(([command]) => [command, ...runs(command)]),
    cases,
  )
})

test("commands with another command in their words run that", () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ["fd a -x rm -r ;", `rm -r ${unknown}`],
    ["fd a --exec rm {}", `rm ${unknown}`],
    ["fd --exec-batch rm", `rm ${unknown}`],
    ["fd --exec-dir a"],
    ["fd a a-x rm"],
    ["watch -n 5 rm x", "$rm x"],
    ["git submodule foreach --recursive rm x", "$rm x"],
    ["git submodule foreach rm -r x", "$rm -r x"],
    ["git submodule update x"],
    ["git foreach rm"],
    ["npm exec -y rimraf x", "rimraf x"],
    ["pnpm dlx rimraf x", "rimraf x"],
    ["yarn dlx rimraf x", "rimraf x"],
    ["bun x rimraf x", "rimraf x"],
    ["npm run-exec rimraf x"],
    ["npm install x"],
    ["command -v rm"],
    ["command -V rm"],
    ["command rm x", "rm x"],
    ["command x-v rm", "x-v rm"],
    ["command -vx rm", "rm"],
    ["su -c x root", "$x"],
    ["su -lc x", "$x"],
    ["su --command=x", "$x"],
    ["su root -cx", "$x"],
    ["su -lcx", "$x"],
    ["su --change x"],
    ["script -qecx f", "$x"],
    ["npm exec-x rimraf x"],
    ["npm a-exec rimraf x"],
    ["su --command x root", "$x"],
    ["flock f -c x", "$x"],
    ["flock f rm x", "rm x"],
    ["flock f rm x --command=y", "$y"],
    ["script -qc x f", "$x"],
    ["script a-c x"],
    ["script a-cx f"],
    ["runuser -c", "$"],
    ["env -S x", '$env x "$@"'],
    ["env -vS x", '$env x "$@"'],
    ["env -Sx", '$env x "$@"'],
    ["env --split-string=x", '$env x "$@"'],
    ["env --split-string x", '$env x "$@"'],
    ["env a-S", "a-S"],
    ["env a-Sx", "a-Sx"],
    ["env A=1 rm x", "rm x"],
    ["ls x"],
  ]
  assert.deepEqual(
    cases.map(([command]) => [command, ...runs(command)]),
    cases,
  )
  assert.deepEqual(innerCommandsOf(["env", "-C", "/x", "A=1", "rm"], { stdin: [""] }, new Map()), [
    { argv: ["rm"], assignments: [["A", "1"]], folder: "/x" },
  ])
  assert.deepEqual(innerCommandsOf(["sudo", "-D", "/x", "rm"], { stdin: [""] }, new Map())[0]?.folder, "/x")
  assert.deepEqual(innerCommandsOf(["env", "--chdir=/x", "rm"], { stdin: [""] }, new Map())[0]?.folder, "/x")
  assert.deepEqual(innerCommandsOf(["env", "-C/x", "rm"], { stdin: [""] }, new Map())[0]?.folder, "/x")
  assert.deepEqual(innerCommandsOf(["sudo", "-D/x", "rm"], { stdin: [""] }, new Map())[0]?.folder, "/x")
  assert.deepEqual(innerCommandsOf(["sudo", "-C", "3", "rm"], { stdin: [""] }, new Map())[0]?.folder, undefined)
  for (const words of ["env A=x-C rm", "sudo A=x-D rm", "env A=x--chdir=y rm"])
    assert.deepEqual(innerCommandsOf(words.split(" "), { stdin: [""] }, new Map())[0]?.folder, undefined, words)
  assert.deepEqual(innerCommandsOf(["exec", "rm"], { stdin: [""] }, new Map())[0]?.sameShell, true)
  assert.deepEqual(innerCommandsOf(["nice", "rm"], { stdin: [""] }, new Map())[0]?.sameShell, undefined)
})

test("find runs its commands on its matches, by name if one is given", () => {
  const u = unknown
  const cases: readonly (readonly [string, ...string[]])[] = [
    ["find a -exec rm {} ;", "rm a", "rm a/**"],
    ["find a b -execdir rm {}/x + -print", "rm a/x", "rm a/**/x", "rm b/x", "rm b/**/x"],
    ["find -ok rm", "rm .", "rm ./**"],
    ["find -L a -okdir rm {} ;", "rm a", "rm a/**"],
    ["find -D x -exec rm {} ;", "rm x", "rm x/**"],
    ["find a x-exec rm"],
    ["find a -execx rm ;"],
    ["find a -name b -exec rm {} ;", `rm a/${u}b`],
    ["find a -iname b* -exec rm {} ;", `rm a/${u}b${u}`],
    ["find a -name * -exec rm {} ;", "rm a", "rm a/**"],
    ["find a -name [ab] -exec rm {} ;", "rm a", "rm a/**"],
    ["find a ! -name b -exec rm {} ;", "rm a", "rm a/**"],
    ["find a -not -path b -exec rm {} ;", "rm a", "rm a/**"],
    ["find a -name b -o -name c -exec rm {} ;", `rm a/${u}b`, `rm a/${u}c`],
    ["find a -name b -or -type f -exec rm {} ;", "rm a", "rm a/**"],
    ["find a -mindepth 1 -exec rm {} ;", "rm a/**"],
    ["find a -mindepth 0 -exec rm {} ;", "rm a", "rm a/**"],
    ["find a ( -type d ) -exec rm {} ;", "rm a", "rm a/**"],
  ]
  assert.deepEqual(
    cases.map(([command]) => [command, ...runs(command)]),
    cases,
  )
})

test("xargs and parallel run their command with the input", () => {
  const cases: readonly (readonly [string, string, ...string[]])[] = [
    ["xargs rm -r", "a b\nc\n", "rm -r a b c"],
    ["xargs", "a"],
    ["xargs -a f rm", "a", `rm ${unknown}`],
    ["xargs --arg-file=f rm", "a", `rm ${unknown}`],
    ["xargs rm -a", "b", "rm -a b"],
    ["xargs -I x-a rm x-a", "b", "rm b"],
    ["xargs -d x-i rm", "a", "rm a"],
    ["xargs -I X rm X/X y", "a b\nc\n", "rm a b/a b y", "rm c/c y"],
    ["xargs -IX rm X", "a", "rm a"],
    ["xargs -i rm {}", "a", "rm a"],
    ["xargs --replace rm {}", "a", "rm a"],
    ["xargs --replace=X rm X", "a", "rm a"],
    ["xargs rm -I", "a", "rm -I a"],
    ["xargs --no-run-if-empty rm", "a", "rm a"],
    ["xargs -i -t rm {}", "a", "rm a"],
    ["xargs --max-args 1 rm", "a", "rm a"],
    ["parallel rm -r ::: a b", "in", "$rm -r 'a'", "$rm -r 'b'"],
    ["parallel rm {}/x :::+ a", "in", "$rm 'a'/x"],
    ["parallel rm :::: f", "in", `$rm '${unknown}'`],
    ["parallel rm", "a\nit's\n", "$rm 'a'", "$rm 'it'\\''s'"],
    ["parallel rm a:::", "b", "$rm a::: 'b'"],
    ["parallel rm :::x", "b", "$rm :::x 'b'"],
    ["parallel -j 2 ::: p", "in", "$p"],
    ["parallel", "p a\n", "$p a"],
  ]
  assert.deepEqual(
    cases.map(([command, stdin]) => [command, stdin, ...runs(command, stdin)]),
    cases,
  )
})

test("output written to a file can be run from it", () => {
  assert.deepEqual(evaluated("echo p a > ./x; echo p b >> x; bash x"), [["a"], ["b"]])
  assert.deepEqual(evaluated("echo p a >| x; . ./x"), [["a"]])
  assert.deepEqual(evaluated("echo p a; sh x"), [])
})
