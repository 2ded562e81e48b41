import { isInside } from "../../../posix-path.ts"
import { type AskGit } from "../git/ask-git.ts"
import { type Content, isProgram } from "./contents.ts"

/** Further branches, tags and reflog entries are ignored. */
const TIPS_MAX = 10_000

/** The commits of a root from before the first command of the session. */
export interface GitHistory {
  /** Must be called before commands run, because a later commit may be a command's own. */
  begin(root: string): Promise<unknown>
  /** Called before a fetch. The returned function adds the fetched commits. */
  fetching(root: string): Promise<() => Promise<void>>
  /** Whether any of these commits contains the file with this content. */
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
        // A symbolic reference may point to a local branch.
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

/** All branches, tags and reflog entries. */
async function tipsOf(ask: AskGit, root: string): Promise<readonly string[]> {
  const answer = await ask(root, ["rev-list", "--no-walk=unsorted", `--max-count=${TIPS_MAX}`, "--all", "--reflog"])
  return (answer ?? "").split("\n").filter(Boolean)
}

/** Raw diff lines. Reads nothing that a command could have written beside the commits, and starts no program. */
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

/** The blob ids of a content. With Windows line ends the commit may contain it with `\n`. */
async function blobIds(bytes: Uint8Array, kind: "sha1" | "sha256"): Promise<readonly string[]> {
  const { createHash } = await import("node:crypto")
  const text = Buffer.from(bytes).toString("latin1")
  const forms = [bytes, Buffer.from(text.replaceAll("\r\n", "\n"), "latin1")]
  return forms.map((form) => createHash(kind).update(`blob ${form.length}\0`).update(form).digest("hex"))
}
