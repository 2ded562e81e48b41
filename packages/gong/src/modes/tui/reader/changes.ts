import type { SessionController } from "@gong/app/controller/api"
import type { DiffData } from "@gong/app/controller/data"
import type { UserDialogs } from "@gong/app/slash/result"
import type { Block, Line } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"
import type { Translate } from "@gong/texts/translator"
import type { Readings } from "./readings.ts"
import type { Passage } from "./reader.ts"

export interface ChangesOptions {
  readonly t: Translate
  readonly controller: SessionController
  readonly dialogs: UserDialogs
  readonly readings: Readings
  print(text: string): void
}

const UNDO = "u"

type FileDiff = DiffData["files"][number]

/** Lists the changed files; shows the diff of the selected one, and undoes its changes after a confirmation. */
export async function showChanges(options: ChangesOptions): Promise<void> {
  const { t, controller, dialogs } = options
  for (let isFirst = true; ; isFirst = false) {
    const diff = await controller.call("get_diff", {})
    const files = diff.ok ? diff.data.files : []
    if (files.length === 0) return
    const rows = files.map((file) => rowOf(file, controller.current.info.cwd))
    const isOnly = isFirst && files.length === 1
    const at = isOnly ? 0 : await dialogs.choose(t`Changed files`, rows)
    const file = at === null ? undefined : files[at]
    if (file === undefined) return
    const isUndone = await showFile(options, file)
    if (isOnly && !isUndone) return
  }
}

/** Returns whether its changes were undone. */
async function showFile({ t, controller, dialogs, readings, print }: ChangesOptions, file: FileDiff): Promise<boolean> {
  const path = shortPath(file.path, controller.current.info.cwd)
  const reading = readings.open({
    title: path,
    keys: [{ key: UNDO, about: t`u undoes these changes` }],
    opensAt: "start",
  })
  reading.add(hunksOf(file))
  if ((await reading.ended) !== UNDO) return false
  if (!(await dialogs.confirm(t`Undo the changes of ${path}?`))) return false
  const undone = await controller.typed(`/undo ${file.path}`, dialogs)
  if (undone.kind === "output") undone.lines.forEach(print)
  return true
}

/** `src/a.ts  +3 -1`. */
function rowOf(file: FileDiff, cwd: string): string {
  const count = (sign: string) => bodyOf(file).filter((line) => line.startsWith(sign)).length
  return `${shortPath(file.path, cwd)}  +${count("+")} -${count("-")}`
}

function shortPath(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

/** Without the two lines that name the file. */
function bodyOf({ lines }: FileDiff): readonly string[] {
  return lines[0]?.startsWith("--- ") === true ? lines.slice(2) : lines
}

/** Each hunk is a passage. */
function hunksOf(file: FileDiff): readonly Passage[] {
  const hunks: string[][] = [[]]
  for (const line of bodyOf(file))
    if (line.startsWith("@@") && hunks[0]?.length !== 0) hunks.push([line])
    else hunks.at(-1)?.push(line)
  return hunks.map((hunk) => {
    const blocks = withWordMarks(hunk.map(lineOf)).map((line): Block => ({ line, whole: true }))
    return { isMessage: true, blocks }
  })
}

function lineOf(text: string): Line {
  const role = { "+": "added", "-": "removed", "@": "muted" }[text[0] ?? ""]
  return [{ text, ...(role !== undefined && { role }) }]
}
