import assert from "node:assert/strict"
import { test } from "node:test"
import { printedFiles } from "../src/printed-files.ts"

const place = { cwd: "/w", home: "/home/u" }

const cases: readonly (readonly [command: string, ...paths: string[]])[] = [
  ["cat a.ts b.ts", "/w/a.ts", "/w/b.ts"],
  ["head -n 5 a.ts", "/w/5", "/w/a.ts"],
  ["tail -20 'my file.ts' | wc -l", "/w/my file.ts"],
  ["sed -n 1,5p a.ts", "/w/1,5p", "/w/a.ts"],
  ["sed --quiet 1p a.ts", "/w/1p", "/w/a.ts"],
  ["nl ~/a.ts; less /etc/hosts && bat -p ./a.ts", "/home/u/a.ts", "/etc/hosts", "/w/a.ts"],
  ["rg -n needle src/a.ts", "/w/needle", "/w/src/a.ts"],
  ["git diff HEAD -- a.ts", "/w/HEAD", "/w/a.ts"],
  ["git --no-pager show HEAD:./a.ts", "/w/a.ts"],
  ["cd src && cat a.ts", "/w/src/a.ts"],
  ["timeout 5 cat a.ts", "/w/a.ts"],
  ["bash -c 'cat a.ts'", "/w/a.ts"],
  // None of these is passed to a program that shows it.
  ["sed -i s/a/b/ a.ts"],
  ["ls a.ts; wc a.ts; rm a.ts; echo a.ts; git add a.ts"],
  ["cat *.ts $FILE $(ls)"],
  ["cd $DIR && cat a.ts"],
  ["git -C elsewhere diff a.ts"],
  ["cat ''"],
  ["sed s/a-n/b/ a.ts"],
  ["cd $DIR; cat src/a.ts"],
  ["cat ~u~/x"],
  ["cd $DIR; cd src/x; cat a"],
  ["cd; cat a", "/home/u/a"],
  ["cd $DIR; cd /x; cat a", "/x/a"],
  ["cat b-n ~/a", "/w/b-n", "/home/u/a"],
  [""],
]

for (const [command, ...paths] of cases) {
  test(`files that a command prints: ${command || "none"}`, () => {
    assert.deepEqual(printedFiles(command, place), paths)
  })
}

test("cd to a path of 4,096 characters is followed, to a longer one not", () => {
  const long = (length: number) => `/${"a".repeat(length - 1)}`
  assert.deepEqual(printedFiles(`cd ${long(4_096)}; cat a`, place), [`${long(4_096)}/a`])
  assert.deepEqual(printedFiles(`cd ${long(4_097)}; cat a`, place), [])
})

test("at most a hundred files per command are reported", () => {
  assert.equal(printedFiles(`cat ${Array.from({ length: 500 }, (_, at) => `f${at}`).join(" ")}`, place).length, 100)
})
