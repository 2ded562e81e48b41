import { type RefusedCall, refusedCalls } from "./table.ts"

/** Architectures that a machine runs: its own, and the 32-bit one. */
const architectures = {
  x64: [
    { audit: 0xc000003e, column: "x64" },
    { audit: 0x40000003, column: "ia32" },
  ],
  arm64: [
    { audit: 0xc00000b7, column: "arm64" },
    { audit: 0x40000028, column: "arm" },
  ],
} as const

type Column = (typeof architectures)[keyof typeof architectures][number]["column"]

/**
 * The seccomp filter for bubblewrap's `--seccomp`: a classic BPF program of `struct sock_filter` (linux/filter.h),
 * little endian. Null for architectures without a table.
 */
export function callFilter(architecture: string): Uint8Array | null {
  if (architecture !== "x64" && architecture !== "arm64") return null
  const filter = made.get(architecture) ?? filterFor(architecture)
  made.set(architecture, filter)
  return filter
}

const made = new Map<string, Uint8Array>()

function filterFor(architecture: keyof typeof architectures): Uint8Array {
  const blocks = architectures[architecture].map(({ audit, column }) => {
    const block = blockOf(column)
    return [jump(JEQ, audit, 1, 0), always(block.length), ...block]
  })
  return bytesOf([load(ARCHITECTURE_AT), ...blocks.flat(), refuse(ENOSYS)])
}

/** From linux/bpf_common.h. */
const LD = 0x20
const JA = 0x05
const JEQ = 0x15
const JGE = 0x35
const JSET = 0x45
const RET = 0x06

/** Offsets in `struct seccomp_data`, and return values of a filter (linux/seccomp.h). */
const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
const ARGUMENTS_AT = 16
const ARGUMENT_BYTES = 8
const ALLOW = 0x7fff0000
const ERRNO = 0x00050000

const ENOSYS = 38
/** Set by a tracer to skip a call. */
const NO_CALL = 0xffffffff
/** The numbers of x32, a second set of 64-bit system calls that hardly any kernel still has. */
const X32 = 0x40000000

interface Instruction {
  readonly code: number
  /** Number of instructions to skip if the condition holds, and if it does not. */
  readonly yes: number
  readonly no: number
  readonly value: number
}

/** All calls of one architecture. Every path ends in a return. */
function blockOf(column: Column): readonly Instruction[] {
  const x32 = column === "x64" ? [jump(JGE, X32, 0, 1), refuse(ENOSYS)] : []
  const calls = refusedCalls.flatMap((call) => {
    const number = call[column]
    if (number === null) return []
    const answer = answerTo(call)
    return [jump(JEQ, number, 0, answer.length), ...answer]
  })
  return [load(NUMBER_AT), jump(JEQ, NO_CALL, 0, 1), allow, ...x32, ...calls, allow]
}

/** Refused if all conditions hold, otherwise allowed. */
function answerTo({ when = [], errno }: RefusedCall): readonly Instruction[] {
  return when.reduceRight<readonly Instruction[]>(
    (rest, { argument, mask, values = [] }) => {
      const tests = mask === undefined ? values.map((value) => [JEQ, value] as const) : [[JSET, mask] as const]
      // After the last test, and before the next condition, the call is allowed if no test matched.
      const checks = tests.map(([code, value], at) => jump(code, value, tests.length - at, 0))
      return [load(ARGUMENTS_AT + argument * ARGUMENT_BYTES), ...checks, allow, ...rest]
    },
    [refuse(errno)],
  )
}

/** The lower half of an argument comes first. */
function load(offset: number): Instruction {
  return { code: LD, yes: 0, no: 0, value: offset }
}

function jump(code: number, value: number, yes: number, no: number): Instruction {
  return { code, yes, no, value }
}

function always(count: number): Instruction {
  return { code: JA, yes: 0, no: 0, value: count }
}

function refuse(errno: number): Instruction {
  return { code: RET, yes: 0, no: 0, value: ERRNO | errno }
}

const allow: Instruction = { code: RET, yes: 0, no: 0, value: ALLOW }

const INSTRUCTION_BYTES = 8

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES)
  for (const [at, { code, yes, no, value }] of program.entries()) {
    const from = at * INSTRUCTION_BYTES
    bytes.writeUInt16LE(code, from)
    bytes.writeUInt8(yes, from + 2)
    bytes.writeUInt8(no, from + 3)
    bytes.writeUInt32LE(value >>> 0, from + 4)
  }
  return bytes
}
