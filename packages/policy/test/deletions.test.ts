import assert from "node:assert/strict"
import { test } from "node:test"
import { deletedBy } from "../src/command/deletions.ts"
import { destructiveEffect } from "../src/guard.ts"

const start = { cwd: "/home/u/shop", home: "/home/u", roots: ["/home/u/shop", "/tmp"], env: {} }

test("options count in their position, and words after -- are not options", () => {
  for (const [command, paths] of [
    ["rm a-r b", []],
    ["rm -- -a/**", ["-a/**"]],
    ["chmod -R -- 777 -a", ["-a"]],
    ["mv -- -a b c", ["-a", "b"]],
    ["mv -t", []],
    ["git clean -fdx -- a", ["a"]],
  ] as const) {
    const [name = "", ...args] = command.split(" ")
    assert.deepEqual(deletedBy(name, args)?.paths, paths, command)
  }
  for (const command of ["chmod a-R b", "chmod x--rec b", "rsync x--del a b"]) {
    const [name = "", ...args] = command.split(" ")
    assert.equal(deletedBy(name, args), null, command)
  }
})

test("the deleted folder is named", () => {
  const lost = (command: string) => destructiveEffect(command, start)?.what ?? null
  for (const [command, expected] of [
    ["rm -rf /", "the root folder"],
    ["rm -rf ~", "the home folder"],
    ["rm -rf .", "/home/u/shop"],
    ["cd build; rm -rf ~", "the home folder"],
    ["cd build; rm -rf .", '/home/u/shop, should a "cd" before it fail'],
    ["rm -rf ..", "the home folder"],
    ["rm -rf /home", "/home"],
    ["rm -rf /home/u/shop/.git", "/home/u/shop/.git"],
    ["rm -rf /data", "/data"],
    ["rm -rf /data/x", null],
    ["rm -rf --no-preserve-root /x/y", "the root folder"],
    ["chmod -R 700 /home/u/shop/.git", null],
    ["chmod -R 700 /data", null],
    ["chmod -R 700 /usr", "/usr"],
    ["chmod -R 700 /home", "/home"],
    ["chmod -R 700 /tmp", null],
    ["rm -rf /h?me/u", "/home/u"],
    ["rm -rf /home/[t-v]", "/home/u"],
    ["rm -rf '/hom[/u'", null],
    ["rm -rf /hom[]/u", "/home/u"],
    ["rm -rf /x/a????????", null],
    ["rm -rf /x/a?????????", "/"],
    ["ln -s ~ /tmp/l; rm -rf /tmp/l", null],
    ["ln -s ~ /tmp/l; rm -rf /tmp/l/", "the home folder"],
    ["ln -s ~ /tmp/l; rm -rf /tmp/l/*", "the home folder"],
    ["echo x > /dev/sda", "the disk /dev/sda"],
    ["echo x > out/dev/sda", null],
    ["cp x /dev/mem", "the disk /dev/mem"],
    ["cp x /dev/memory", null],
    ["dd if=/dev/sda of=x", null],
    ["dd of=/dev/sda", "the disk /dev/sda"],
    ["dd x-of=/dev/sda", null],
    ["shred /dev/sda", "the disk /dev/sda"],
    ["shredder /dev/sda", null],
    ["x-shred /dev/sda", null],
    ["chmod -R 700 /t?p", null],
    ["chmod -R 700 /u?r", "/usr"],
    ["rm -rf /t?p", "/tmp"],
    ["rm -rf $X/y", "/y"],
    ["rm -rf $X/y/z", null],
  ] as const)
    assert.equal(lost(command), expected, command)
})

test("parents of the home and the workspace are recognized at every level", () => {
  const deep = { cwd: "/srv/people/u/shop", home: "/srv/people/u", roots: ["/srv/people/u/shop"], env: {} }
  const lost = (command: string) => destructiveEffect(command, deep)?.what ?? null
  for (const [command, expected] of [
    ["rm -rf /srv/p*ple", "/srv/people"],
    ["rm -rf /s?v", "/srv"],
    ["rm -rf /srv/people/?", "/srv/people"],
    ["rm -rf /srv/people/u/s*p", "/srv/people/u/shop"],
    ["chmod -R 700 /srv/p*ple", "/srv/people"],
    ["chmod -R 700 /srv/people/u/s*p", null],
    ["rm -rf /srv/p*le/x", null],
    ["rm -rf /people", "/people"],
    ["rm -rf /people/x", null],
  ] as const)
    assert.equal(lost(command), expected, command)
})

test("a search deletes below its starting points if it says so, by itself or with rm", () => {
  for (const [command, paths] of [
    ["find a b -delete", ["a", "b"]],
    ["find a -exec rm {} ;", ["a"]],
    ["find -delete", ["."]],
    ["find a -name rmx", null],
    ["find a -exec cat {} ;", null],
  ] as const) {
    const [name = "", ...args] = command.split(" ")
    assert.deepEqual(deletedBy(name, args)?.paths ?? null, paths, command)
  }
})
