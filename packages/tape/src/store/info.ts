import { type Clock, hostOf, localHost, parseJson, type TapeInfo, phrase } from "@gong/spec"
import { type Disk, readWhole, writeAtomically } from "./disk/disk.ts"
import { tapeFile } from "./layout.ts"
import { storageFailure } from "./storage.ts"

/** Reads `tape.json`. Throws FailureError (`storage`) when the folder is not a tape. */
export function readInfo(disk: Disk, path: string): TapeInfo {
  const info = infoOf(disk, path)
  if (info !== null) return info
  const isThere = disk.stat(tapeFile(path)) !== null
  throw storageFailure(
    isThere ? phrase`${tapeFile(path)} is not the file of a session.` : phrase`No session at ${path}.`,
  )
}

/** The most bytes of `tape.json`, which contains two paths and some names. */
const maxInfo = 256 * 1024

/** The content of `tape.json`, or null when the folder is not a tape. Newer formats keep these fields. */
export function infoOf(disk: Disk, path: string): TapeInfo | null {
  if ((disk.stat(tapeFile(path))?.size ?? 0) > maxInfo) return null
  const bytes = readWhole(disk, tapeFile(path))
  if (bytes === null) return null
  const info = parseJson(Buffer.from(bytes).toString()) as Partial<TapeInfo> | null | undefined
  const isInfo = typeof info?.format === "number" && typeof info.id === "string" && typeof info.cwd === "string"
  return isInfo && hasTexts(info) ? (info as TapeInfo) : null
}

/** Whether optional fields, which another program may leave out, are text. */
function hasTexts({ host, workspace, created, from, parent }: Partial<TapeInfo>): boolean {
  const texts = [host, workspace, created, from?.id, from?.entry, parent?.id, parent?.call]
  return texts.every((value) => value === undefined || typeof value === "string")
}

export interface InfoOptions {
  /** Default: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** The source of a fork: tape and entry. */
  readonly from?: NonNullable<TapeInfo["from"]>
  /** The parent of a task: tape and call. */
  readonly parent?: NonNullable<TapeInfo["parent"]>
  /** ISO 8601; default: now. */
  readonly created?: string
}

export function newInfo({ clock }: { readonly clock: Clock }, id: string, options: InfoOptions): TapeInfo {
  const { cwd, workspace, from, parent, created = new Date(clock.now()).toISOString() } = options
  const host = hostOf(options)
  const elsewhere = host === localHost ? {} : { host }
  return { format: 1, id, ...elsewhere, cwd, workspace, created, ...(from && { from }), ...(parent && { parent }) }
}

export function writeInfo(disk: Disk, tape: string, info: TapeInfo, options: { readonly sync: boolean }): void {
  writeAtomically(disk, tapeFile(tape), new TextEncoder().encode(`${JSON.stringify(info)}\n`), options)
}

export function isId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)
}

/** Ids are names of folders. Throws FailureError (`storage`) for an invalid one. */
export function mustBeId(id: string): void {
  if (isId(id)) return
  throw storageFailure(phrase`"${id}" cannot be a session id: letters, digits, ".", "_" and "-", at most 64.`)
}
