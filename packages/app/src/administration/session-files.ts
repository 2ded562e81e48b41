import { readFile, stat } from "node:fs/promises"
import { type Entry, FailureError, phrase, messageOf } from "@gong/spec"
import { sessionName, type Tape, transcript } from "@gong/tape"
import { fromPi, type ImportResult, toMarkdown, toPi } from "@gong/tape/exchange"
import { answerFile } from "../compose/output/answer-file.ts"
import { openToRead, findSession, type TapeStorage } from "../compose/tapes/tape.ts"
import { prepareHome } from "@gong/config/home"
import { attempt, codeOf, must, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

/** What an export is written as, and where. */
export interface ExportOptions {
  readonly format?: "pi" | "markdown" | undefined
  readonly outFile?: string | undefined
}

/** `gong sessions export ID [--format pi|markdown] [-o FILE]`: the whole session, on stdout or in a file. */
export function exportSession(
  t: Translate,
  place: TapeStorage,
  options: ExportOptions,
  wanted: string,
): Promise<Outcome<string>> {
  return attempt(async () => {
    const session = must(await findSession(place, wanted))
    const save = must(answerFile(options.outFile))
    const markdown = (options.format ?? (options.outFile?.endsWith(".md") ? "markdown" : "pi")) === "markdown"
    const tape = await openToRead(place, session)
    try {
      const text = markdown ? markdownOf(tape) : [...toPi(tape.store.info, entriesOf(tape)), ""].join("\n")
      if (save === null) return text
      const error = await save(text)
      if (error !== null) must<null>({ ok: false, error })
      return t`Session ${shortId(session.id)} is in ${options.outFile}.\n`
    } finally {
      tape.close()
    }
  })
}

function markdownOf(tape: Tape): string {
  return toMarkdown(tape.store.info, tape.follow(sessionName).value, tape.follow(transcript).value)
}

function* entriesOf({ all }: Tape): Generator<Entry> {
  for (let at = 0; at < all.length; at++) yield all.entry(at)
}

/** A file of more bytes is not read: it is held in memory whole. */
const maxFile = 256 * 1024 * 1024

/** `gong sessions import FILE`: a session of Pi, or one that Gong exported, becomes a session here. */
export function importSession(t: Translate, place: TapeStorage, path: string): Promise<Outcome<string>> {
  return attempt(async () => {
    const text = must(await textOf(path))
    const imported = must(await guarded(path, async () => fromPi(text, place.ids, place.clock.now())))
    must(prepareHome(place.home))
    const { id } = must(await guarded(path, () => place.sessions.import(imported)))
    return report(t, imported, id)
  })
}

async function textOf(path: string): Promise<Outcome<string>> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return usage(phrase`${path} is no file.`)
    if (found.size > maxFile) return usage(phrase`${path} has ${found.size} bytes; at most ${maxFile} are imported.`)
    return { ok: true, value: await readFile(path, "utf8") }
  } catch (error) {
    return usage(phrase`${path} cannot be read (${codeOf(error)}).`)
  }
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return usage(phrase`${path} is not imported. ${messageOf(error.failure)}`)
  }
}

function report(t: Translate, { entries, problems, cwd }: ImportResult, id: string): string {
  const [first] = problems
  const left =
    first === undefined
      ? []
      : [t`${problems.length} line(s) were not as they should be; the first: line ${first.line}, ${first.reason}.`]
  const said = t`Session ${shortId(id)}: ${entries.length} steps, from ${cwd}.`
  return `${[said, ...left, t`Go on with it: gong --session ${shortId(id)}`].join("\n")}\n`
}
