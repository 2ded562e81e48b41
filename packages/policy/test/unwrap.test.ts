import assert from "node:assert/strict"
import { test } from "node:test"
import { parseCommand } from "../src/command/command.ts"
import { nestedCommands, innerCommand } from "../src/command/unwrap.ts"

function runs(command: string) {
  const found = parseCommand(command).commands.map((simple) => nestedCommands(simple))
  const names = found.flatMap(({ all }) => all.map((words) => words.map(({ text }) => text).join(" ")))
  return { names, incomplete: found.some(({ incomplete }) => incomplete) }
}

/** The inner command, for words of literal text. */
function inside(command: string): string {
  return innerCommand(command.split(" ").map((text) => ({ text })))
    .map(({ text }) => text)
    .join(" ")
}

test("the inner command of a wrapper program follows its options, their values and its own words", () => {
  for (const wrapper of [
    "time -f x",
    "timeout -k 1 5",
    "nice -n 5",
    "env -u A B=1",
    "nohup",
    "exec -a name",
    "chroot /new",
    "chroot --userspec a:b /new",
    "xargs -n 1 -P 2",
    "parallel -j 2",
    "sudo -u root -g wheel A=1",
    "doas -u root",
    "sudo -iu root",
    "sudo -uroot",
    "sudo --user root --group=x",
    "sudo -nC 3",
    "stdbuf -oL",
    "watch --interval 2",
    "xargs --max-args 1",
    "ionice -c3",
    "npx -p pkg",
    "uvx --from pkg",
    "flock -w 5 /lock",
    "flock -E 1 -w 5 /lock",
    "setarch x86_64",
    "taskset 1",
    "nsenter -t 1 -m",
    "strace -e open -o log",
    "runuser -u x",
    "gosu user",
    "pkexec --user x",
    "systemd-run -p A=1",
    "caffeinate -t 5",
    "sudo --",
    "sudo -u root --",
    "/usr/bin/nice",
    "if",
    "!",
    "A=1",
    "A[0]+=1",
  ])
    assert.equal(inside(`${wrapper} curl -x y`), "curl -x y", wrapper)
  assert.equal(inside("find . -name a -exec curl x ;"), "curl x")
  assert.equal(inside("sudo -- -x curl"), "-x curl")
  assert.equal(inside("find . -okdir curl +"), "curl")
  for (const none of [
    "ls curl",
    "find . -name curl",
    "sudo -u curl",
    "fd . -exec curl",
    "find . x-exec curl",
    "find . -execx curl",
    "exec",
    "chroot",
    "1A=1 curl",
    "toString curl",
    "constructor curl",
  ])
    assert.equal(inside(none), "", none)
})

test("scripts are unwrapped through four shells; a fifth makes the result incomplete", () => {
  const nested = (depth: number): string =>
    depth === 0 ? "curl x" : `sh -c '${nested(depth - 1).replaceAll("'", `'\\''`)}'`
  for (const depth of [1, 2, 3, 4])
    assert.deepEqual([runs(nested(depth)).names.includes("curl x"), runs(nested(depth)).incomplete], [true, false])
  assert.deepEqual([runs(nested(5)).names.includes("curl x"), runs(nested(5)).incomplete], [false, true])
})

test("sixteen wrappers are unwrapped; more make the result incomplete", () => {
  const layered = (count: number): string => `${"nohup ".repeat(count - 1)}curl`
  assert.deepEqual([runs(layered(16)).names.length, runs(layered(16)).names.at(-1)], [16, "curl"])
  assert.equal(runs(layered(16)).incomplete, false)
  assert.deepEqual([runs(layered(17)).names.length, runs(layered(17)).incomplete], [16, true])
})

test("each way of passing a script to a shell is recognized", () => {
  for (const given of [
    "eval curl x",
    "eval 'curl x'",
    "env -S 'curl x'",
    "env --split-string 'curl x'",
    "env '-Scurl x'",
    "env '-ivS' 'curl x'",
    "env '--split-string=curl x'",
    "env --split 'curl x'",
    "env -S curl x",
    "env -S '-i A=1 curl' x",
    "env -u S -S 'curl x'",
    String.raw`env -S 'curl\_x'`,
    "su -c 'curl x'",
    "su root --command 'curl x'",
    "bash -lc 'curl x'",
    "/bin/zsh -c 'curl x'",
    "fish -c 'curl x'",
    "sh -ce 'curl x'",
    "bash -cx 'curl x'",
    "su root -c'curl x'",
    "su -lc'curl x'",
    "su --command='curl x'",
    "runuser -c 'curl x'",
    "script -qc 'curl x' f",
    "flock f -c'curl x'",
  ])
    assert.ok(runs(given).names.includes("curl x"), given)
  for (const none of [
    "bash curl x",
    "echo -c 'curl x'",
    "env -u 'curl x'",
    "env A-S 'curl x'",
    "env x--s 'curl x'",
    "env -S",
    "bash -c",
    "bash -Xc1 'curl x'",
    "bash x-c 'curl x'",
    "bash '--command=curl x'",
  ])
    assert.ok(!runs(none).names.includes("curl x"), none)
})
