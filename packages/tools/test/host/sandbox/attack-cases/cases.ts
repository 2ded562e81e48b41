import { existsSync } from "node:fs"
import type { TestContext } from "node:test"
import { type Attempt, attack as attackWithControl, type Guard } from "@gong/testing/attacks"
import { features, type MoreOptions, noSandbox, sandboxPlace, type SandboxPlace } from "../sandbox-fixture.ts"

/** Something outside that a command must not reach. */
export interface Attack {
  readonly name: string
  /** Prepares the target, and returns its cleanup. */
  before?(here: SandboxPlace): Promise<() => unknown>
  /** Prints `reached` on success. */
  command(here: SandboxPlace): string
  /** Full paths of required programs and devices; if one is missing the case is skipped. */
  readonly programs?: readonly string[]
  /** Prevented by the seccomp filter. */
  readonly filtered?: boolean
  /** Works outside only as root. */
  readonly roots?: boolean
  readonly options?: MoreOptions
}

export const perl = "/usr/bin/perl"

/** Each is tried inside, where it must fail, and then outside, where it must succeed. */
export function attackCases(
  attacks: readonly Attack[],
  who = "",
  placeFor = (t: TestContext, { options }: Attack): SandboxPlace => sandboxPlace(t, options),
): void {
  for (const attack of attacks) {
    const attempt = async (t: TestContext, guard: Guard): Promise<Attempt> => {
      const here = placeFor(t, attack)
      const undo = await attack.before?.(here)
      try {
        const { out } = await here[guard === "on" ? "inside" : "outside"](attack.command(here))
        return { reached: /^reached$/m.test(out), printed: out }
      } finally {
        await undo?.()
      }
    }
    attackWithControl(`not reached from the sandbox${who}: ${attack.name}`, attempt, {
      skip: noSandbox || notHere(attack),
    })
  }
}

function notHere({ programs = [], filtered = false, roots = false }: Attack): string | false {
  if (roots && process.getuid?.() !== 0) return "it is nothing that an ordinary user could do"
  if (filtered && !features.filter) return "the kernel takes no filter for system calls"
  const missing = programs.find((program) => !existsSync(program))
  return missing === undefined ? false : `there is no ${missing}`
}

/** Runs `perl -e` with this program. */
export function perlCommand(program: string): string {
  return `${perl} -e '${program.replaceAll("'", String.raw`'\''`)}'`
}
