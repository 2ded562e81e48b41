import { FailureError, failure, phrase, type Phrase, sentence, type Text } from "@gong/spec"
import { codeOf } from "./disk/disk.ts"

/** An error of the disk as a failure of kind `storage`. */
export function storageError(doing: Text, thrown: unknown): FailureError {
  if (thrown instanceof FailureError) return thrown
  const code = codeOf(thrown)
  // Without an errno it is not an error of the disk: an internal error must not look like one.
  if (code === "") throw thrown
  const [why, hint] = reasons[code] ?? [code, undefined]
  return new FailureError(
    failure("storage", sentence(phrase`Cannot ${doing}: ${why}`), {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    }),
  )
}

export function storageFailure(message: Text): FailureError {
  return new FailureError(failure("storage", message))
}

const reasons: Readonly<Record<string, readonly [Phrase, Phrase?]>> = {
  ENOSPC: [phrase`the disk is full`, phrase`Free some space; what is waiting is written then.`],
  EFBIG: [phrase`a file may not grow further here (EFBIG)`],
  EDQUOT: [phrase`the disk quota is used up`, phrase`Free some space; what is waiting is written then.`],
  EIO: [phrase`the disk reports an error (EIO)`],
  EROFS: [phrase`the file system is read-only`],
  EACCES: [phrase`permission denied`],
  EPERM: [phrase`permission denied`],
  EMFILE: [phrase`too many open files`],
  EFTYPE: [phrase`one of its files is not a regular file (EFTYPE)`],
  ELOOP: [phrase`one of its files is a symbolic link (ELOOP)`],
  ENOENT: [phrase`its folder is gone`],
}
