/** The numbers of a system call by architecture; null where it does not exist. */
interface Numbers {
  readonly x64: number | null
  readonly ia32: number | null
  readonly arm64: number | null
  readonly arm: number | null
}

/** A condition on the lower 32 bits of an argument. */
interface Condition {
  readonly argument: number
  /** Any of these bits is set. */
  readonly mask?: number
  /** Or the value is one of these. */
  readonly values?: readonly number[]
}

/** A refused system call; with `when`, refused only if all conditions hold. */
export interface RefusedCall extends Numbers {
  readonly name: string
  readonly errno: number
  readonly when?: readonly Condition[]
}

// From asm-generic/errno-base.h and errno.h; equal on these architectures.
const EPERM = 1
/** Programs take it for a missing system call and use a fallback. */
const ENOSYS = 38
const EAFNOSUPPORT = 97

const S_ISUID = 0o4000
const O_CREAT = 0o100
const O_TMPFILE = 0o20000000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const AF_VSOCK = 40
const SYS_SOCKET = 1

/** Without these flags the kernel ignores the mode argument, which may be anything. */
const creates = (argument: number): Condition => ({ argument, mask: O_CREAT | O_TMPFILE })
const setuid = (argument: number): Condition => ({ argument, mask: S_ISUID })

/**
 * Numbers from the kernel's `syscall.tbl` of each architecture. Setuid is refused in every mode argument. Setgid is
 * not, because folders have it and a filter cannot tell what a call creates.
 */
// oxfmt-ignore
export const refusedCalls: readonly RefusedCall[] = [
  // The kernel's keyrings, which hold keys and tickets of the user's login session.
  { name: "add_key", x64: 248, ia32: 286, arm64: 217, arm: 309, errno: ENOSYS },
  { name: "request_key", x64: 249, ia32: 287, arm64: 218, arm: 310, errno: ENOSYS },
  { name: "keyctl", x64: 250, ia32: 288, arm64: 219, arm: 311, errno: ENOSYS },
  // A setuid program must not run with this user's rights when another user starts it.
  { name: "chmod", x64: 90, ia32: 15, arm64: null, arm: 15, errno: EPERM, when: [setuid(1)] },
  { name: "fchmod", x64: 91, ia32: 94, arm64: 52, arm: 94, errno: EPERM, when: [setuid(1)] },
  { name: "fchmodat", x64: 268, ia32: 306, arm64: 53, arm: 333, errno: EPERM, when: [setuid(2)] },
  { name: "fchmodat2", x64: 452, ia32: 452, arm64: 452, arm: 452, errno: EPERM, when: [setuid(2)] },
  { name: "mknod", x64: 133, ia32: 14, arm64: null, arm: 14, errno: EPERM, when: [setuid(1)] },
  { name: "mknodat", x64: 259, ia32: 297, arm64: 33, arm: 324, errno: EPERM, when: [setuid(2)] },
  { name: "creat", x64: 85, ia32: 8, arm64: null, arm: 8, errno: EPERM, when: [setuid(1)] },
  { name: "open", x64: 2, ia32: 5, arm64: null, arm: 5, errno: EPERM, when: [creates(1), setuid(2)] },
  { name: "openat", x64: 257, ia32: 295, arm64: 56, arm: 322, errno: EPERM, when: [creates(2), setuid(3)] },
  // Its mode is in memory, which a filter cannot read; programs fall back to openat.
  { name: "openat2", x64: 437, ia32: 437, arm64: 437, arm: 437, errno: ENOSYS },
  // Performs other system calls without passing this filter.
  { name: "io_uring_setup", x64: 425, ia32: 425, arm64: 425, arm: 425, errno: ENOSYS },
  { name: "io_uring_enter", x64: 426, ia32: 426, arm64: 426, arm: 426, errno: ENOSYS },
  { name: "io_uring_register", x64: 427, ia32: 427, arm64: 427, arm: 427, errno: ENOSYS },
  // Injects input into a terminal.
  { name: "ioctl", x64: 16, ia32: 54, arm64: 29, arm: 54, errno: EPERM, when: [{ argument: 1, values: [TIOCSTI, TIOCLINUX] }] },
  // Services of the hypervisor, which no namespace covers, not even that of the network.
  { name: "socket", x64: 41, ia32: 359, arm64: 198, arm: 281, errno: EAFNOSUPPORT, when: [{ argument: 0, values: [AF_VSOCK] }] },
  // For 32-bit programs the address family is in memory, so they get no sockets.
  { name: "socketcall", x64: null, ia32: 102, arm64: null, arm: null, errno: ENOSYS, when: [{ argument: 0, values: [SYS_SOCKET] }] },
  // Opens files by inode, bypassing all mounts.
  { name: "open_by_handle_at", x64: 304, ia32: 342, arm64: 265, arm: 371, errno: EPERM },
  // Parts of the kernel that commands do not need and that often had vulnerabilities.
  { name: "bpf", x64: 321, ia32: 357, arm64: 280, arm: 386, errno: EPERM },
  { name: "perf_event_open", x64: 298, ia32: 336, arm64: 241, arm: 364, errno: EPERM },
  { name: "userfaultfd", x64: 323, ia32: 374, arm64: 282, arm: 388, errno: EPERM },
  { name: "kexec_load", x64: 246, ia32: 283, arm64: 104, arm: 347, errno: EPERM },
  { name: "kexec_file_load", x64: 320, ia32: null, arm64: 294, arm: 401, errno: EPERM },
  { name: "init_module", x64: 175, ia32: 128, arm64: 105, arm: 128, errno: EPERM },
  { name: "finit_module", x64: 313, ia32: 350, arm64: 273, arm: 379, errno: EPERM },
  { name: "delete_module", x64: 176, ia32: 129, arm64: 106, arm: 129, errno: EPERM },
]
