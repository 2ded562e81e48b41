import type { ProgressLine } from "./progress.ts"

/** What is said one after the other, also where the words of one are still being made. */
export interface Order {
  /** At once where nothing is waited for. */
  next(work: () => void): void
  say(line: NonNullable<ProgressLine>, to: (text: string) => void): void
  /** Resolves when all has been said. */
  settled(): Promise<void>
}

export function inOrder(): Order {
  let last: Promise<void> | null = null
  const wait = (work: Promise<void>): void => {
    const mine = work.then(() => {
      if (last === mine) last = null
    })
    last = mine
  }
  return {
    next(work) {
      if (last === null) work()
      else wait(last.then(work))
    },
    say({ text, instead }, to) {
      if (instead === undefined) return this.next(() => to(text))
      const before = last ?? Promise.resolve()
      wait(before.then(() => instead).then((made) => to(made ?? text)))
    },
    async settled() {
      await last
    },
  }
}
