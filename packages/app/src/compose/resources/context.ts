import { dirname, resolve } from "node:path"
import {
  type Declarations,
  type Hook,
  type Host,
  type HostAnswer,
  type HostFile,
  type Message,
  type NamedPath,
  pathsOf,
  phrase,
  type Text,
  withDefaultPath,
  type Diagnostic,
  diagnosticText,
} from "@gong/spec"
import { context, type Tape } from "@gong/tape"
import type { SessionSpec } from "@gong/config/session-spec"
import {
  type ContextFile,
  type ContextFileOptions,
  findNestedFiles,
  formatNote,
  isInside,
  isNoteOf,
} from "@gong/resources/prompt/context-files"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"

/** Where instructions are looked for; null where they are not wanted. */
export function contextSources(services: Services, spec: SessionSpec, config: Config): ContextFileOptions | null {
  if (spec.bare === true || !config.settings.values.contextFiles) return null
  const { folder, cwd } = config.workspace
  const hosts = { user: config.machine, repository: config.host }
  return { user: [config.home], userHome: services.userHome, workspace: folder, cwd, read: readerOf(hosts) }
}

/** What is wrong with files of instructions. */
export function contextDiagnostics(files: readonly ContextFile[]): readonly Diagnostic[] {
  const error = (path: string, text: Text): Diagnostic => ({ type: "error", path, line: null, text })
  return files.flatMap(({ path, cut, refused }) => [
    ...(cut ? [error(path, phrase`this file is long; only its first part is in the prompt. Shorten it.`)] : []),
    ...refused.map((name) =>
      error(path, phrase`this file imports ${name}, which is not a file for that; it is left out.`),
    ),
  ])
}

/**
 * Instructions of a folder that a session comes to later stand beside the result of the first call that goes there. They
 * are given again when the model has them no more in front of it, after a compaction say; a resumed session finds them on
 * its tape.
 */
export function nestedContext(places: ContextFileOptions, tape: Tape, declared: Declarations): Hook {
  const conversation = tape.follow(context)
  /** By path, how long the conversation was when it was given: calls that run side by side get it once. */
  const given = new Map<string, number>()
  return {
    name: "context files",
    async onToolResult(call, result) {
      const folders = foldersOf(places, pathsOf(withDefaultPath(declared(call.tool)), call.arguments))
      if (folders.length === 0) return undefined
      const found = (await Promise.all(folders.map((folder) => findNestedFiles(places, folder)))).flat()
      const { messages } = conversation.value
      const files = found.filter(
        ({ path }, at) =>
          found.findIndex((file) => file.path === path) === at &&
          given.get(path) !== messages.length &&
          !hasNote(messages, path),
      )
      if (files.length === 0) return undefined
      for (const file of files) given.set(file.path, messages.length)
      const tell = contextDiagnostics(files).map(diagnosticText)
      const content = [...result.content, { type: "text" as const, text: formatNote(files) }]
      return { ...result, content, ...(tell.length > 0 ? { tell: tell.join(" ") } : {}) }
    },
  }
}

/** In a file nothing needs to be looked for. */
function foldersOf({ cwd }: ContextFileOptions, paths: readonly NamedPath[]): readonly string[] {
  const folders = paths.map(({ path, holds }) => (holds === "file" ? dirname(resolve(cwd, path)) : resolve(cwd, path)))
  return [...new Set(folders)]
}

function hasNote(messages: readonly Message[], path: string): boolean {
  return messages.some(
    (message) =>
      message.role === "tool" && message.content.some((block) => block.type === "text" && isNoteOf(path, block.text)),
  )
}

/** Bytes of one file that are read at all: more than is ever shown of it. */
const maxBytes = 200_000

/** Follows no link out of `within`: what lies there is not the repository's to show. */
function readerOf(
  hosts: Readonly<Record<ContextFile["from"], Pick<Host, "look" | "readFiles">>>,
): ContextFileOptions["read"] {
  return async (paths, from, within) => {
    const looked = await hosts[from].look(paths)
    const there = paths.filter((_, at) => {
      const one = looked[at]
      return one?.ok === true && one.value.stat.kind === "file" && (within === null || isInside(within, one.value.real))
    })
    const read = await hosts[from].readFiles(there, { maxBytes })
    return new Map(there.flatMap((path, at) => textOf(path, read[at])))
  }
}

function textOf(path: string, read: HostAnswer<HostFile> | undefined): readonly (readonly [string, string])[] {
  if (read?.ok !== true) return []
  const text = new TextDecoder().decode(read.value.bytes)
  return text.includes("\0") ? [] : [[path, text]]
}
