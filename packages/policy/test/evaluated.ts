import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { evaluateScript } from "../src/shell/evaluate.ts"

export const env = { HOME: "/home/u", USER: "u", TMPDIR: "/tmp", V1: "v", PATH: "/usr/bin:/bin" }

/** All ways in which `p` can run in a script. */
export function evaluated(script: string): readonly (readonly string[])[] {
  const alternatives: (readonly string[])[] = []
  const command = (argv: readonly string[]) => void (argv[0] === "p" && alternatives.push(argv.slice(1)))
  evaluateScript(script, { cwd: "/", home: env.HOME, roots: ["/tmp"], env }, { command, written: () => undefined })
  return alternatives
}

/** The arguments of each `p` that bash runs. */
export function run(script: string): readonly (readonly string[])[] {
  const shown = `p() { printf '%s\\0' "$#" "$@"; }; export -f p\n`
  const out = execFileSync("/bin/bash", ["--norc", "-c", shown + script], { cwd: "/", env, encoding: "utf8" })
  const texts = out.split("\0").slice(0, -1)
  const calls: string[][] = []
  while (texts.length > 0) calls.push(texts.splice(0, Number(texts.shift())))
  return calls
}

/** A script, and every way in which `p` may run in it. */
type Row = readonly [script: string, ...alternatives: readonly (readonly string[])[]]

export function assertEvaluated(rows: readonly Row[]): void {
  const found = rows.map(([script]): Row => [
    script,
    ...new Map(evaluated(script).map((alternative) => [alternative.join("\n"), alternative])).values(),
  ])
  assert.deepEqual(found, rows)
}
