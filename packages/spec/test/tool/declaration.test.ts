import assert from "node:assert/strict"
import { test } from "node:test"
import { changesUnrecorded, closedDialog, filesOf, pathsOf, phrase, withDefaultPath } from "../../src/index.ts"

const paths = [
  { argument: "path", holds: "file" },
  { argument: "from", holds: "folder" },
  { argument: "all", holds: "tree" },
] as const

test("the paths of a call are the texts of its declared arguments, one or a list", () => {
  assert.deepEqual(pathsOf({ paths }, { path: "/a", all: ["/b", 1, null, "/c"], from: 5, other: "/d" }), [
    { path: "/a", holds: "file" },
    { path: "/b", holds: "tree" },
    { path: "/c", holds: "tree" },
  ])
  assert.deepEqual(pathsOf({}, { path: "/a" }), [])
  assert.deepEqual(pathsOf({ paths: [{ argument: "toString", holds: "file" }] }, {}), [])
})

test("the files of a call are those that a tool for files reads or writes", () => {
  for (const [effect, expected] of [
    ["read", ["/a"]],
    ["write", ["/a"]],
    ["none", []],
    ["execute", []],
    ["network", []],
  ] as const)
    assert.deepEqual(filesOf({ effect, paths }, { path: "/a", from: "/b", all: "/c" }), expected, effect)
  assert.deepEqual(filesOf({ paths }, { path: "/a" }), [])
})

test("a tool changes files without a record if it runs commands, or writes and does not record", () => {
  for (const [declared, expected] of [
    [{ effect: "execute" }, true],
    [{ effect: "execute", recordsChanges: true }, true],
    [{ effect: "write" }, true],
    [{ effect: "write", recordsChanges: false }, true],
    [{ effect: "write", recordsChanges: true }, false],
    [{ effect: "read" }, false],
    [{}, false],
  ] as const)
    assert.equal(changesUnrecorded(declared), expected, JSON.stringify(declared))
})

test("a tool without declared paths has its argument path as a folder", () => {
  assert.deepEqual(withDefaultPath(null), { paths: [{ argument: "path", holds: "folder" }] })
  assert.deepEqual(withDefaultPath({ effect: "read" }), {
    effect: "read",
    paths: [{ argument: "path", holds: "folder" }],
  })
  assert.deepEqual(withDefaultPath({ paths: [] }), { paths: [] })
})

test("a closed dialog takes one of its choices and no other text", () => {
  const question = phrase`Delete ${"x"}?`
  const choices = [{ label: "yes" }]
  assert.deepEqual(closedDialog(question, choices), {
    question: "Delete x?",
    phrase: question,
    choices,
    freeText: false,
  })
})
