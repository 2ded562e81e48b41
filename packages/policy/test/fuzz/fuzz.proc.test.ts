import assert from "node:assert/strict"
import { test } from "node:test"
import { effectsIn } from "./effects.ts"
import { type Classifier, fuzz } from "./fuzz.ts"
import { runBatch, toolsMissing } from "./run.ts"
import { fuzzWorld } from "./world.ts"

const skip = toolsMissing()

test("[SAFE-3] read-only commands write nothing under strace", { skip }, async () => {
  const { ran, hung, leaks } = await fuzz({ seed: 20, count: 250 })
  assert.deepEqual([leaks, hung, ran], [[], 0, 250])
})

test("the fuzzer detects writes of a policy that checks only the first word", { skip }, async () => {
  const byFirstWord: Classifier = async (command) => (/^(?:ls|cat|sort|git) /.test(command) ? {} : null)
  const { leaks } = await fuzz({ seed: 3, count: 20, classifier: () => byFirstWord })
  assert.ok(leaks.length > 0)
})

test("strace output is parsed, also where one line interrupts another", () => {
  const log = `11 execve("/usr/bin/bash", ["bash"], 0x1 /* 9 vars */) = 0
11 openat(AT_FDCWD, "/batch/3", O_RDONLY) = -1 ENOENT (No such file or directory)
12 openat(AT_FDCWD, "a.txt", O_RDONLY|O_CLOEXEC) = 3
12 openat(AT_FDCWD, "/dev/null", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3
13 execve("/w/evil", ["ls"], 0x1 /* 9 vars */ <unfinished ...>
12 execve("/usr/bin/ls", ["ls"], 0x1 /* 9 vars */) = 0
13 <... execve resumed>)               = 0
14 execve("/w/none", ["none"], 0x1 /* 9 vars */ <unfinished ...>
14 <... execve resumed>)               = -1 ENOENT (No such file or directory)
11 openat(AT_FDCWD, "/batch/4", O_RDONLY) = -1 ENOENT (No such file or directory)
15 openat(AT_FDCWD, "z1", O_WRONLY|O_CREAT|O_TRUNC, 0666) = -1 EROFS (Read-only file system)
`
  assert.deepEqual(
    [...effectsIn(log, "/w")].map(({ index, what }) => `${index} ${what.slice(0, 20)}`),
    ['3 execve("/evil", ["ls', '4 openat(AT_FDCWD, "z1'],
  )
})

const changes = [
  "touch z1",
  "ls > z1",
  "ls >> a.txt",
  "mv 'a b.txt' z2",
  "mkdir z3",
  "ln -s a.txt z4",
  "chmod 600 a.txt",
  "sort -o z5 a.txt",
  "git add .",
  "sh -c 'touch z6'",
  "./evil",
  "touch /etc/z1",
  "rm a.txt",
]

test("every kind of write is detected, with its command", { skip }, () => {
  const world = fuzzWorld()
  try {
    const { effects } = runBatch(
      world,
      changes.flatMap((command) => ["true", command]),
      60,
    )
    const seen = new Set(effects.map(({ index }) => index))
    assert.deepEqual(
      [...seen],
      changes.map((_, at) => at * 2 + 1),
    )
  } finally {
    world.remove()
  }
})
