import { FailureError, type ForkOptions, messageOf, type StoredSession } from "@gong/spec"
import { lastIndexWhere, type Segment, textOfEntry, treeOf, type Tape } from "@gong/tape"
import { openToRead, findSession } from "@gong/app/compose/tapes/tape"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import { fitted } from "@gong/texts/table"
import type { Answer, Asked } from "./answer.ts"
import type { Translate } from "@gong/texts/translator"

/** `gong sessions tree ID`: where its branches part; "*" is the active one. */
export async function sessionTree(t: Translate, { place }: Asked, wanted: string): Promise<Outcome<Answer>> {
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

/** A session that did a task for this one. */
async function taskLine(place: Asked["place"], task: StoredSession): Promise<string> {
  const tape = await openToRead(place, task)
  try {
    const at = lastIndexWhere(tape.branch, ({ type }) => type === "input")
    const words = at < 0 ? "" : textOfEntry(tape.branch.entry(at)).trim()
    return `  task ${shortId(task.id)}  ${fitted(words, textWidth)}`
  } finally {
    tape.close()
  }
}

const textWidth = 60

/** One line for each segment that does not part: its last step, how many it has, and what it begins with for people. */
function linesOf(t: Translate, tape: Tape, root: Segment): readonly string[] {
  const lines: string[] = []
  const waiting = [{ segment: root, depth: 0 }]
  for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
    const { segment, depth } = task
    const last = segment.steps.at(-1)
    const mark = last?.active === true ? "*" : " "
    const label = segment.steps.findLast((step) => step.label !== null)?.label
    const count = t`${segment.steps.length} step${segment.steps.length === 1 ? "" : "s"}`
    const said = [count, ...(label ? [`[${label}]`] : []), firstWords(tape, segment)].join("  ")
    lines.push(`${mark} ${"  ".repeat(Math.min(depth, maxIndent))}${last?.id ?? ""}  ${fitted(said, textWidth)}`)
    for (const next of segment.next.toReversed()) waiting.push({ segment: next, depth: depth + 1 })
  }
  return lines
}

/** Deeper ones stand in the same column: a screen is only so wide. */
const maxIndent = 20

function firstWords(tape: Tape, { steps }: Segment): string {
  for (const { id, type } of steps) {
    const entry = type === "input" || type === "message" ? tape.entry(id) : null
    const text = entry === null ? "" : textOfEntry(entry).trim()
    if (text !== "") return text
  }
  return ""
}

/** `gong sessions fork ID [STEP]`: a copy that goes on there; the session itself stays as it is. */
export async function forkSession(
  { place, cli }: Asked,
  wanted: string,
  step: string | undefined,
): Promise<Outcome<Answer>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const forked = await forkedTo(place, session.value, step === undefined ? {} : { entry: step })
  if (!forked.ok) return forked
  const { id, path } = forked.value
  const text = cli.t`Session ${shortId(id)} is a copy. Go on with it: gong --session ${shortId(id)}`
  return ok({ text: `${cli.style.line(text)}\n`, json: { id, path, from: session.value.id } })
}

/** A step that the session does not have is a slip of who typed it. */
async function forkedTo(
  { sessions }: Asked["place"],
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

/** `gong sessions verify ID`: every line and every artifact against its check sum. */
export async function verifySession({ place, cli }: Asked, wanted: string): Promise<Outcome<Answer>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const verified = await place.sessions.verify(session.value)
  const { files, problems, artifacts } = verified
  const valid = files.reduce((sum, file) => sum + file.valid, 0)
  const bad = [
    ...problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
    ...artifacts.damaged.map((name) => cli.t`artifact ${name} is damaged`),
    ...artifacts.missing.map(({ artifact, entry }) => cli.t`artifact ${artifact} is missing; step ${entry} names it`),
  ]
  const sum = cli.t`${valid} steps in ${files.length} phase${files.length === 1 ? "" : "s"}, ${artifacts.checked} artifacts: `
  const verdict = bad.length === 0 ? cli.t`all as they were written.` : cli.t`${bad.length} not as written.`
  const cut = bad.length > maxProblems ? [cli.t`... and ${bad.length - maxProblems} more`] : []
  const lines = [sum + verdict, ...bad.slice(0, maxProblems), ...cut].map((line) => cli.style.line(line))
  return ok({ text: `${lines.join("\n")}\n`, json: verified, exit: bad.length === 0 ? 0 : 1 })
}
