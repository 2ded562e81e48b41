import assert from "node:assert/strict"
import { test } from "node:test"
import { tokensOf } from "../../src/hooks/command-tokens.ts"

const marks = { separator: "", word: "word ", input: "< ", string: "<<< ", document: "<< " }

/** Each token as its role and text; an unknown text as `?` with its source; followed by its commands. */
function shown(command: string): readonly string[] {
  return tokensOf(command, "/work").map(({ role, start, end, text, inner = [] }) => {
    const source = command.slice(start, end)
    const commands = inner.map((one) => ` (${command.slice(one.start, one.end)})`).join("")
    return role === "separator" ? source : `${marks[role]}${text ?? `?${source}`}${commands}`
  })
}

function eachShown(rows: readonly (readonly [command: string, ...tokens: readonly string[]])[]): void {
  assert.deepEqual(
    rows.map(([command]) => [command, ...shown(command)]),
    rows,
  )
}

test("words end at blanks and operators, and are returned without quotes", () => {
  eachShown([
    [""],
    ["a \t\\\n b", "word a", "word b"],
    ["a\\ b c\\;d", "word a b", "word c;d"],
    ["'a b'\"c d\"e", "word a bc de"],
    ['"a\'b\'" \'c"d\' ""', "word a'b'", 'word c"d', "word "],
    ['"\\$x \\" \\a \\`" \\x', 'word $x " \\a `', "word x"],
    ['a\\\nb "c\\\nd"', "word ab", "word cd"],
    ["'a b", "word 'a", "word b"],
    ['"a b', "word a b"],
    ["a\\", "word a"],
    ["a#b 'c'#d", "word a#b", "word c#d"],
    ["a # b; c\nd", "word a", "\n", "word d"],
  ])
})

test("a word with a shell expansion is unknown", () => {
  eachShown([
    ['$X "$X" a${X}b', "word ?$X", 'word ?"$X"', "word ?a${X}b"],
    ["a* b? [c] \"d*\" 'e?'", "word ?a*", "word ?b?", "word ?[c]", "word d*", "word e?"],
    ["a$CLAUDE_PROJECT_DIR/b", "word a/work/b"],
    ['${GONG_PROJECT_DIR}x "$GONG_PROJECT_DIR"', "word /workx", "word /work"],
    ["$CLAUDE_PROJECT_DIRX ${CLAUDE_PROJECT_DIR:-x}", "word ?$CLAUDE_PROJECT_DIRX", "word ?${CLAUDE_PROJECT_DIR:-x}"],
    ["'$CLAUDE_PROJECT_DIR' \\$X", "word $CLAUDE_PROJECT_DIR", "word $X"],
  ])
})

test("command substitutions in a word are located by their position in the text", () => {
  eachShown([
    ["$(a b) c", "word ?$(a b) (a b)", "word c"],
    ["x`a b`y", "word ?x`a b`y (a b)"],
    ['"$(a)" \'$(b)\' "`c`"', 'word ?"$(a)" (a)', "word $(b)", 'word ?"`c`" (c)'],
    ["$(a $(b) c)d", "word ?$(a $(b) c)d (a $(b) c)"],
    ["x$(a)y$(b)z", "word ?x$(a)y$(b)z (a) (b)"],
    ["$(a;b", "word ?$(a;b"],
    ["`a\\`b` c", "word ?`a\\`b`", "word c"],
    ["`a", "word ?`a"],
    ["$() ``", "word ?$() ()", "word ?`` ()"],
  ])
})

test("operators end a command, the longest first", () => {
  eachShown([
    ["a&&b||c;d;;e&f|g", ..."word a,&&,word b,||,word c,;,word d,;;,word e,&,word f,|,word g".split(",")],
    ["(a)\nb", "(", "word a", ")", "\n", "word b"],
    ["a|&b", "word a", "|", "&", "word b"],
  ])
})

test("output targets are skipped, input targets are distinguished from words", () => {
  eachShown([
    ...[">", ">>", ">|", "2>", "12>>", "&>", "&>>", "<>", "3<>"].map(
      (operator) => [`a ${operator}f b`, "word a", "word b"] as const,
    ),
    ["a >&2 b", "word a", "word b"],
    ["a <&3 b", "word a", "word b"],
    ["a &<f b", "word a", "word b"],
    ["a <f b", "word a", "< f", "word b"],
    ["a 0< 'f g'", "word a", "< f g"],
    ["a <<<x", "word a", "<<< x"],
    ['a <<< "$X"', "word a", '<<< ?"$X"'],
    ["a2>f 2 b", "word a2", "word 2", "word b"],
    [">f; a", ";", "word a"],
    ["> ; a", ";", "word a"],
  ])
})

test("the lines of a here-document are one token up to its end, and not words", () => {
  eachShown([
    ["a <<E\nx y\nz\nE\nb", "word a", "<< x y\nz\n", "\n", "word b"],
    ["a <<E b\nx\nE", "word a", "<< x\n", "word b", "\n"],
    ["a <<E\nE\nb", "word a", "<< ", "\n", "word b"],
    ["a <<E\nx\n\tE\nE \nE", "word a", "<< x\n\tE\nE \n", "\n"],
    ["a <<-E\n\tx\n\t\tE\nb", "word a", "<< \tx\n", "\n", "word b"],
    ["a <<-E\nx\tE\nE", "word a", "<< x\tE\n", "\n"],
    ["a <<'E F'\nx\nE F", "word a", "<< x\n", "\n"],
    ["a <<E\nx\nb", "word a", "\n"],
    ["a <<E", "word a"],
    ["E\na <<E", "word E", "\n", "word a"],
    ["a <<-E\nE\t\nE", "word a", "<< E\t\n", "\n"],
    ["a <<E <<F\nx\nF", "word a", "\n"],
    ["a <<-E <<F\n\tE\n\tF\nx\nF\nb", "word a", "<< ", "<< \tF\nx\n", "\n", "word b"],
    ["a <<E; b <<F\nx\nE\ny\nF\nc", "word a", "<< x\n", ";", "word b", "<< y\n", "\n", "word c"],
    ["a <<E\nx\nE\nb <<E\ny\nE", "word a", "<< x\n", "\n", "word b", "<< y\n", "\n"],
    ["a <<'' <<E\nx\n\ny\nE\nb", "word a", "<< x\n", "<< y\n", "\n", "word b"],
    ["a <<E <<''\nx\nE\ny\n\nb", "word a", "<< x\n", "<< y\n", "\n", "word b"],
    ["a <<E >f\nx\nE\nb <c", "word a", "<< x\n", "\n", "word b", "< c"],
  ])
})
