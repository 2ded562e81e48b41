import assert from "node:assert/strict"
import { test } from "node:test"
import { unknown } from "../../src/shell/value.ts"
import { evaluated, run } from "../evaluated.ts"

const same = [
  `A=('[1]=x' b); p "\${A[0]}"; B=(a "b"[1]=c); p \${B[1]}`,
  // Assignments.
  "X='a  b'; Y=$X; p \"$Y\"; Z=$(echo 'c  d'); p \"$Z\"",
  'X="a":~/b; p $X; Y="~"; p $Y; Z=a~; p $Z; W=~x"y"; p $W',
  "X=a[1]=b; p $X; L=(x[1]=y z); p ${L[@]}",
  'A=(a b); A+=(c); p ${A[@]}; f() { p $1; }; f "${A[@]}"',
  "A=(a b c d); p ${A[1]} ${A[3]} ${A[4]}",
  // Homes.
  'p ~/a"b" ~root ~root/x ~+/y "a"~/b a"b"~',
  "HOME=; p ~; HOME='/a b'; p ~ ~/c",
  // Braces.
  "p a{b}{c,d} {}{a,b} a{,} {a,b}{ {a,b {c,d}} x}{a,b}",
  "p {a,{b,c},d}e {,a}{,b} '{'a,b} {a..c..x,y} {=1..3} {1..3+} {a..c..x}",
  'p $\'a\'{b,c}"d" {x"y",z}',
  // Fields.
  "X=' a b '; p x$X; p ${X}y; p $X; p x${X}${X}y; p x$X\"\" x\"$X\"; set -- 'a ' 'b'; p x$*y",
  "IFS=-+; X=a-b+c; p $X; IFS=:; Y=:a:b:; p x${Y}y$Z",
  'X=" a "; p x"$X"y z$W$V; p "" $W ""$W',
  'X=; p a$X$X b"$X"',
  // Operands.
  'p ${N:-~/x} ${N:-$HOME/y} ${N:+z} "${N:-a b}" ${N:-a b} ${N:-{x\\}}',
  "X='a*b*c'; p \"${X%%b*}\" ${X%b*} ${X%?} ${X##?}",
  "X=abc; p ${X%c} ${X%abc}q ${X#abc}q ${X%x*} ${X%$(echo c)} $((3 - 2))",
  'p "${N:-\'a\' "b" c}" "${N:-"$HOME"}"',
  'p ${N:-"a b"c d} ${N:-"" x} ${N:- x }y a${N:-"" }b x${N:-~} ${N:-"~"}',
  'Y="q r"; p ${Y:+"$Y"$Y} ${N:-$(echo 1 2)"$(echo 1 2)"} ${N:-\'\'} "${N:-""}" ${Y-a b} ${N+"a"}; p ${N:="a b"} $N',
  "A=(${!A} x); p $A; eval \"B=({a,$N} ''/)\"; p $B",
  'eval B=({build,$N} "${N}"/); p $B; eval C=("" "b c" {d,e}); p $C',
  'X=a; p ${X}[1] $X{1} "$X"{1,2} $X$ $ "$" a$. \'$\'',
  // Operators of words.
  "p a\\;b 'c;d' \"e&f\" g\\&h; p a;p b&&p c;p d&p e",
  "p a 2>/dev/null b; p c</dev/null d; p e {f} g} {h",
  'p `echo a\\`echo b\\`` "`echo \\"c d\\"`" `echo \'x y\'`',
  'p "$(echo ")")" $( (echo b) )',
  "p $'\\x41\\101\\u0042\\U00000043\\ca\\\\' $'' $'a\\'b'",
  'p a\\\nb "c\\\nd" e \\\n f',
] as const

test("words are expanded as by bash: assignments, homes, braces, fields, operands, quotes", () => {
  const each = (calls: readonly (readonly string[])[]) =>
    [...new Set(calls.map((call) => JSON.stringify(call)))].toSorted()
  const [ours, theirs] = [evaluated, run].map((alternatives) =>
    same.map((script) => [script, ...each(alternatives(script))]),
  )
  assert.deepEqual(ours, theirs)
})

