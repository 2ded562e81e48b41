import { isInside } from "../../../posix-path.ts"
import { type AskGit } from "../git/ask-git.ts"
import { type Content, isProgram } from "./contents.ts"

/** More branches, tags and old states are not asked about. */
const TIPS_MAX = 10_000

/** What git has known of a root since before the first command of the session. */
export interface GitHistory {
  /** Must be called before commands run: later a commit may be one that a command has made. */
  begin(root: string): Promise<unknown>
  /** Begins a fetch; what is returned takes what it has brought for known. */
  fetching(root: string): Promise<() => Promise<void>>
  /** Whether a file with this content lay at this path in any commit that was there at the beginning. */
  has(root: string, path: string, content: Content): Promise<boolean>
}

export function createGitHistory(ask: AskGit): GitHistory {
  const tips = new Map<string, Promise<readonly string[]>>()
  const begin = (root: string) => {
    const found = tips.get(root) ?? tipsOf(ask, root)
    tips.set(root, found)
    return found
  }
  const remoteRefs = async (root: string) =>
    (await ask(root, ["for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/remotes"]))?.split("\n") ??
    []
  return {
    begin,
    async fetching(root) {
      const before = new Set(await remoteRefs(root))
      return async () => {
        // What stands for another reference may be a branch of here.
        const isFetched = (line: string) => line.endsWith(" ") && !before.has(line)
        const fresh = (await remoteRefs(root)).filter(isFetched)
        const commits = fresh.map((line) => line.split(" ")[0] ?? "")
        tips.set(root, Promise.resolve([...commits, ...(await begin(root))]))
      }
    },
    async has(root, path, content) {
      const from = await begin(root)
      if (content.bytes === null || from.length === 0 || !isInside(root, path)) return false
      const history = await ask(root, [...logOf, ...from, "--", `:(literal)${path.slice(root.length + 1)}`])
      const ids = await blobIds(content.bytes, from[0]?.length === 64 ? "sha256" : "sha1")
      return (history ?? "").split("\n").some((line) => isIn(line, ids, isProgram(content)))
    },
  }
}

/** Of all branches, tags and what their journals still name. */
async function tipsOf(ask: AskGit, root: string): Promise<readonly string[]> {
  const answer = await ask(root, ["rev-list", "--no-walk=unsorted", `--max-count=${TIPS_MAX}`, "--all", "--reflog"])
  return (answer ?? "").split("\n").filter(Boolean)
}

/** Raw lines of each change. Nothing is read that a command could have written beside the commits, and no program is started. */
const logOf = [
  "-c",
  "core.commitGraph=false",
  "-c",
  "log.showRoot=true",
  "log",
  "--no-show-signature",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--format=",
  "--raw",
  "--no-abbrev",
  "-m",
]

/** `:100644 100755 OLD NEW M\tpath` */
function isIn(line: string, ids: readonly string[], program: boolean): boolean {
  const [, oldMode = "", newMode = "", old = "", now = ""] = /^:(\d+) (\d+) (\w+) (\w+) /.exec(line) ?? []
  const mode = program ? "100755" : "100644"
  return (oldMode === mode && ids.includes(old)) || (newMode === mode && ids.includes(now))
}

/** As git names it; with the line breaks of Windows it may stand in a commit without them. */
async function blobIds(bytes: Uint8Array, kind: "sha1" | "sha256"): Promise<readonly string[]> {
  const { createHash } = await import("node:crypto")
  const text = Buffer.from(bytes).toString("latin1")
  const forms = [bytes, Buffer.from(text.replaceAll("\r\n", "\n"), "latin1")]
  return forms.map((form) => createHash(kind).update(`blob ${form.length}\0`).update(form).digest("hex"))
}
