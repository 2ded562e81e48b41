import type { Host, Tool } from "@gong/spec"
import type { Tape } from "@gong/tape"
import { createAllTools, type JobTable } from "@gong/tools"
import type { SimProcess } from "./process.ts"
import { witness } from "./violation.ts"
import type { SimWorld } from "./world.ts"

export interface ToolParts {
  readonly tape: Tape
  /** Tools that run now. */
  readonly running: Set<string>
  /** Commands that took too long to be waited for. */
  readonly jobs: JobTable
}

/** Processes of all worlds so far. */
let places = 0

/** The real tools on a host that records their effects. `bash` runs user commands, which need no permission. */
export function simTools(world: SimWorld, process: SimProcess, parts: ToolParts) {
  const { jobs } = parts
  // A file that a dead process held must not wait for it: every process has a place of its own name.
  const id = `sim-${++places}`
  const at = (host: Host) =>
    createAllTools("/work", { host: { ...process.host(host), id }, clock: process.clock, bash: { jobs } })
  const all = at(watchedHost(world, parts.tape))
  const tools = [all.read, all.write, all.edit, all.bash, all.ls]
  return { tools: tools.map((tool) => watchedTool(world, process, tool, parts.running)), bash: at(world.host).bash }
}

/** Tools that change things run alone, and refused calls do not run. */
function watchedTool(world: SimWorld, process: SimProcess, tool: Tool, running: Set<string>): Tool {
  const { model: slow } = world.plan
  return {
    ...tool,
    async execute(callId, args, context) {
      if (!process.alive) return new Promise(() => {})
      const { name, readOnly } = tool
      const { writer } = world
      witness(world, !world.refused.has(callId), () => `${callId} (${name}) runs, and was refused`)
      witness(world, writer === null, () => `${callId} (${name}) runs beside ${writer}, which changes things`)
      witness(world, readOnly || running.size === 0, () => `${callId} (${name}) does not run alone`)
      witness(world, running.size < 4, () => `${callId} is the fifth call at once`)
      running.add(callId)
      if (!readOnly) world.writer = callId
      try {
        if (readOnly && slow.chance(0.15)) await process.clock.sleep(slow.int(3000), context.signal)
        return await tool.execute(callId, args, context)
      } finally {
        running.delete(callId)
        if (!readOnly) world.writer = null
      }
    },
  }
}

function watchedHost(world: SimWorld, tape: Tape): Host {
  const { host } = world
  return {
    ...host,
    replaceFile(file, bytes, options = {}) {
      const announce = async () => {
        await options.announce?.()
        effect(world, tape, `write ${file}`)
      }
      return host.replaceFile(file, bytes, { ...options, announce })
    },
    exec(command, options) {
      effect(world, tape, String(command))
      return host.exec(command, options)
    },
  }
}

function effect(world: SimWorld, tape: Tape, what: string): void {
  if (tape.stalled === null && tape.settled() === null) world.journal.settled()
  const callId = world.writer ?? "no call"
  const start = world.journal.startOf(callId)
  const durable = start !== undefined && isDurable(world, tape, start)
  witness(world, durable, () => `"${what}" of ${callId} happened before its start was durable`)
  witness(world, !world.done.has(callId), () => `${callId} took effect twice: ${what}`)
  world.done.add(callId)
  if (what.startsWith("write ")) checkChange(world, tape, callId)
  world.effects.push({ callId, what })
  world.trace(what)
  world.tick("effect")
}

/** After a full disk, a sync in progress in the thread pool may be of this entry or of others. */
function isDurable({ journal, wasFull }: SimWorld, tape: Tape, id: string): boolean {
  return journal.isDurable(id) || (wasFull && tape.settled() !== null)
}

function checkChange(world: SimWorld, tape: Tape, callId: string): void {
  const change = tape.entriesOfBranch().findLast((entry) => entry.type === "change" && entry.callId === callId)
  const durable = change !== undefined && isDurable(world, tape, change.id)
  witness(world, durable, () => `${callId} changed a file before the change was durable`)
}
