import assert from "node:assert/strict"
import { test } from "node:test"
import { evaluateScript } from "../src/shell/evaluate.ts"
import { unknown } from "../src/shell/value.ts"
import { env, evaluated, run } from "./evaluated.ts"

const same = [
  // Quotes and escapes.
  `p 'a b' "c d" e\\ f "g\\"h" 'i\\j' "k\\l" "\\$m" "\\\\" x"y"'z'`,
  `p $'a\\tb\\x41\\u0042\\U00000043\\104\\cA\\n\\e\\'q' $'\\x4z' $'plain'`,
  `p "" '' a"" ''`,
  "p a\\\nb",
  // Parameters.
  "X=a; p $X ${X} \"$X\" '$X' \\$X ${X}b $X'c'",
  'X="a b"; p $X "$X" x$X"y"',
  'X=; p $X "$X" ${X:-d} ${X-e} "${X:-f g}" ${X:+h} ${X+i}',
  "p ${N:-a} ${N-b} ${N:+c} ${N+d} \"${N}\" ${N:='e f'} $N",
  "X=a; p ${X:-b} ${X:+c} ${X+d} ${X:=e} ${X:?f}",
  `p \${N:-'a'} \${N:-"c"} "\${N:-'e'}" \${N:-\${M:-x}}`,
  "X=/a/b.c.d; p ${X%/*} ${X##*/} ${X#*/} ${X%%.*} ${X%.*} ${X%zzz} ${X##*} ${X%.?}",
  "X=Y; Y=z; p ${!X} ${X}Y",
  'A=(a \'b c\' d); p ${A[@]} "${A[@]}" ${A[1]} "${A[*]}" $A ${A[7]} x"${A[@]}"y',
  'set -- a \'b c\'; p "$@" $@ "$*" $1 "$2" $3',
  "X=1; X+=2; p $X",
  'IFS=:; X=a:b:c; p $X "$X"',
  "IFS=; X='a b'; p $X",
  "X='a\tb\nc'; p $X",
  // Homes, braces.
  'p ~ ~/x "~" \\~ a~ x=~ ~"x" X:~',
  "X=~/a:~/b; p $X",
  "p a{b,c}d {1,2}{3,4} {a} a{,b} '{a,b}' \"{a,b}\" \\{a,b} {a,'b c'} x{y,{z,w}}",
  // Substitutions.
  'p $(echo a b) "$(echo a b)" `echo c` $(echo) "$(echo)" $(printf \'%s-%s \' d e)',
  'p $(echo $(echo a)) "$(echo "b c")" $(dirname /a/b /c) $(dirname x) $(basename /a/b/) $(dirname /a/)',
  "p $(printf 'a%sb%%%s\\tc' 1 2) $(printf %s a b c) $(printf '%d' 1 | cat) \"$(echo -n q)\"",
  "p $(cd /tmp && pwd) $(pwd)",
  "p $(true) x$(mkdir -p /tmp/gong-never-x 2>/dev/null; rmdir /tmp/gong-never-x)y",
  "p $(echo a | cat) $(cat <<< b) $(echo 'c\nd' | sort)",
  "p $((1 + 0)) a$((2-1))",
  // Order, scopes.
  "X=a; (X=b; p $X); p $X",
  "X=a; { X=b; }; p $X",
  "f() { p $1 x \"$@\"; }; f a 'b c'",
  "f() { local X=b; p $X; }; X=a; f; p $X",
  "f() { p old; }; f; f() { p new; }; f; unset -f f",
  'X=a p $X; X=b; p $X; unset X; p "$X"',
  "for i in a 'b c'; do p \"$i\"; done",
  "true && p a; false || p b; ! false && p c",
  "eval 'X=a; p $X'; p $X; eval p '$X'",
  "bash -c 'p $1' a b; sh -c 'echo' | cat; bash -c 'p \"$@\"' x y z",
  "echo 'p a b' | bash; bash <<< 'p c'; bash -s d e <<< 'p $1 $2'",
  "echo a b | xargs bash -c 'p \"$@\"' x; printf 'a\\nb\\n' | xargs -I{} bash -c 'p {}'",
  "env X=a bash -c 'p $X'; X=b bash -c 'p $X'",
  "builtin echo; \\p b; 'p' c; p\\\n d",
  "cat <<'E' > /dev/null\np no\nE\np yes",
  "p a # p b\np 'c # d' e#f",
  "if true; then p a; fi; while true; do p b; break; done; p c",
  "readonly R=a; export S=b T; declare D=c; p $R $S $T $D",
  "read X <<< 'a b'; p $X",
  "X=$(echo a); Y=${X}b; p $Y",
] as const

