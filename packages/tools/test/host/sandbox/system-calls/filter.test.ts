import assert from "node:assert/strict"
import { test } from "node:test"
import { callFilter } from "../../../../src/host/sandbox/system-calls/filter.ts"
import { refusedCalls } from "../../../../src/host/sandbox/system-calls/table.ts"

const ALLOW = 0x7fff0000
const ERRNO = 0x00050000
const ENOSYS = ERRNO | 38

interface Call {
  readonly architecture: number
  readonly number: number
  readonly arguments?: readonly number[]
}

/** Evaluates the filter like the kernel: the part of classic BPF that it uses, over `struct seccomp_data`. */
function answer(program: Uint8Array, { architecture, number, arguments: given = [] }: Call): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(architecture >>> 0, 4)
  for (const [at, value] of given.entries()) data.writeBigUInt64LE(BigInt(value), 16 + at * 8)
  const view = Buffer.from(program)
  let loaded = 0
  for (let at = 0; at < view.length / 8; at++) {
    const [code, yes, no, value] = [
      view.readUInt16LE(at * 8),
      view.readUInt8(at * 8 + 2),
      view.readUInt8(at * 8 + 3),
      view.readUInt32LE(at * 8 + 4),
    ]
    if (code === 0x06) return value
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x05) at += value
    else {
      const holds = code === 0x15 ? loaded === value : code === 0x35 ? loaded >= value : (loaded & value) !== 0
      assert.ok([0x15, 0x35, 0x45].includes(code), `instruction ${at} has a code that the kernel knows: ${code}`)
      at += holds ? yes : no
    }
  }
  return assert.fail("the program ran past its end, which the kernel does not load")
}

const architectures = [
  { machine: "x64", column: "x64", architecture: 0xc000003e },
  { machine: "x64", column: "ia32", architecture: 0x40000003 },
  { machine: "arm64", column: "arm64", architecture: 0xc00000b7 },
  { machine: "arm64", column: "arm", architecture: 0x40000028 },
] as const

function filterFor(machine: string): Uint8Array {
  return callFilter(machine) ?? assert.fail(machine)
}

for (const { machine, column, architecture } of architectures)
  test(`system calls: each row of the table is refused on ${column} if its conditions hold, and only then`, () => {
    const program = filterFor(machine)
    for (const call of refusedCalls) {
      const number = call[column]
      if (number === null) continue
      const met = [0, 0, 0, 0, 0, 0]
      for (const { argument, mask, values = [] } of call.when ?? []) met[argument] = mask ?? values[0] ?? 0
      const ask = (given: readonly number[]) => answer(program, { architecture, number, arguments: given })
      assert.equal(ask(met), ERRNO | call.errno, call.name)
      // The kernel reads 32 bits; higher bits have no effect.
      assert.equal(ask(met.map((value) => value + 2 ** 32)), ERRNO | call.errno, call.name)
      for (const { argument } of call.when ?? [])
        assert.equal(ask(met.with(argument, 0)), ALLOW, `${call.name} without argument ${argument}`)
      for (const { argument, values = [] } of call.when ?? [])
        for (const value of values) assert.equal(ask(met.with(argument, value)), ERRNO | call.errno, call.name)
    }
  })

test("system calls: others pass, with any flags except refused ones", () => {
  const x64 = { architecture: 0xc000003e }
  const program = filterFor("x64")
  const allowed: readonly Call[] = [
    { ...x64, number: 0 },
    { ...x64, number: 59 },
    { ...x64, number: 268, arguments: [0, 0, 0o2777] },
    { ...x64, number: 257, arguments: [0, 0, 0, 0o4755] },
    { ...x64, number: 41, arguments: [1, 1, 0] },
    { ...x64, number: 16, arguments: [0, 0x5413] },
    { ...x64, number: 0xffffffff },
  ]
  for (const call of allowed) assert.equal(answer(program, call), ALLOW, JSON.stringify(call))
})

test("system calls: numbers of other architectures are refused", () => {
  assert.equal(answer(filterFor("x64"), { architecture: 0xc000003e, number: 0x40000000 + 257 }), ENOSYS)
  assert.equal(answer(filterFor("x64"), { architecture: 0xc00000b7, number: 53 }), ENOSYS)
  assert.equal(answer(filterFor("arm64"), { architecture: 0xc000003e, number: 90 }), ENOSYS)
  assert.equal(callFilter("riscv64"), null)
})
