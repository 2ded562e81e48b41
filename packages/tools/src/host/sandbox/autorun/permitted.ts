import { type Content, type Contents, isSame } from "./contents.ts"

/** Maximum remembered contents per path, and paths; the oldest are forgotten. */
const CONTENTS_MAX = 20
const PATHS_MAX = 2000

/** Contents written by other programs or by permitted commands. They may come back, for example from a stash. */
export interface Permitted {
  add(contents: Contents): void
  has(path: string, content: Content): boolean
}

export function createPermitted(): Permitted {
  const known = new Map<string, readonly Content[]>()
  const has = (path: string, content: Content) => (known.get(path) ?? []).some((one) => isSame(one, content))
  return {
    has,
    add(contents) {
      for (const [path, content] of contents)
        if (!has(path, content)) known.set(path, [content, ...(known.get(path) ?? [])].slice(0, CONTENTS_MAX))
      for (const path of known.keys()) if (known.size > PATHS_MAX) known.delete(path)
    },
  }
}

/** Contents that are new or different. */
export function newIn(now: Contents, before: Contents): Contents {
  return new Map(
    [...now].filter(([path, content]) => {
      const old = before.get(path)
      return old === undefined || !isSame(old, content)
    }),
  )
}