test("the evaluated words equal those of bash", () => {
  const wrong: unknown[] = []
  for (const script of same) {
    // Each once: a command that runs several times is evaluated again if it may differ.
    const [ours, theirs] = [evaluated(script), run(script)].map(
      (calls) => new Set(calls.map((call) => JSON.stringify(call))),
    )
    if ([...(ours ?? [])].toSorted().join() !== [...(theirs ?? [])].toSorted().join())
      wrong.push([script, ours, theirs])
  }
  assert.deepEqual(wrong, [])
})

test("an unknown part of a word matches anything, and the known parts stay", () => {
  for (const [script, ...alternatives] of [
    ["p $RANDOM_NAME$(curl x)", [unknown]],
    ["p a$(curl x)b", [`a${unknown}b`]],
    ["[ -n x ] && X=a || X=b; p $X", ["b"], ["a"]],
    ["p ${X/a/b}${HOME/u/v}", [unknown]],
    ["p ${HOME^^}", [unknown]],
  ] as const)
    assert.deepEqual(evaluated(script), alternatives, script)
})

test("the output of programs is known as far as it distinguishes folders", () => {
  for (const [output, ...fields] of [
    ["mktemp", "/tmp/tmp.gong"],
    ["mktemp -p /x", "/x/tmp.gong"],
    ["mktemp -p/x", "/x/tmp.gong"],
    ["mktemp aXXXX --tmpdir=/x", "/x/agong"],
    ["mktemp aXXXX --tmpdir", "/tmp/agong"],
    ["mktemp -d aXXX.log", "agong.log"],
    ["mktemp -dt aXXX", "/tmp/agong"],
    ["mktemp -t aXXX", "/tmp/agong"],
    ["mktemp /x/aXXX", "/x/agong"],
    ["which rm", "/usr/bin/rm"],
    ["command -v rm", "rm"],
    ["whoami", "u"],
    ["ls", "*"],
    ["ls x", unknown],
    ["ls x.ts", "x.ts"],
    ["ls -ld x", "x"],
    ["ls -d", "."],
    ["realpath x", "/x"],
    ["cd /tmp; readlink -f ../y", "/y"],
    ["cd /tmp; git rev-parse --show-toplevel", "/tmp"],
    ["git rev-parse --show-toplevel", unknown],
    ["git rev-parse HEAD", unknown],
    ["cat gone", unknown],
    ["date", "1"],
    ["tee x <<< b", "b"],
    ["grep x <<< c", "c"],
    ["head -n 1 <<< d", unknown],
    ["sort <<< e", "e"],
    ["basename /a/b.c .c", "b.c"],
    ["dirname /a", "/"],
    ["find x -name y", `x/${unknown}y`],
    ["unheard-of", unknown],
  ] as const)
    assert.deepEqual(evaluated(`p $(${output})`), [fields], output)
})

test("five thousand steps of a script are evaluated, two per plain command; more make the result incomplete", () => {
  const watcher = { command: () => undefined, written: () => undefined }
  const followsAll = (count: number): boolean => {
    const script = Array.from({ length: count }, () => "true").join(";")
    return evaluateScript(script, { cwd: "/", home: env.HOME, roots: [], env }, watcher)
  }
  assert.deepEqual([followsAll(2_500), followsAll(2_501)], [true, false])
})
