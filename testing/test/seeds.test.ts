import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { failedSeeds, seedOptions } from "@gong/testing/seeds"

const read = (...words: readonly string[]) => seedOptions({ name: "sim", count: 3, words })

test("without options: the default number of seeds from 1 on", () => {
  const { from, count, counted, seeds } = read()
  assert.deepEqual([from, count, counted, seeds], [1, 3, false, [1, 2, 3]])
})

test("--from and --count give consecutive seeds", () => {
  const { counted, seeds } = read("--from", "7", "--count", "2")
  assert.deepEqual([counted, seeds], [true, [7, 8]])
  assert.deepEqual(read("--from=0", "--count=1").seeds, [0])
  assert.deepEqual(read("--from", "4294967295", "--count", "1").seeds, [4_294_967_295])
})

test("--failed gives the seeds that ever failed, none for a program without any", () => {
  assert.deepEqual(read("--failed").seeds, failedSeeds("sim"))
  assert.ok(failedSeeds("sim").includes(9_012_102))
  assert.deepEqual(seedOptions({ name: "never", count: 1, words: ["--failed"] }).seeds, [])
})

test("a program's own options are parsed as well", () => {
  const more = { workers: { type: "string", default: "1" } } as const
  assert.equal(seedOptions({ name: "sim", count: 1, more, words: ["--workers", "2"] }).values.workers, "2")
})

test("positional arguments are passed to programs that take them", () => {
  const words = ["tape", "--count", "2", "loop"]
  assert.deepEqual(seedOptions({ name: "mutants", count: 1, takesWords: true, words }).positionals, ["tape", "loop"])
})

for (const words of [
  ["--from", "-1"],
  ["--from", "x"],
  ["--from", "1.5"],
  ["--from", "4294967296"],
  ["--count", "0"],
  ["--count", "many"],
  ["--from", "4294967295", "--count", "2"],
  ["--seeds", "3"],
  ["7"],
]) {
  test(`${words.join(" ")} is rejected with one line, and nothing runs`, () => {
    assert.throws(() => read(...words))
  })
}

test("every name in the list of failed seeds is an npm script", () => {
  const root = new URL("../../", import.meta.url)
  const failed = JSON.parse(readFileSync(new URL("testing/failed-seeds.json", root), "utf8")) as object
  const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { readonly scripts: object }
  for (const name of Object.keys(failed)) assert.ok(Object.hasOwn(scripts, name), name)
})
