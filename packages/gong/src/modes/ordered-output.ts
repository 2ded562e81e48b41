import type { ProgressLine } from "./progress.ts"

/** Keeps output in order while the text of one line is still being rendered. */
export interface OrderedOutput {
  /** Runs the work after all earlier output; at once if there is none pending. */
  run(work: () => void): void
  /** All later output waits until the promise is settled. */
  wait(promise: Promise<unknown>): void
  write(line: NonNullable<ProgressLine>, to: (text: string) => void): void
  /** Resolves when no output is pending. */
  settled(): Promise<void>
}

export function orderedOutput(): OrderedOutput {
  let last: Promise<void> | null = null
  const append = (work: Promise<void>): void => {
    const own = work.then(() => {
      if (last === own) last = null
    })
    last = own
  }
  return {
    run(work) {
      if (last === null) work()
      else append(last.then(work))
    },
    wait(promise) {
      const before = last ?? Promise.resolve()
      append(before.then(() => promise).then(ignored, ignored))
    },
    write({ text, replacement }, to) {
      if (replacement === undefined) return this.run(() => to(text))
      const before = last ?? Promise.resolve()
      append(before.then(() => replacement).then((rendered) => to(rendered ?? text)))
    },
    async settled() {
      await last
    },
  }
}

function ignored(): void {}
