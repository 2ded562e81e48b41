import { FailureError } from "@gong/spec"
import { createTape } from "@gong/tape"
import { openStore } from "@gong/tape/file"
import { everything } from "./checks.ts"
import type { Life } from "./life.ts"
import { checkLeft, repairTape, sessions, storePorts } from "./open.ts"
import type { Freeze } from "./plan-acts.ts"
import { holds, same, Violation, witness } from "./violation.ts"
import type { Second, SimWorld } from "./world.ts"

/** Another process opens the session while it is written: it sees everything acknowledged, and cannot write. */
export function look(world: SimWorld, life: Life): void {
  judged(world, () => {
    const second = open(world, life, "here", world.trouble !== null)
    mustOnlyRead(world, second)
  })
}

/**
 * The process is paused, then another one opens the session. On the same machine it is seen to be alive; elsewhere it counts
 * for dead when its lock is 30 s old, and has lost the session when it wakes.
 */
export function freeze(world: SimWorld, life: Life, { ms, here }: Freeze): void {
  const { process } = life
  process.freeze()
  world.clock.timer(ms, () => {
    world.trouble = null
    judged(world, () => {
      const second = open(world, life, here ? process.machine : `not ${process.machine}`, false)
      const took = second.tape.store.readOnly === null
      // The last heartbeat may be 5 s older than the pause.
      if (here || ms < 25_000) same(took, false, "the session of a living process was taken over")
      if (!here && ms > 30_000) same(took, true, "a lock without a beat was taken over")
      if (took) takeOver(world, second)
      else mustOnlyRead(world, second)
    })
    process.thaw()
  })
}

function takeOver(world: SimWorld, second: Second): void {
  checkLeft(world, everything(second.tape))
  world.process = second.process
  world.second = second
  world.count("tape lost to another process")
  repairTape(world, second.tape)
}

/** The session belongs to the second process: the first may end and close it without any change. */
export function leave({ process: first, tape }: Life, world: SimWorld, { process: by, tape: taken }: Second): void {
  const before = everything(taken)
  tape.close()
  // A sync that is still under way in the thread pool has its file, and a phase that was begun meanwhile has its own.
  const open = world.plan.slowestSync === null ? 0 : 2
  holds(first.holds.files <= open, () => `a closed session has ${first.holds.files} files open`)
  first.kill()
  taken.append([{ type: "session_info", name: "taken over" }], { sync: true })
  world.journal.published(everything(taken), { written: true, settled: true, synced: true })
  same(everything(taken).slice(0, -1), before, "what a second process wrote")
  taken.close()
  by.kill()
  world.second = null
}

function open(world: SimWorld, { session }: Life, machine: string, onlyRead: boolean): Second {
  const process = world.spawn(machine)
  const ports = storePorts(world, process)
  return {
    process,
    openedAt: world.clock.now(),
    tape: createTape(openStore(ports, { path: `${sessions}/${session.id}`, readOnly: onlyRead }), ports),
  }
}

function mustOnlyRead(world: SimWorld, { process: reader, tape }: Second): void {
  world.count("second process reads")
  witness(world, tape.store.readOnly !== null, () => "two processes have the session at once")
  world.journal.verify(everything(tape), false)
  let refused = false
  try {
    tape.append([{ type: "session_info", name: "mine" }], { sync: false })
  } catch (error) {
    refused = error instanceof FailureError && error.failure.kind === "storage"
  }
  witness(world, refused, () => "a session that another process has was written")
  tape.close()
  same(reader.holds, { timers: 0, files: 0, replies: 0, commands: 0 }, "what a reader holds that went away")
  reader.kill()
}

/** Timers and listeners may not throw. */
function judged(world: SimWorld, work: () => void): void {
  try {
    work()
  } catch (error) {
    world.witnessed.push(error instanceof Violation ? error.message : `it broke: ${(error as Error).stack}`)
  }
}
