import { readFile, stat } from "node:fs/promises"
import { type Entry, FailureError, phrase, messageOf } from "@gong/spec"
import { sessionName, type Tape, transcript } from "@gong/tape"
import { fromPi, type ImportResult, toMarkdown, toPi } from "@gong/tape/exchange"
import { answerFile } from "../compose/output/answer-file.ts"
import { openToRead } from "../compose/tapes/tape.ts"
import { findSession } from "../compose/tapes/find-session.ts"
import type { TapeStorage } from "../compose/tapes/storage.ts"
import { prepareHome } from "@gong/config/home"
import { attempt, codeOf, must, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Translate } from "@gong/texts/translator"

/** The format and file of an export. */
export interface ExportOptions {
  readonly format?: "pi" | "markdown" | undefined
  readonly outFile?: string | undefined
}

/** `gong sessions export ID [--format pi|markdown] [-o FILE]`: the whole session, on stdout or in a file. */
export function exportSession(
  t: Translate,
  storage: TapeStorage,
  options: ExportOptions,
  query: string,
): Promise<Outcome<string>> {
  return attempt(async () => {
    const session = must(await findSession(storage, query))
    const save = must(answerFile(options.outFile))
    const markdown = (options.format ?? (options.outFile?.endsWith(".md") ? "markdown" : "pi")) === "markdown"
    const tape = await openToRead(storage, session)
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

/** Bytes of an imported file, which is read into memory. */
const maxFile = 256 * 1024 * 1024

/** `gong sessions import FILE`: imports a session of Pi, or one exported by Gong. */
export function importSession(t: Translate, storage: TapeStorage, path: string): Promise<Outcome<string>> {
  return attempt(async () => {
    const text = must(await textOf(path))
    const imported = must(await guarded(path, async () => fromPi(text, storage.ids, storage.clock.now())))
    must(prepareHome(storage.home))
    const { id } = must(await guarded(path, () => storage.sessions.import(imported)))
    return report(t, imported, id)
  })
}

async function textOf(path: string): Promise<Outcome<string>> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return usage(phrase`${path} is not a file.`)
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
    return usage(phrase`${path} was not imported. ${messageOf(error.failure)}`)
  }
}

function report(t: Translate, { entries, problems, cwd }: ImportResult, id: string): string {
  const [first] = problems
  const invalid =
    first === undefined
      ? []
      : [t`${problems.length} line(s) were invalid; the first: line ${first.line}, ${first.reason}.`]
  const summary = t`Session ${shortId(id)}: ${entries.length} steps, from ${cwd}.`
  return `${[summary, ...invalid, t`Continue it: gong --session ${shortId(id)}`].join("\n")}\n`
}
