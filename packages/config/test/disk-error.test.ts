import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError } from "@gong/spec"
import { diskErrorLine } from "../src/disk-error.ts"
import { english } from "@gong/texts/translator"

const errorOf = (more: object): Error => Object.assign(new Error("x"), more)

test("a disk error is one line with the file, the reason and the remedy; any other error is not", () => {
  const line = (error: unknown) => diskErrorLine(english, error)
  const open = { path: "/h/a", syscall: "open" }
  assert.equal(
    line(errorOf({ code: "EACCES", ...open })),
    "gong: /h/a: permission denied (EACCES). Change its owner (chown), or move it away.",
  )
  assert.equal(
    line(errorOf({ code: "ENOSPC", path: "/h/a" })),
    "gong: /h/a: the disk is full (ENOSPC). Free some space there.",
  )
  for (const code of ["EPERM", "EFBIG", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "ENOTDIR", "ELOOP"])
    assert.match(line(errorOf({ code, ...open })) ?? "", new RegExp(`^gong: /h/a: .+ \\(${code}\\)\\. .+\\.$`))
  assert.equal(line(errorOf({ code: "ENOENT", ...open })), null)
  assert.equal(line(errorOf({ code: "toString", ...open })), null)
  assert.equal(line(errorOf({ code: "EACCES", syscall: "open" })), null)
  for (const syscall of ["spawn git", "connect", "listen", "bind"])
    assert.equal(line(errorOf({ code: "EACCES", path: "/h/a", syscall })), null, syscall)
  assert.notEqual(line(errorOf({ code: "EACCES", path: "/h/a", syscall: "respawn" })), null)
  assert.deepEqual([line(null), line("x"), line(new Error("x"))], [null, null, null])
})

test("a storage failure has a remedy if its cause is known; another failure has none", () => {
  const line = (error: unknown) => diskErrorLine(english, error)
  const storage = failure("storage", "The tape cannot be written.")
  assert.equal(line(new FailureError(storage)), "gong: The tape cannot be written.")
  assert.equal(
    line(new FailureError({ ...storage, cause: errorOf({ code: "ENOSPC" }) })),
    "gong: The tape cannot be written. Free some space there.",
  )
  assert.equal(line(new FailureError(failure("bad-request", "x"))), null)
})