test("a word with too many possibilities may be anything", () => {
  const choices = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(" ")
  for (const [script, count] of [
    [`for X in ${choices(8)}; do for Y in ${choices(8)}; do p $X$Y; done; done`, 64],
    [`for X in ${choices(8)}; do for Y in ${choices(9)}; do p $X$Y; done; done`, 1],
    [`for X in a b; do p ${"$X".repeat(40)}; done`, 1],
    [`for X in a b; do A=(${"$X ".repeat(40)}); p $A; done`, 1],
  ] as const) {
    const alternatives = [...new Set(evaluated(script).map(([word]) => word))]
    assert.equal(alternatives.length, count, script)
    if (count === 1) assert.deepEqual(alternatives, [unknown], script)
  }
  assert.deepEqual(evaluated(`p {${choices(64).replaceAll(" ", ",")}}`)[0]?.length, 64)
  assert.deepEqual(evaluated(`p {${choices(65).replaceAll(" ", ",")}}`), [[unknown]])
  for (const name of ["A[2]", "+A"]) assert.deepEqual(evaluated(`I=${name}; p \${!I}`), [[unknown]], name)
  for (const index of ["i1", "1+0"]) assert.deepEqual(evaluated(`A=(a b); p \${A[${index}]}`), [["a"], ["b"]], index)
  assert.deepEqual(evaluated("IFS=$(curl x); X='a:b c'; p $X"), [["a:b", "c"]])
  assert.deepEqual(evaluated("[ -e f ] && IFS=: || IFS=-; X='a:b c'; p $X")[0], ["a:b", "c"])
  assert.deepEqual(evaluated("A=(a b); p ${A[x]} ${A[$I]}"), [
    ["a", "a"],
    ["a", "b"],
    ["b", "a"],
    ["b", "b"],
  ])
})

test("a value with too many fields or characters may be anything, so that none grows without limit", () => {
  const many = "a ".repeat(1024)
  assert.equal(evaluated(`A=(${many}); p "\${A[@]}"`)[0]?.length, 1024)
  for (const script of [
    `A=(${many} b); p "\${A[@]}"`,
    `A=(a b); ${"A=(${A[@]} ${A[@]}); ".repeat(40)} p "\${A[@]}"`,
    `A=(a b); ${"A+=(${A[@]}); ".repeat(40)} p "\${A[@]}"`,
    `[ -e f ] && X=a; A=(); ${"A+=($X); ".repeat(70)} p "\${A[@]}"`,
    `A=(${"[1]=x ".repeat(3000)}); p "\${A[@]}"`,
    `set -- a b; ${'set -- "$@" "$@"; '.repeat(40)} p "$@"`,
    `X=${"a".repeat(4000)}; A=(${"$X ".repeat(40)}); p "\${A[@]}"`,
    `X='${many}'; p ${"$X".repeat(1000)}`,
  ])
    assert.ok(
      evaluated(script).some((words) => words.join(" ").includes(unknown)),
      script.slice(0, 100),
    )
  const words = "a ".repeat(130_000)
  assert.deepEqual(evaluated(`for X in ${words}; do p $X; done`)[0], ["a"])
  assert.deepEqual(evaluated(`getopts x y ${words}; p $OPTARG`), [["a"], [unknown]])
})

test("commands inside an operand run, even if its operator is not evaluated", () => {
  for (const operator of ["/", "//", "^^", ",,", "@", ":", "%", "##", "+", ":+"])
    assert.deepEqual(evaluated(`: \${HOME${operator}$(p a)}`), [["a"]], operator)
  for (const operator of ["-", ":-", "=", ":="]) {
    assert.deepEqual(evaluated(`: \${HOME${operator}$(p a)}`), [], operator)
    assert.deepEqual(evaluated(`: \${NONE${operator}$(p a)}`), [["a"]], operator)
  }
})

test("an operand is evaluated once, however many values there are: nested operands would take exponential time", () => {
  for (const form of ['"${N:-@}"', '"${N:-~/@}"', "Y=${N:=@}", "${A#@}", "${A+@}", "${N:-@}", '"${A/@}"']) {
    const nested = form.replace("@", form.replace(/^Y=/, "").replace("@", "$(p a)"))
    const calls = evaluated(`[ -e f ] && A=x || A=y; : ${nested}`).filter(([word]) => word === "a")
    assert.equal(calls.length, 1, nested)
  }
})

test("trimmed text may be anything if the text, the pattern or the operator is unknown", () => {
  for (const script of ["[ -e f ] && Y=a || Y=b; X=xa; p ${X%$Y}", "X=$(curl x)a; p ${X%a}", "X=xa; p ${X%$(curl x)}"])
    assert.deepEqual(evaluated(script), [[unknown]], script)
})

test("texts of 300 characters are trimmed by patterns, longer ones are not evaluated", () => {
  const text = "a".repeat(298)
  assert.deepEqual(evaluated(`X=${text}; p \${X%a*}`), [[text.slice(1)]])
  assert.deepEqual(evaluated(`X=${text}a; p \${X%a*}`), [[unknown]])
})
