import assert from "node:assert/strict"
import { test } from "node:test"
import { unknown } from "../../src/shell/value.ts"
import { assertEvaluated, evaluated } from "../evaluated.ts"

test("chains, loops and branches run every command that bash may run, and none after an exit", () => {
  assertEvaluated([
    ["X=a\nX=${A[1/0]}; X=b\np $X", ["b"], ["a"]],
    ["X=a\nX=${A[1%0]}; X=b\np $X", ["b"], ["a"]],
    ["X=a\nX=${A[1]}; X=b\np $X", ["b"]],
    ["X=a; [ -e f ] || X=b && p $X", ["b"], ["a"]],
    ["X=a; [ -e f ] && X=b || p $X", ["b"], ["a"]],
    ["X=a; X=b || X=c; p $X", ["c"], ["b"]],
    ["exit; p a"],
    ["p a; exit; p b", ["a"]],
    ["(exit); p a", ["a"]],
    ["[ -e f ] && exit; p a", ["a"]],
    ["f() { return; p a; }; f; p b", ["b"]],
    // Outside of functions and loops these fail, and the shell continues.
    ["return; p a", ["a"]],
    ["{ return; }; eval return; builtin return; p a", ["a"]],
    ["break; p a; continue; p b", ["a"], ["b"]],
    ["f() { break; p a; }; for X in b; do f; p $X; break; p c; done; return; p d", ["a"], ["b"], ["d"]],
    ["f() { bash -c 'return; break; p a'; return; p b; }; f; return; p c", ["a"], ["c"]],
    ["for X in a; do bash -c 'break; p b'; done", ["b"]],
    ["f() { for X in a; do return; p b; done; p c; }; f; p d", ["c"], ["d"]],
    ["echo 'p a; return; p b' > f; . ./f; return; p c", ["a"], ["c"]],
    ["[ -e f ] && f() { :; }; f; return; p a", ["a"]],
    // Their variables stay.
    ["X=a; while true; do X=b; [ -e f ] && break; X=c; done; p $X", ["c"], ["a"], ["b"]],
    ["X=a; for Y in 1; do [ -e f ] && continue; X=b; done; p $X", ["b"], ["a"]],
    ["X=a; for Y in 1; do (X=b; break; p b); done; p $X", ["a"]],
    ["for Y in 1; do for Z in 2; do X=a; break 2; done; X=b; done; p $X", ["b"], [], ["a"]],
    ["for Y in 1; do for Z in 2; do X=a; break; done; X=b; done; p $X", ["b"], []],
    ["f() { X=a; [ -e f ] && return; X=b; }; f; p $X", ["b"], ["a"]],
    ["f() { (X=a; return; p b); }; X=c; f; p $X", ["c"]],
    ["set -- a; f() { [ -e f ] && return; }; f b; p $1", ["a"]],
    ["if [ -e f ]; then exit; else exit; fi; p a", ["a"]],
    ["for X in; do p a; done"],
    ["while exit; do p a; done"],
    ["for ((;;)); do p a; break; done", ["a"]],
    ["set -- a b; for X; do p $X; done", ["a"], ["b"]],
    ["if p a; then :; elif p b; then p c; else p d; fi", ["a"], ["b"], ["c"], ["d"]],
    ["while p a; do p b; done", ["a"], ["b"]],
    ["until p a; do break; done", ["a"]],
    ["time p a; time -p p b; ! p c", ["a"], ["b"], ["c"]],
    ["p $; p $/a; p a$", ["$"], ["$/a"], ["a$"]],
    ["X=a; true && X=b && p $X || p c$X", ["b"], ["cb"], ["ca"]],
    ["X=a; while [ -e f ]; do X=b; done; p $X", ["b"], ["a"]],
    ["X=a; { X=b; } & p $X", ["a"]],
    ["X=a; true | X=b; p $X", ["a"]],
    ["echo a | { read X; p $X; }", ["a"]],
    ["{ read X; p $X; } <<< a; read Y; p y$Y", ["a"], ["y"]],
    ["p $(if [ -e f ]; then echo a; fi)", [], ["a"]],
    ["p $(for X in a; do echo $X; done)", ["a", "a"]],
    ["p $(echo a; echo b)", ["a", "b"]],
    ["p $( (echo a) ) $({ echo b; })", ["a", "b"]],
    ["p $(cd x && pwd)", ["/x"], []],
    ["p $(cd / && pwd)", ["/"]],
    ["p $(cd x && echo a || echo b)", ["a", "b"], ["b"]],
    ["p $(echo a; cd x && echo b; echo c)", ["a", "b", "c"], ["a", "c"]],
    ["set -e; X=$(cd x && pwd); p $X", ["/x"]],
  ])
})

test("a function is any of its possible bodies, or the program of its name", () => {
  assertEvaluated([
    ["[ -e f ] && echo() { :; }; p $(echo a)", [], ["a"]],
    ["[ -e f ] && g() { p $1; h; }; h() { p h; }; g a; g b", ["a"], ["h"], ["b"]],
    ["f() { p a; }; [ -e f ] && f() { p b; }; f", ["b"], ["a"]],
    ["f() { p $1; f $1; }; f a", ["a"]],
    ["f() { set -- x; }; set -- a; f; p $1", ["a"]],
    ["f() { g() { p g; }; }; f; g", ["g"]],
    ["function f() { p a; }; f", ["a"]],
    ["f() (p a); f", ["a"]],
    ["f() { p a; } <<< x; f", ["a"]],
    // Consecutive calls are not nested calls.
    [`f() { p $1; }; ${"f a; ".repeat(13)}f b`, ["a"], ["b"]],
  ])
})

