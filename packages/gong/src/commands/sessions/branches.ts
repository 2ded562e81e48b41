import { FailureError, type ForkOptions, messageOf, type StoredSession } from "@gong/spec"
import { lastIndexWhere, type Segment, textOfEntry, treeOf, type Tape } from "@gong/tape"
import { openToRead } from "@gong/app/compose/tapes/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { truncate } from "@gong/texts/table"
import type { CommandOutput, CommandContext } from "./output.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong sessions tree ID`: the forks of its branches; "*" marks the active one. */
export async function sessionTree(
  t: Translate,
  { place }: CommandContext,
  wanted: string,
): Promise<Outcome<CommandOutput>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const tape = await openToRead(place, session.value)
  try {
    const tree = treeOf(tape)
    const lines = tree === null ? [] : linesOf(t, tape, tree)
    const tasks: string[] = []
    for (const task of await place.sessions.tasksOf(session.value)) tasks.push(await taskLine(place, task))
    return ok({ text: `${[...lines, ...tasks.toReversed()].join("\n")}\n`, json: tree })
  } finally {
    tape.close()
  }
}

/** One line for a task of the session. */
async function taskLine(place: CommandContext["place"], task: StoredSession): Promise<string> {
  const tape = await openToRead(place, task)
  try {
    const at = lastIndexWhere(tape.branch, ({ type }) => type === "input")
    const words = at < 0 ? "" : textOfEntry(tape.branch.entry(at)).trim()
    return `  task ${shortId(task.id)}  ${truncate(words, textWidth)}`
  } finally {
    tape.close()
  }
}

const textWidth = 60

/** One line per segment without a fork: its last step, the number of steps, and the first text. */
function linesOf(t: Translate, tape: Tape, root: Segment): readonly string[] {
  const lines: string[] = []
  const stack = [{ segment: root, depth: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { segment, depth } = top
    const last = segment.steps.at(-1)
    const mark = last?.active === true ? "*" : " "
    const label = segment.steps.findLast((step) => step.label !== null)?.label
    const count = t`${segment.steps.length} step${segment.steps.length === 1 ? "" : "s"}`
    const text = [count, ...(label ? [`[${label}]`] : []), firstText(tape, segment)].join("  ")
    lines.push(`${mark} ${"  ".repeat(Math.min(depth, maxIndent))}${last?.id ?? ""}  ${truncate(text, textWidth)}`)
    for (const next of segment.next.toReversed()) stack.push({ segment: next, depth: depth + 1 })
  }
  return lines
}

/** Maximum indentation; deeper segments stay in this column. */
const maxIndent = 20

function firstText(tape: Tape, { steps }: Segment): string {
  for (const { id, type } of steps) {
    const entry = type === "input" || type === "message" ? tape.entry(id) : null
    const text = entry === null ? "" : textOfEntry(entry).trim()
    if (text !== "") return text
  }
  return ""
}

/** `gong sessions fork ID [STEP]`: copies a session up to a step; the original does not change. */
export async function forkSession(
  { place, cli }: CommandContext,
  wanted: string,
  step: string | undefined,
): Promise<Outcome<CommandOutput>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const forked = await forkAt(place, session.value, step === undefined ? {} : { entry: step })
  if (!forked.ok) return forked
  const { id, path } = forked.value
  const text = cli.t`Session ${shortId(id)} is the copy. Continue it: gong --session ${shortId(id)}`
  return ok({ text: `${cli.style.line(text)}\n`, json: { id, path, from: session.value.id } })
}

/** An unknown step is a usage error. */
async function forkAt(
  { sessions }: CommandContext["place"],
  session: StoredSession,
  at: ForkOptions,
): Promise<Outcome<StoredSession>> {
  try {
    return ok(await sessions.fork(session, at))
  } catch (error) {
    if (error instanceof FailureError) return usage(messageOf(error.failure))
    throw error
  }
}

const maxProblems = 20

/** `gong sessions verify ID`: verifies the checksum of every line and artifact. */
export async function verifySession({ place, cli }: CommandContext, wanted: string): Promise<Outcome<CommandOutput>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const verified = await place.sessions.verify(session.value)
  const { files, problems, artifacts } = verified
  const valid = files.reduce((sum, file) => sum + file.valid, 0)
  const problemLines = [
    ...problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
    ...artifacts.damaged.map((name) => cli.t`artifact ${name} is damaged`),
    ...artifacts.missing.map(({ artifact, entry }) => cli.t`artifact ${artifact} of step ${entry} is missing`),
  ]
  const summary = cli.t`${valid} steps in ${files.length} phase${files.length === 1 ? "" : "s"}, ${artifacts.checked} artifacts: `
  const verdict = problemLines.length === 0 ? cli.t`all checksums match.` : cli.t`${problemLines.length} do not match.`
  const cut = problemLines.length > maxProblems ? [cli.t`... and ${problemLines.length - maxProblems} more`] : []
  const lines = [summary + verdict, ...problemLines.slice(0, maxProblems), ...cut].map((line) => cli.style.line(line))
  return ok({ text: `${lines.join("\n")}\n`, json: verified, exit: problemLines.length === 0 ? 0 : 1 })
}
