import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedCalls } from "../../../../src/host/sandbox/system-calls/table.ts"

/**
 * From Linux: `asm/unistd_64.h` and `asm/unistd_32.h` of x86, `asm-generic/unistd.h` (arm64), and
 * `arch/arm/tools/syscall.tbl` (EABI); `-` where the call does not exist.
 */
const numbers = `
  add_key 248 286 217 309
  bpf 321 357 280 386
  chmod 90 15 - 15
  creat 85 8 - 8
  delete_module 176 129 106 129
  fchmod 91 94 52 94
  fchmodat 268 306 53 333
  fchmodat2 452 452 452 452
  finit_module 313 350 273 379
  init_module 175 128 105 128
  io_uring_enter 426 426 426 426
  io_uring_register 427 427 427 427
  io_uring_setup 425 425 425 425
  ioctl 16 54 29 54
  kexec_file_load 320 - 294 401
  kexec_load 246 283 104 347
  keyctl 250 288 219 311
  mknod 133 14 - 14
  mknodat 259 297 33 324
  open 2 5 - 5
  open_by_handle_at 304 342 265 371
  openat 257 295 56 322
  openat2 437 437 437 437
  perf_event_open 298 336 241 364
  request_key 249 287 218 310
  socket 41 359 198 281
  socketcall - 102 - -
  userfaultfd 323 374 282 388`

test("system calls: the numbers of refused calls are those of the kernel's headers", () => {
  const listed = refusedCalls.map(({ name, x64, ia32, arm64, arm }) =>
    [name, x64, ia32, arm64, arm].map((part) => part ?? "-").join(" "),
  )
  assert.deepEqual(listed.toSorted(), numbers.trim().split(/\n\s*/))
})

/** `S_ISUID` of `linux/stat.h`. */
const setuid = 0x800
/** `O_CREAT`, or the bit of `O_TMPFILE` beside `O_DIRECTORY` (`asm-generic/fcntl.h`). */
const creates = 0x40 | 0x400000

test("system calls: a refused argument is a setuid bit, a request of terminals, or a family of sockets", () => {
  const conditions = refusedCalls
    .filter(({ when }) => when !== undefined)
    .map(({ name, when }) => [name, when] as const)
  assert.deepEqual(Object.fromEntries(conditions), {
    chmod: [{ argument: 1, mask: setuid }],
    fchmod: [{ argument: 1, mask: setuid }],
    fchmodat: [{ argument: 2, mask: setuid }],
    fchmodat2: [{ argument: 2, mask: setuid }],
    mknod: [{ argument: 1, mask: setuid }],
    mknodat: [{ argument: 2, mask: setuid }],
    creat: [{ argument: 1, mask: setuid }],
    open: [
      { argument: 1, mask: creates },
      { argument: 2, mask: setuid },
    ],
    openat: [
      { argument: 2, mask: creates },
      { argument: 3, mask: setuid },
    ],
    // TIOCSTI and TIOCLINUX (asm-generic/ioctls.h), AF_VSOCK (linux/socket.h), SYS_SOCKET (linux/net.h).
    ioctl: [{ argument: 1, values: [21_522, 21_532] }],
    socket: [{ argument: 0, values: [40] }],
    socketcall: [{ argument: 0, values: [1] }],
  })
})

test("system calls: programs are told that a call is missing where they have another way, otherwise that it is forbidden", () => {
  const named = (wanted: number) => refusedCalls.flatMap(({ name, errno }) => (errno === wanted ? [name] : []))
  const [ENOSYS, EPERM, EAFNOSUPPORT] = [38, 1, 97]
  const missing = "add_key io_uring_enter io_uring_register io_uring_setup keyctl openat2 request_key socketcall"
  assert.equal(named(ENOSYS).toSorted().join(" "), missing)
  assert.deepEqual(named(EAFNOSUPPORT), ["socket"])
  assert.equal(named(EPERM).length, refusedCalls.length - 9)
})
