import type { Rng } from "@gong/testing/sim/rng"
import { readers } from "./readers.ts"
import { joints, names, options, pieces, redirections } from "./words.ts"
import { writers } from "./writers.ts"

/** One command line: mostly harmless, with an occasional dangerous part. The same seed gives the same line. */
export function commandLine(rng: Rng): string {
  let line = part(rng)
  for (let more = rng.int(8) < 4 ? 0 : rng.int(3); more > 0; more--) line += rng.pick(joints) + part(rng)
  for (let edits = rng.chance(0.65) ? 0 : 1 + rng.int(3); edits > 0; edits--) line = edited(rng, line)
  return line
}

function part(rng: Rng): string {
  let words: string = rng.chance(0.9) ? rng.pick(readers) : rng.pick(writers)
  for (let more = rng.chance(0.7) ? 0 : 1 + rng.int(2); more > 0; more--) words = withOption(rng, words)
  let text = filled(rng, words)
  if (rng.chance(0.12)) text = hidden(rng, text)
  return rng.chance(0.2) ? text + rng.pick(redirections) : text
}

/** Before or after any of its words except the first. */
function withOption(rng: Rng, text: string): string {
  const words = text.split(" ")
  return words.toSpliced(1 + rng.int(words.length), 0, rng.pick(options)).join(" ")
}

function filled(rng: Rng, text: string): string {
  return text.replaceAll(/%[fz]/g, (mark) => (mark === "%z" ? `z${rng.int(10)}` : quoted(rng, rng.pick(names))))
}

/** With the quoting of a user, or unchanged. */
function quoted(rng: Rng, name: string): string {
  switch (rng.int(5)) {
    case 0:
      return `'${name}'`
    case 1:
      return `"${name.replaceAll(/["`$\\]/g, "\\$&")}"`
    case 2:
      return name.replaceAll(/[^\w./-]/g, "\\$&")
    case 3:
      return `./${name}`
    default:
      return name
  }
}

const covers: readonly [string, ...string[]] = [
  "$(@)",
  'echo "$(@)"',
  "echo `@`",
  "cat <(@)",
  "(@)",
  "{ @; }",
  "! @",
  "time @",
  "time -p @",
  "timeout 5 @",
  "timeout 5s nice @",
  "nice @",
  "nice -n 5 @",
  "command @",
  "builtin @",
  "exec @",
  "eval @",
  "env @",
  "env -i @",
  "X=1 @",
  "PATH=. @",
  "xargs @",
  "sh -c '@'",
  "if true; then @; fi",
  "for i in 1; do @; done",
  "f() { @; }; f",
  "echo '@'",
  'echo "@"',
  "# @",
  "true # @",
  ": @",
  "@ #",
  "cat <<'EOF'\n@\nEOF",
  "cat <<EOF\n@\nEOF",
  "echo $((@))",
  "[[ @ ]]",
  "@ &",
  "coproc @",
  "\\@",
  "\t@\t",
  "\n@\n",
]

function hidden(rng: Rng, text: string): string {
  return rng.chance(0.3) ? brokenUp(rng, text) : rng.pick(covers).replace("@", () => text)
}

/** The same words for a shell, with different characters for a naive reader. */
function brokenUp(rng: Rng, text: string): string {
  const at = rng.int(Math.max(1, text.length))
  return text.slice(0, at) + rng.pick(["''", '""', "\\", "\\\n", "$''", "'", '"']) + text.slice(at)
}

function edited(rng: Rng, text: string): string {
  const at = rng.int(text.length + 1)
  const cut = rng.chance(0.3) ? 1 : 0
  return text.slice(0, at) + (rng.chance(0.8) ? rng.pick(pieces) : "") + text.slice(at + cut)
}
