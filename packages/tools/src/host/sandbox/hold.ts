import type { Host } from "@gong/spec"

/** Folders that are there while commands run, and gone again afterwards when they were made for that and stayed empty. */
export interface HeldFolders {
  /** Gives what lets go of them. One that cannot be made here no command can make either. */
  hold(paths: readonly string[]): Promise<() => Promise<void>>
}

export function holdFolders(host: Host): HeldFolders {
  /** Those that we made, and how many commands need them. */
  const users = new Map<string, number>()
  const take = async (path: string): Promise<boolean> => {
    if (!users.has(path) && (await host.stat(path, { link: true })) !== null) return false
    // Counted after the look: commands that begin at once all look before one of them makes it.
    const count = users.get(path) ?? 0
    users.set(path, count + 1)
    if (count === 0) await host.mkdir(path).catch(() => undefined)
    return true
  }
  const release = async (path: string): Promise<void> => {
    const count = (users.get(path) ?? 1) - 1
    if (count > 0) return void users.set(path, count)
    users.delete(path)
    // Something was put in it meanwhile, from outside: then it stays.
    await host.remove(path).catch(() => undefined)
  }
  return {
    async hold(paths) {
      const taken: string[] = []
      for (const path of paths) if (await take(path)) taken.push(path)
      return async () => {
        for (const path of taken) await release(path)
      }
    },
  }
}
