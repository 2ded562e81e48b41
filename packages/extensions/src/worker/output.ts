import { syncBuiltinESMExports } from "node:module"
import { StringDecoder } from "node:string_decoder"

/** Maximum characters of printed output, per extension and in total; the rest is only counted. */
const maxPrinted = 4_000

/**
 * Redirects output of extensions to `printed`, because the program's own streams carry an answer or a protocol. `of`
 * identifies the extension.
 */
export function captureOutput(
  of: () => number | null,
  printed: (extension: number | null, text: string) => void,
): void {
  const amounts = new Map<number | null, number>()
  const say = (text: string): void => {
    const extension = of()
    const before = amounts.get(extension) ?? 0
    amounts.set(extension, before + text.length)
    if (before >= maxPrinted) return
    printed(extension, text.slice(0, maxPrinted - before))
    if (before + text.length > maxPrinted) printed(extension, "\n[more is left out]\n")
  }
  for (const stream of [process.stdout, process.stderr]) {
    const decoder = new StringDecoder("utf8")
    stream.write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
      say(typeof chunk === "string" ? chunk : decoder.write(chunk as Buffer))
      const callback = typeof encoding === "function" ? encoding : done
      if (typeof callback === "function") queueMicrotask(() => callback(null))
      return true
    }
  }
  captureDescriptors(say)
}

/** Writes to descriptors 1 and 2 would bypass the streams. */
function captureDescriptors(say: (text: string) => void): void {
  const fs = process.getBuiltinModule("node:fs")
  const { writeSync, write } = fs
  const isOut = (fd: unknown): boolean => fd === 1 || fd === 2
  const textOf = (data: unknown): string =>
    typeof data === "string" ? data : Buffer.from(data as Uint8Array).toString()
  const sizeOf = (data: unknown): number =>
    typeof data === "string" ? Buffer.byteLength(data) : (data as Uint8Array).byteLength
  Object.assign(fs, {
    writeSync(...args: unknown[]) {
      if (!isOut(args[0])) return Reflect.apply(writeSync, fs, args)
      say(textOf(args[1]))
      return sizeOf(args[1])
    },
    write(...args: unknown[]) {
      if (!isOut(args[0])) return Reflect.apply(write, fs, args)
      say(textOf(args[1]))
      const done = args.at(-1)
      if (typeof done === "function") queueMicrotask(() => done(null, sizeOf(args[1]), args[1]))
    },
  })
  syncBuiltinESMExports()
}
