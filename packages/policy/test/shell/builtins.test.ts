import { test } from "node:test"
import { unknown } from "../../src/shell/value.ts"
import { assertEvaluated } from "../evaluated.ts"

test("a readonly variable keeps its value or ends the script; an exported one reaches other shells", () => {
  assertEvaluated([
    ["readonly A=1 B=2; A=3; p $A", ["1"], ["3"]],
    ["A=1; readonly A; A=3; p $A", ["1"], ["3"]],
    ["X=1 readonly A=1 B=2; A=3; p $A $B", ["1", "2"], ["3", "2"]],
    ["declare -r A=1 B=2; B=3; p $B", ["2"], ["3"]],
    ["declare -x A=1; A=2; p $A", ["2"]],
    ["typeset -rx A=1; A=2; p $A; p b", ["1"], ["2"], ["b"]],
    ["typeset -n R=A; A=1; p $R", ["\u0000"]],
    ["export A=1 B=2; bash -c 'p $A$B'", ["12"]],
    ["declare -x A=1 B=2; bash -c 'p $A$B'", ["12"]],
    ["declare A=1; bash -c 'p q$A'", ["q1"], ["q"]],
    ["local A=1; p q$A", ["q1"], ["q"]],
    ["f() { local A=1; p q$A; }; f", ["q1"], ["q"]],
  ])
})

test("set, shift, unset and getopts change the arguments and options of a script", () => {
  assertEvaluated([
    ["set a b; p $1 $2", ["a", "b"]],
    ["set a; set -x; p $1", ["a"]],
    ["set a-b; p $1", ["a-b"]],
    ["set x-e; cd build; p $PWD", ["/build"], ["/"]],
    ["f() { p a; }; unset f; f"],
    ["set a; set +e; p $1", ["a"]],
    ["set a; set; p $1", ["a"]],
    ["set -x -- a b; p $1", ["a"]],
    ["set a b c; shift; p $1", ["b"], ["c"], []],
    ["set -e; cd build; p $PWD", ["/build"]],
    ["set -o errexit; cd build; p $PWD", ["/build"]],
    ["set -x; cd build; p $PWD", ["/build"], ["/"]],
    ["set -o errexits; cd build; p $PWD", ["/build"], ["/"]],
    ["set -- -o x; getopts o: name; p $OPTARG", ["-o"], ["x"], [unknown]],
    ["getopts o: name a b; p $OPTARG $name", ["a", unknown], ["b", unknown], [unknown, unknown]],
    ["p x$(getopts o: name)y", ["xy"]],
    ["X=a; f() { p $X; }; unset X f; f; p $X", []],
  ])
})

test("printf -v, alias and eval make variables and commands", () => {
  assertEvaluated([
    ["printf -v X '%s-%s' a b; p $X", ["a-b"]],
    ["p $(printf '%s' a)", ["a"]],
    ["alias f='p a'; f b", ["a", "b"]],
    ["alias -p; f"],
    ["eval p a '$HOME'", ["a", "/home/u"]],
  ])
})

test("cd follows its target, and may fail if the folder is not known to exist", () => {
  assertEvaluated([
    ["cd; p $PWD", ["/home/u"]],
    ["HOME=/x; cd; p $PWD", ["/x"]],
    ["cd -P /tmp; p $PWD", ["/tmp"]],
    ["cd -- /tmp; p $PWD", ["/tmp"]],
    ["cd -- -Px && p $PWD", ["/-Px"]],
    ["cd a-L && p $PWD", ["/a-L"]],
    ["cd a+1 && p $PWD", ["/a+1"]],
    ["cd /tmp/$(curl x)/b && p $PWD", [`/tmp/${unknown}/b`]],
    ["cd $(curl x)/. && p $PWD", [unknown]],
    ["cd /tmp /x; p x$(cd a b)y $PWD", ["xy", "/"]],
    ["cd /tmp; cd ''; p $PWD", ["/tmp"]],
    ["cd /tmp; cd ..; p $PWD", ["/"]],
    ["cd build; p $PWD", ["/build"], ["/"]],
    ["cd build && p $PWD", ["/build"]],
    ["cd build || p $PWD", ["/build"], ["/"]],
    ["cd /tmp; cd x*; p $PWD", ["/tmp"], ["/tmp/x*"]],
    ["D=$(mktemp -d); cd $D; p $PWD", ["/tmp/tmp.gong"]],
    ["cd -; p $PWD", [unknown], ["/"]],
    ["pushd /tmp; p $PWD; popd; p $PWD", ["/tmp"], [unknown]],
  ])
})

test("links created by a script are followed, other uses of ln are not", () => {
  assertEvaluated([
    ["ln -s /tmp x; cd x; p $PWD", ["/tmp"]],
    ["ln -sfn /tmp x; cd x/y && p $PWD", ["/tmp/y"]],
    ["ln --symbolic /tmp x; cd x; p $PWD", ["/tmp"]],
    ["ln -s /home/u; cd u; p $PWD", ["/home/u"]],
    ["ln /tmp x; cd x && p $PWD", ["/x"]],
    ["ln a-s /tmp; cd /tmp; p $PWD", ["/tmp"]],
    ["ln -s; cd /tmp; p $PWD", ["/tmp"]],
  ])
})

test("the script of a trap runs at the end, if signals are named", () => {
  assertEvaluated([
    ["trap 'p a' EXIT; p b", ["b"], ["a"]],
    ["trap -- 'p a' EXIT", ["a"]],
    ["trap 'p a'"],
    ["trap - EXIT"],
    ["trap 'p $X' EXIT; X=a; exit", ["a"]],
  ])
})

test("read and mapfile take lines and words of the input", () => {
  assertEvaluated([
    ["read X <<< ' a '; p \"$X\"", ["a"]],
    ["IFS= read X <<< ' a '; p \"$X\"", [" a "]],
    ["read -p x A <<< b; p $A $x", ["b"]],
    ["read -p x-n A <<< b; p $A", ["b"]],
    ["read -p x-a A <<< 'b c'; p \"$A\"", ["b c"]],
    ["mapfile -C x-n A <<< a; p $A", ["a"]],
    ["read <<< a; p $REPLY", ["a"]],
    ["read -ra A <<< 'x y'; p ${A[1]}", ["y"]],
    ["read -r -a A <<< 'x y'; p ${A[1]}", ["y"]],
    ["read A B <<< 'x y'; p \"$B\"", ["x y"], ["x"], ["y"]],
    ["printf 'a\\nb\\n' | while read X; do p \"$X\"; done", ["a"], ["b"]],
    ["printf 'a\\nb\\n' | { mapfile -t A; p \"${A[@]}\"; }", ["a", "b"]],
    ["printf 'a\\nb\\n' | { readarray -n 2 A; p ${A[1]}; }", ["b"]],
    ["printf 'a\\nb\\n' | { mapfile; p ${MAPFILE[0]}; }", ["a"]],
    ["p x$(read <<< a)y$(mapfile <<< a)z", ["xyz"]],
  ])
})
