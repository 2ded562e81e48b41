import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import {
  bubblewrapCall,
  type Confinement,
  inOrder,
  presentMounts,
  STATUS_FD,
} from "../../../../src/host/sandbox/plan/bubblewrap.ts"
import { hidden, innermost, type Mount, readOnly, writable } from "../../../../src/host/sandbox/plan/mount.ts"
import { callFilter } from "../../../../src/host/sandbox/system-calls/filter.ts"

const call = (more: Partial<Confinement> = {}) =>
  bubblewrapCall({
    bwrap: "/usr/bin/bwrap",
    mounts: [],
    locked: [],
    network: true,
    uid: 1000,
    features: { filter: false, modes: false },
    ...more,
  })

const own = "/usr/bin/bwrap --unshare-pid --unshare-ipc --die-with-parent --new-session"
const machine = "--ro-bind / / --dev /dev --proc /proc"
const end = "--json-status-fd 3 --"

test("a command has its own processes and IPC, and a read-only machine", () => {
  const { argv, inputs } = call()
  assert.equal(argv.join(" "), `${own} ${machine} ${end}`)
  assert.deepEqual([inputs, STATUS_FD], [[], 3])
})

test("without the network a command has its own", () => {
  assert.equal(call({ network: false }).argv.join(" "), `${own} --unshare-net ${machine} ${end}`)
})

test("root keeps the rights to install packages, and cannot write to settings of the kernel", () => {
  const rights = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"]
  const kept = rights.map((right) => `--cap-add CAP_${right}`).join(" ")
  const closed = "--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/fs /proc/fs"
  assert.equal(call({ uid: 0 }).argv.join(" "), `${own} --cap-drop ALL ${kept} ${machine} ${closed} ${end}`)
  assert.deepEqual(call({ uid: null }), call({ uid: 1000 }))
})

test("each mount has its argument; texts and the filter are inputs from descriptor 4", () => {
  const mounts: readonly Mount[] = [
    writable("/w"),
    readOnly("/r"),
    { how: "own", path: "/o", from: "/own" },
    { how: "shown", path: "/s", from: "/from" },
    { how: "empty", path: "/e" },
    { how: "bare", path: "/b" },
    { how: "text", path: "/t", text: "ü" },
    { how: "text", path: "/u", text: "u" },
    { how: "private", path: "/p" },
    hidden("/h"),
  ]
  const of = (text: string) =>
    `${own} ${machine} --bind /w /w --ro-bind /r /r --bind /own /o --ro-bind /from /s ${text}`
  const files = "--tmpfs /e --tmpfs /b --ro-bind-data 4 /t --ro-bind-data 5 /u"
  const last = "--ro-bind /dev/null /h --remount-ro /b"
  const locks = "--lock-file /l --lock-file /m"
  const plain = call({ mounts, locked: ["/l", "/m"] })
  assert.equal(plain.argv.join(" "), of(`${files} --tmpfs /p ${last} ${locks} ${end}`))
  assert.deepEqual(plain.inputs, [new TextEncoder().encode("ü"), new TextEncoder().encode("u")])
  const all = call({ mounts, features: { filter: true, modes: true } })
  const filter = callFilter(process.arch)
  const seccomp = filter === null ? "" : "--seccomp 6 "
  assert.equal(all.argv.join(" "), of(`${files} --perms 0700 --tmpfs /p ${last} ${seccomp}${end}`))
  assert.deepEqual(all.inputs.slice(2), filter === null ? [] : [filter])
})

test("outer mounts come first, and of several at one path the last", () => {
  assert.deepEqual(inOrder([writable("/a/b/c"), writable("/a"), readOnly("/a/b"), readOnly("/x"), readOnly("/a")]), [
    readOnly("/a"),
    readOnly("/x"),
    readOnly("/a/b"),
    writable("/a/b/c"),
  ])
})

test("what hides a path is needed where the path is visible", () => {
  const hides: readonly Mount[] = [
    hidden("/a/f"),
    { how: "private", path: "/a/f" },
    { how: "bare", path: "/a/f" },
    { how: "text", path: "/a/f", text: "" },
  ]
  const outside: readonly Mount[] = [
    { how: "empty", path: "/a" },
    { how: "shown", path: "/a", from: "/x" },
    { how: "own", path: "/a", from: "/x" },
    { how: "private", path: "/a" },
    { how: "bare", path: "/a" },
  ]
  for (const mount of hides) {
    for (const around of [[], [writable("/a")], [readOnly("/a")]])
      assert.deepEqual(inOrder([...around, mount]), [...around, mount], mount.how)
    for (const around of outside) assert.deepEqual(inOrder([around, mount]), [around], `${around.how} ${mount.how}`)
    const visible: readonly Mount[] = [{ how: "empty", path: "/" }, writable("/a")]
    assert.deepEqual(inOrder([...visible, mount]), [...visible, mount])
  }
  for (const around of outside)
    for (const mount of [writable("/a/f"), readOnly("/a/f"), { how: "empty", path: "/a/f" }] as const)
      assert.deepEqual(inOrder([around, mount]), [around, mount], "what shows a path is always needed")
})

test("the visible part of a file in the user's cache is mounted if the file itself would be", () => {
  const cache: Mount = { how: "own", path: "/c", from: "/x" }
  const text: Mount = { how: "text", path: "/c/f", text: "" }
  assert.deepEqual(inOrder([cache, readOnly("/c/f"), text]), [cache, text])
  assert.deepEqual(inOrder([cache, readOnly("/c/g"), text]), [cache, readOnly("/c/g")])
  assert.deepEqual(inOrder([cache, readOnly("/c/f"), hidden("/c/f")]), [cache])
  assert.deepEqual(inOrder([cache, writable("/c/f"), text]), [cache])
})

test("missing paths are not mounted, and a missing cache is empty", async () => {
  const memory = createMemoryHost({ files: { "/a/file": "", "/x/file": "" } })
  const host = { ...memory, realpath: async (path: string) => path.replace("/a/", "/real/") }
  const from = (how: "own" | "shown", at: string): Mount => ({ how, path: "/a/file", from: at })
  for (const [mount, present] of [
    [writable("/a/none"), []],
    [writable("/a/file"), [writable("/real/file")]],
    [from("own", "/x/file"), [{ ...from("own", "/x/file"), path: "/real/file" }]],
    [from("shown", "/x/file"), [{ ...from("shown", "/x/file"), path: "/real/file" }]],
    [from("own", "/x/none"), [{ how: "empty", path: "/real/file" }]],
    [from("shown", "/x/none"), [readOnly("/real/file")]],
  ] as const)
    assert.deepEqual(await presentMounts(host, [mount]), present)
})

test("the innermost mount is the last one of the deepest", () => {
  const mounts = [writable("/a/b"), writable("/"), readOnly("/a"), readOnly("/a/b")]
  for (const [path, found] of [
    ["/a/b/c", mounts[3]],
    ["/a/b", mounts[3]],
    ["/a/bc", mounts[2]],
    ["/x", mounts[1]],
  ] as const)
    assert.equal(innermost(mounts, path), found)
  assert.equal(innermost([writable("/a")], "/b"), null)
})
