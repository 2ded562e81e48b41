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
import {
  type ContextFile,
  type ContextFileOptions,
  findNestedFiles,
  formatNote,
  isInside,
  isNoteOf,
} from "@gong/resources/prompt/context-files"
import type { SessionContext } from "../config.ts"

/** The folders of context files; null if they are turned off. */
export function contextFileOptions({ services, spec, config }: SessionContext): ContextFileOptions | null {
  if (spec.bare === true || !config.settings.values.contextFiles) return null
  const { folder, cwd } = config.workspace
  const hosts = { user: config.machine, repository: config.host }
  return { user: [config.home], userHome: services.userHome, workspace: folder, cwd, read: readerOf(hosts) }
}

/** Problems of context files. */
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
 * Adds the context files of a nested folder to the result of the first call in that folder. They are added again when they are no
 * longer in the conversation, for example after a compaction; a resumed session finds them on its tape.
 */
export function nestedContext(sources: ContextFileOptions, tape: Tape, declared: Declarations): Hook {
  const conversation = tape.follow(context)
  /** Length of the conversation when a file was added, by path: parallel calls add it only once. */
  const added = new Map<string, number>()
  return {
    name: "context files",
    async onToolResult(call, result) {
      const folders = foldersOf(sources, pathsOf(withDefaultPath(declared(call.tool)), call.arguments))
      if (folders.length === 0) return undefined
      const found = (await Promise.all(folders.map((folder) => findNestedFiles(sources, folder)))).flat()
      const { messages } = conversation.value
      const files = found.filter(
        ({ path }, at) =>
          found.findIndex((file) => file.path === path) === at &&
          added.get(path) !== messages.length &&
          !hasNote(messages, path),
      )
      if (files.length === 0) return undefined
      for (const file of files) added.set(file.path, messages.length)
      const tell = contextDiagnostics(files).map(diagnosticText)
      const content = [...result.content, { type: "text" as const, text: formatNote(files) }]
      return { ...result, content, ...(tell.length > 0 ? { tell: tell.join(" ") } : {}) }
    },
  }
}

/** The folder of each path; for a file, the folder that contains it. */
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

/** Bytes that are read of one file, more than the prompt contains of it. */
const maxBytes = 200_000

/** Follows no link out of `within`, so that a repository cannot include other files of the user. */
function readerOf(
  hosts: Readonly<Record<ContextFile["from"], Pick<Host, "look" | "readFiles">>>,
): ContextFileOptions["read"] {
  return async (paths, from, within) => {
    const found = await hosts[from].look(paths)
    const files = paths.filter((_, at) => {
      const one = found[at]
      return one?.ok === true && one.value.stat.kind === "file" && (within === null || isInside(within, one.value.real))
    })
    const read = await hosts[from].readFiles(files, { maxBytes })
    return new Map(files.flatMap((path, at) => textOf(path, read[at])))
  }
}

function textOf(path: string, read: HostAnswer<HostFile> | undefined): readonly (readonly [string, string])[] {
  if (read?.ok !== true) return []
  const text = new TextDecoder().decode(read.value.bytes)
  return text.includes("\0") ? [] : [[path, text]]
}
