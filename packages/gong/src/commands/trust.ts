import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { nothingTrusted } from "@gong/app/compose/permissions/trust"
import type { Options } from "../command-line/flags.ts"
import { homeFolder } from "@gong/config/home"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { printableLine } from "@gong/texts/printable"
import { readTrust } from "@gong/config/trust/store"
import type { Cli } from "../cli.ts"
import {
  removeDecision,
  storeDecision,
  type FolderTrust,
  folderTrust,
} from "@gong/app/administration/trust/folder-trust"
import { shownTrustFiles, trustFileLines } from "@gong/app/administration/trust/show"
import { trustSummary } from "@gong/app/administration/trust/texts"
import type { Translate } from "@gong/texts/translator"

/** `gong trust`, with `list`, `yes`, `no` or `forget [FOLDER]`: stored decisions about active content of folders. */
export function trust(cli: Cli, options: Options, [verb, folder]: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    switch (verb) {
      case "list":
        return must(list(cli, options))
      case "forget":
        return forgetFolder(cli, options, folder)
      case "yes":
      case "no": {
        must(await storeDecision(cli.t, must(await folderTrust(cli, options)), verb))
        return trustText(cli.t, must(await folderTrust(cli, options)), options)
      }
      default:
        return checkedText(cli, must(await folderTrust(cli, options)), options)
    }
  })
}

/** Reports an unreadable trust.json beside the current state. */
function checkedText(cli: Cli, place: FolderTrust, options: Options): Promise<string> {
  if (place.problem !== null) cli.err(`${nothingTrusted(cli.t, place.problem)}\n`)
  return trustText(cli.t, place, options)
}

async function trustText(t: Translate, place: FolderTrust, options: Options): Promise<string> {
  const { content, state } = place
  if (options.json === true) return `${JSON.stringify(await dataOf(t, place))}\n`
  const isLoaded = state === "trusted" || state === "nothing"
  const files = isLoaded
    ? [...content.files.keys()].map((path) => `  ${printableLine(path)}`)
    : trustFileLines(t, content.tooLarge ? [] : await shownTrustFiles(t, place))
  return `${[trustSummary(t, place), ...files, ...nextSteps(t, place)].join("\n")}\n`
}

function nextSteps(t: Translate, { state, content }: FolderTrust): readonly string[] {
  if (content.tooLarge || state === "nothing") return []
  if (state === "trusted") return [t`gong trust no revokes it; gong trust forget asks again.`]
  return [
    t`gong trust yes trusts the current files; gong trust no refuses without asking again; --trust yes is for one run.`,
  ]
}

async function dataOf(t: Translate, place: FolderTrust) {
  const { content, state, decided } = place
  const isLoaded = state === "trusted" || state === "nothing" || content.tooLarge
  const changed = new Map((isLoaded ? [] : await shownTrustFiles(t, place)).map((file) => [file.path, file]))
  const paths = [...new Set([...content.files.keys(), ...changed.keys()])].toSorted()
  const files = paths.map((path) => {
    const file = changed.get(path)
    return {
      path,
      now: content.files.get(path) ?? null,
      trusted: decided?.trusted === true && Object.hasOwn(decided.files, path) ? decided.files[path] : null,
      ...(file === undefined ? {} : { diff: file.lines }),
    }
  })
  return { root: content.root, state: content.tooLarge ? "too-large" : state, summary: content.summary, files }
}

function list(cli: Cli, options: Options): Outcome<string> {
  const home = homeFolder(cli.env, cli.userHome, cli.cwd)
  const { store, problem } = readTrust(cli.t, home)
  if (problem !== null) return usage(problem)
  const rows = [...store]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([root, { trusted, files }]) => ({
      root,
      trusted,
      files: Object.keys(files).length,
      there: existsSync(root),
    }))
  if (options.json === true) return ok(`${JSON.stringify({ folders: rows })}\n`)
  if (rows.length === 0) return ok(cli.t`No decisions are stored.\n`)
  const text = ({ root, trusted, files, there }: (typeof rows)[number]): string => {
    const count = files === 1 ? cli.t`1 file` : cli.t`${files} files`
    const answer = (trusted ? cli.t`yes` : cli.t`no`).padEnd(3)
    return `${answer}  ${printableLine(root)}  ${trusted ? count : ""}${there ? "" : cli.t` (deleted)`}`.trimEnd()
  }
  return ok(`${rows.map(text).join("\n")}\n`)
}

async function forgetFolder(cli: Cli, options: Options, folder: string | undefined): Promise<string> {
  const home = homeFolder(cli.env, cli.userHome, cli.cwd)
  const root = folder === undefined ? must(await folderTrust(cli, options)).content.root : namedFolder(cli, folder)
  const done = must(removeDecision(cli.t, home, root))
  return done ? cli.t`The decision about ${root} is removed.\n` : cli.t`No decision about ${root} is stored.\n`
}

/** A deleted folder is found by its path. */
function namedFolder(cli: Cli, folder: string): string {
  const path = resolve(cli.cwd, folder)
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
