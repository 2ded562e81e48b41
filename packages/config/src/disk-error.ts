import { errorCode, FailureError } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** Why the system refused a file, and the remedy. */
const reasons: Readonly<Record<string, readonly [why: string, advice: string]>> = {
  EACCES: ["permission denied", "Change its owner (chown), or move it away."],
  EPERM: ["permission denied", "Change its owner (chown), or move it away."],
  ENOSPC: ["the disk is full", "Free some space there."],
  EFBIG: ["the file size limit is reached", "Raise the file size limit (ulimit -f)."],
  EDQUOT: ["the disk quota is used up", "Free some space there."],
  EROFS: ["the file system is read-only", "Set GONG_HOME to a writable folder."],
  EIO: ["the disk reports an error", "Check the system log, and back up your data."],
  EMFILE: ["too many open files", "Raise the limit (ulimit -n) or close other programs."],
  ENFILE: ["too many open files", "Raise the limit (ulimit -n) or close other programs."],
  ENOTDIR: ["a part of this path is not a folder", "Move that file away."],
  ELOOP: ["its symbolic links form a loop", "Remove one of them."],
}

/**
 * One complete line for a file error: the file, the reason, the remedy. Null for any other error, which is an internal error and
 * shown as one.
 */
export function diskErrorLine(t: Translate, error: unknown): string | null {
  if (error instanceof FailureError) return ofStorage(t, error)
  const { path, syscall } = (error ?? {}) as { path?: unknown; syscall?: unknown }
  const code = errorCode(error)
  const [why, advice] = reasonOf(code) ?? []
  // Programs that cannot be started, and sockets, have a path as well.
  if (why === undefined || advice === undefined || typeof path !== "string" || !isOfFile(syscall)) return null
  return t`gong: ${path}: ${t(why)} (${String(code)}). ${t(advice)}`
}

function ofStorage(t: Translate, { failure }: FailureError): string | null {
  if (failure.kind !== "storage") return null
  const [, advice] = reasonOf(errorCode(failure.cause)) ?? []
  return [`gong: ${t(failure)}`, ...(advice === undefined ? [] : [t(advice)])].join(" ")
}

function reasonOf(code: string | null): readonly [string, string] | undefined {
  return code !== null && Object.hasOwn(reasons, code) ? reasons[code] : undefined
}

function isOfFile(syscall: unknown): boolean {
  return typeof syscall !== "string" || !/^(?:spawn|connect|listen|bind)/.test(syscall)
}
