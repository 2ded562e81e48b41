import assert from "node:assert/strict"
import { test } from "node:test"
import { destructiveEffect } from "../../src/guard.ts"
import { evaluateScript } from "../../src/shell/evaluate.ts"
import { unknown } from "../../src/shell/value.ts"
import { assertEvaluated } from "../evaluated.ts"

const start = { cwd: "/home/u/shop", home: "/home/u", roots: ["/home/u/shop"], env: {} }

test("a script with too deep nesting is refused if it contains a deleting command", () => {
  const kindOf = (command: string) => destructiveEffect(command, start)?.kind ?? null
  for (const [begin, end] of [
    ["$(", ")"],
    ["{ ", "; }"],
    ["${X:-", "}"],
    ["$((1+", "))"],
    ["if ", "; then :; fi"],
  ] as const) {
    const script = (depth: number, inner: string) => `: ${begin.repeat(depth)}${inner}${end.repeat(depth)}`
    // ":" would take the first words of a block as its own.
    const line = (depth: number, inner: string) => script(depth, inner).replace(/^: (?=\{|if)/, "")
    assert.equal(kindOf(`${line(20, "$(:)")}; rm -rf ~`), "lost", begin)
    assert.equal(kindOf(line(20, "$(rm -rf ~)")), "lost", begin)
    // The text after the end of an arithmetic expression is parsed.
    assert.equal(kindOf(`${line(70, "$(:)")}; rm -rf ~`), begin === "$((1+" ? "lost" : "unknown", begin)
    assert.equal(kindOf(line(70, "$(rm -rf ~)")), "unknown", begin)
    assert.equal(kindOf(line(70, "$(ls)")), null, begin)
  }
  const deep = `${"$(".repeat(70)}:${")".repeat(70)}`
  assert.equal(kindOf(`alias f='${deep}; rm -rf ~'; f`), "unknown")
  assert.equal(kindOf(`eval ': ${deep}; rm -rf ~'`), "unknown")
  assert.equal(kindOf(`f() { ${deep}; }; rm -rf ~`), "unknown")
})

test("blocks are distinguished from commands: tests, expressions, branches, and their ends", () => {
  assertEvaluated([
    ["until p a; do p b; done", ["a"], ["b"]],
    ["p $(time { echo a; })", ["a"]],
    ["time -f x p a", ["a"]],
    ["((p a)); p b", ["b"]],
    ["(((p a)+1)); p b", ["b"]],
    ["(($(p a))); p b", ["a"], ["b"]],
    ["(($'$(p a)')); p b", ["a"], ["b"]],
    ["for ((;;)); do X=a; p $X; break; done", ["a"]],
    ["for X in; { p a; }; p b", ["b"]],
    ["for X in a; { p $X; }", ["a"]],
    ["[[ x ]]||X=a; p $X", ["a"], []],
    ["[[ a && p b ]]"],
    ["[[ a"],
    ["((1))||X=a; p $X", ["a"], []],
    ["((1)); exit; p $(p b)"],
    ['IFS=; read X <<-E\n\ta\tb\n\tE\np "$X"', ["a\tb"]],
    ['IFS=; read X <<E\n\ta\nE\np "$X"', ["\ta"]],
    ['IFS=; read X <<-E\na\tb\nE\np "$X"', ["a\tb"]],
    ["X=a; case b in c) X=b;; esac; p $X", ["a"], ["b"]],
    ["X=a; if [ x ]; then X=b; elif [ y ]; then X=c; fi; p $X", ["a"], ["b"], ["c"]],
    ["function f() { p a; }"],
    ["a!b() { p a; }; a!b", ["a"]],
    ["{ bash; } <<A <<E\np a\nA\np b\nE", ["b"]],
  ])
})

test("words end as in bash: quotes, lengths, substitutions, redirections", () => {
  assertEvaluated([
    ["p ${#HOME}x", ["1x"]],
    ["p $(((1)+2))x", ["1x"]],
    ['A=(); p "${A[@]}" "$@"', []],
    ['p "$@', []],
    ['p "a', ["a"]],
    ["p $'{a,b}' $'~'", ["{a,b}", "~"]],
    ["tee >(p b)", ["b"]],
    ["p <(ls) <(ls)", ["/dev/fd/63", "/dev/fd/64"]],
    ["p a<b c", ["a", "c"]],
    ['p $N~/a ""~', ["~/a", "~"]],
    ["p ${--x}y $V1", ["y", "v"]],
  ])
})

test("each possibility of a command changes its own state, and assignments for a command apply to it alone", () => {
  assertEvaluated([
    ['[ -e f ] && D=a || D=b; eval "X=\\${X}$D"; p $X', ["b"], ["a"]],
    ["f() { X=${X}a; }; [ e ] && f() { X=${X}b; }; [ g ] && f() { X=${X}c; }; f; p $X", ["c"], ["b"], ["a"]],
    ["f() { true && g() { p g; }; }; f; g", ["g"]],
    ["f() { p x$X; }; f X=b", ["x"]],
    ["eval A=(a b); p ${A[1]}", ["b"]],
    ['eval A=("$N" "a b" c); p $A ${A[1]}', ["a", "b"]],
    ["$N; p a$($N)b", ["ab"]],
    ["echo p a > x; echo p b > x; bash x", ["b"]],
    ["true && exit || exit; p a"],
    ["ln -s /x /l; cd /tmp/lm; p $PWD", ["/tmp/lm"], ["/"]],
    ["mapfile -n5 A <<< a; p $A", ["a"]],
    ["read -n5 A <<< a; p $A", ["a"]],
    ["alias '=f=p a'; f"],
    ["bash -c 'p $0 $1' a b", ["a", "b"]],
    ["cd /tmp; p $(git rev-parse HEAD)", [unknown]],
    [`for X in 1 2 3 4 5 6 7 8; do for Y in 1 2 3 4 5 6 7 8 9; do p a $X $Y; done; done`, ["a", unknown, unknown]],
    [`for X in 1 2 3 4 5 6 7 8 9; do for Y in 1 2 3 4 5 6 7 8 9; do p {$X,$Y}; done; done`, [unknown]],
  ])
})

test("twelve nested scripts and sixteen wrappers are evaluated; more make the result incomplete", () => {
  const evaluated = (script: string) => {
    const seen: string[] = []
    const command = (argv: readonly string[]) => void (argv[0] === "p" && seen.push(argv.join(" ")))
    return [evaluateScript(script, start, { command, written: () => undefined }), ...seen]
  }
  assert.deepEqual(evaluated(`${"eval ".repeat(12)}p a`), [true, "p a"])
  assert.deepEqual(evaluated(`${"eval ".repeat(13)}p a`), [false])
  assert.deepEqual(evaluated(`${"sudo ".repeat(16)}p a`), [true, "p a"])
  assert.deepEqual(evaluated(`${"sudo ".repeat(17)}p a`), [false])
  assert.deepEqual(evaluated(`X=;${"true;".repeat(2_499)}p a`), [false, "p a"])
  assert.deepEqual(evaluated("p ~root ~v"), [true, "p /root /home/v"])
  assert.deepEqual(evaluated("p $HOME $USER $LOGNAME $TMPDIR"), [true, "p /home/u u u /tmp"])
})