test("an assignment for one command applies to it alone", () => {
  assertEvaluated([
    ["f() { p $X; }; X=a f; p x$X", ["a"], ["x"]],
    ["X=b; f() { p $X; }; X=a f; p $X", ["a"], ["b"]],
    ["env X=a bash -c 'p $X'; p x$X", ["a"], ["x"]],
    ["env -C /tmp bash -c 'p $PWD'; p $PWD", ["/tmp"], ["/"]],
    ["command cd /tmp; p $PWD", ["/tmp"]],
    ["local X=a; p $X", ["a"], []],
    ["declare -n X=HOME; p $X", [unknown]],
    ["export X=a{b,c}; p $X", ["ac"]],
    ["${X?} p a; p b"],
  ])
})

test("variables of the shell are known, or numbers, or anything", () => {
  assertEvaluated([
    ["p $0 $- $# $? $$ $! $UID $RANDOM", ["bash", "1", "1", "1", "1", "1", "1"]],
    ['p "${N:-~/x}"', ["~/x"], ["/home/u/x"]],
    ["p ${?} ${$} ${#} ${!}", ["1", "1", "1", "1"]],
    ["X=a export Y=b; p x$X$Y", ["xb"]],
    ["p $OLDPWD $_", [unknown, unknown]],
    ["set a b c d e f g h i j k; p ${10} $1 ${11}0", ["j", "a", "k0"]],
    ["p $USER $LOGNAME $HOME $TMP $TEMP $TMPDIR", ["u", "u", "/home/u", "/tmp", "/tmp", "/tmp"]],
    ["p ~root ~other ~+ ~- ~u", ["/root", "/home/other", "/", unknown, "/home/u"]],
    ["p $toString $constructor", []],
  ])
})

test("blocks, tests, here-documents and substitutions are parsed as by bash", () => {
  assertEvaluated([
    ["case a in a|b) p 1 ;; (c) p 2 ;& *) p 3;;& d) p 4; esac; p 5", ["1"], ["2"], ["3"], ["4"], ["5"]],
    ["case $(p a) in esac; p b", ["a"], ["b"]],
    ["[[ -n $(p a) && ( x < y ) ]] && p b", ["a"], ["b"]],
    ["cat <<-E\n\tp no\n\tE\np a", ["a"]],
    ["cat <<A <<B\nx\nA\ny\nB\np a", ["a"]],
    ["bash <<E\np $HOME\nE", ["/home/u"]],
    ["bash <<'E'\np $HOME \\$x\nE", ["/home/u", "$x"]],
    ["bash <<E\np a", ["a"]],
    ["p $((1 + (2)))x", ["1x"]],
    ["echo $((p a); (p b))", ["a"], ["b"]],
    ["((X = $(p a))); p b", ["a"], ["b"]],
    ["((p a); p b)", ["a"], ["b"]],
    ["p !(a(b)c)d", ["!*d"]],
    ["p a!b(p c)", ["a!b"], ["c"]],
    ["1a=(p b)", ["b"]],
    ["A=b(p c)", ["c"]],
    ["-DX=1 p a"],
    ["p a; A=(b", ["a"]],
    ["A=(? b); p ${A[1]}", ["b"]],
    ["p a # b\np c#d", ["a"], ["c#d"]],
    ["time -p p a; time { p b; }; ! p c; coproc p d", ["a"], ["b"], ["c"], ["d"]],
    ["select X in a; do p $X; done", ["a"]],
    ["p a) ; p b; }; p c; done; p d", ["a"], ["b"], ["c"], ["d"]],
    ["p 'unclosed a", ["unclosed a"]],
    ['p "unclosed a', ["unclosed a"]],
    ["p $(p a", ["a"], [unknown]],
    ["p $'\\U110000x' $'\\x0y'", ["x", "y"]],
    ["p a |& p b; p c &", ["a"], ["b"], ["c"]],
    ["{fd}>x p a 2>&1 3<>y >|z", ["a"]],
  ])
})

test("the output of programs is derived from their words alone", () => {
  for (const [output, ...fields] of [
    ["/bin/echo a", "a"],
    ["echo -nx a", "-nx", "a"],
    ["dirname $(curl x)", unknown],
    ["echo a-n b", "a-n", "b"],
    ["ls a-d", unknown],
    ["ls x.d/y", unknown],
    ["command -vx", unknown],
    ["tail -1 <<< d", "d"],
    ["head -1 <<< d", "d"],
    ["uniq <<< d", "d"],
    ["tac <<< d", "d"],
    ["cat <<< d", "d"],
    ["grep x f", unknown],
    ["mktemp a-pXXX", "a-pgong"],
    ["mktemp x-tXXX", "x-tgong"],
    ["mktemp -p XXXd aXXX", "XXXd/agong"],
    ["realpath $(curl x)/../y", unknown],
    ["realpath a/../c//d/.", "/c/d"],
    ["basename /a/b/ /c", "b"],
    ["basename a", "a"],
    ["dirname a/b/ c", "a", "."],
    ["printf '%5d%%|%q' 3 x", "1%|x"],
    ["printf 'a\\tb' ", "a", "b"],
    ["seq 3", "1"],
    ["test -e f"],
  ] as const)
    assert.deepEqual(evaluated(`p $(${output})`).at(-1), fields, output)
  assertEvaluated([
    ["echo a > x; p $(cat x) $(cat x y) $(cat ./x)", ["a", unknown, "a"]],
    ["echo p a <> x; bash x"],
    ["echo p a > ab; bash a./b"],
    ["echo p a &> x; bash x", ["a"]],
    ["echo p a >& x; bash x", ["a"]],
    ["cd -1x && p $PWD", ["/-1x"]],
    ["cd +2; p $PWD", [unknown], ["/"]],
  ])
})
