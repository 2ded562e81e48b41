import type { Host } from "@gong/spec"

/** Folders that are there while commands run, and gone again afterwards when they were made for that and stayed empty. */
export interface HeldFolders {
  /** One that cannot be made here no command can make either. */
  hold(paths: readonly string[]): Promise<Held>
  /** Takes away now what no command needs. */
  clear(): Promise<void>
}

export interface Held {
  letGo(): Promise<void>
  /** The same a moment later, or at `clear`. */
  letGoSoon(): void
}

/** The next command may need them again; and while the system takes the last one's sandbox down, removing is slow. */
const SOON_MS = 20

export function holdFolders(host: Host): HeldFolders {
  /** Those that we made, and how many commands need them. */
  const users = new Map<string, number>()
  let soon: NodeJS.Timeout | undefined
  const take = async (path: string): Promise<boolean> => {
    if (!users.has(path) && (await host.stat(path, { link: true })) !== null) return false
    const count = users.get(path) ?? 0
    users.set(path, count + 1)
    // Also where it was there a moment ago, needed by nobody: somebody may have removed it.
    if (count === 0) await host.mkdir(path).catch(() => undefined)
    return true
  }
  const release = (paths: readonly string[]) => {
    for (const path of paths) users.set(path, (users.get(path) ?? 1) - 1)
  }
  const clear = async () => {
    clearTimeout(soon)
    soon = undefined
    for (const [path, count] of users) {
      if (count > 0) continue
      users.delete(path)
      // Something was put in it meanwhile, from outside: then it stays.
      await host.remove(path).catch(() => undefined)
    }
  }
  return {
    async hold(paths) {
      const taken: string[] = []
      for (const path of paths) if (await take(path)) taken.push(path)
      return {
        async letGo() {
          release(taken)
          await clear()
        },
        letGoSoon() {
          release(taken)
          if (taken.length > 0) soon ??= setTimeout(() => void clear(), SOON_MS).unref()
        },
      }
    },
    clear,
  }
}
