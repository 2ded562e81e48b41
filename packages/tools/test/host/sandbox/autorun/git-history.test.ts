import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import { createGitHistory } from "../../../../src/host/sandbox/autorun/git-history.ts"

const blob = (text: string, kind = "sha1") => createHash(kind).update(`blob ${text.length}\0${text}`).digest("hex")
const content = (text: string | null, mode = 0o644) => ({
  bytes: text === null ? null : Buffer.from(text),
  mode,
  links: 1,
})
const tip = "a".repeat(40)

/** A history whose log has these lines. */
function history(lines: readonly string[], tips: readonly string[] = [tip]) {
  const asked: (readonly string[])[] = []
  const known = createGitHistory(async (_, args) => {
    asked.push(args)
    return args[0] === "rev-list" ? `${tips.join("\n")}\n` : `${lines.join("\n")}\n`
  })
  return { known, asked, has: (path: string, one: ReturnType<typeof content>) => known.has("/w", path, one) }
}

test("a file is known if a commit has or had its content with the same right to run it", async () => {
  const none = "0".repeat(40)
  const [old, now] = [blob("old"), blob("now")]
  const { has, asked } = history([
    `:100644 100755 ${old} ${now} M\t.envrc`,
    `:000000 100644 ${none} ${blob("a\n")} A\tx`,
  ])
  assert.equal(await has("/w/.envrc", content("old")), true)
  assert.equal(await has("/w/.envrc", content("old", 0o755)), false)
  assert.equal(await has("/w/.envrc", content("now", 0o700)), true)
  assert.equal(await has("/w/.envrc", content("now")), false)
  assert.equal(await has("/w/.envrc", content("other")), false)
  assert.equal(await has("/w/.envrc", content("a\r\n")), true, "Windows line ends")
  assert.equal(asked.filter(([verb]) => verb === "rev-list").length, 1)
  assert.deepEqual(asked[0], ["rev-list", "--no-walk=unsorted", "--max-count=10000", "--all", "--reflog"])
  assert.equal(
    asked[1]?.join(" "),
    `-c core.commitGraph=false -c log.showRoot=true log --no-show-signature --no-ext-diff --no-textconv --no-renames --format= --raw --no-abbrev -m ${tip} -- :(literal).envrc`,
  )
})

test("without content or commits, or outside of the root, nothing is known", async () => {
  const line = `:100644 100644 ${blob("a")} ${blob("a")} M\tx`
  assert.equal(await history([line]).has("/w/x", content("a")), true)
  assert.equal(await history([line]).has("/w/x", content(null)), false)
  assert.equal(await history([line], []).has("/w/x", content("a")), false)
  assert.equal(await history([line]).has("/wx/x", content("a")), false)
  assert.equal(await history([`x${line}`]).has("/w/x", content("a")), false)
  const failing = createGitHistory(async () => null)
  assert.deepEqual([await failing.begin("/w"), await failing.has("/w", "/w/x", content("a"))], [[], false])
})

test("ids of a SHA-256 repository are longer", async () => {
  const id = blob("a", "sha256")
  const { has } = history([`:100644 100644 ${id} ${id} M\tx`], ["b".repeat(64)])
  assert.equal(await has("/w/x", content("a")), true)
})

test("fetched commits are those of new remote references; a symbolic reference is none", async () => {
  const refs = ["1 refs/remotes/o/main ", "2 refs/remotes/o/HEAD refs/remotes/o/main"]
  const logs: string[] = []
  const known = createGitHistory(async (_, args) => {
    if (args[0] === "rev-list") return `${tip}\n`
    if (args[0] === "for-each-ref") return refs.map((line) => `${line}\n`).join("")
    logs.push(args.slice(args.indexOf("-m") + 1).join(" "))
    return ""
  })
  await known.begin("/w")
  const learn = await known.fetching("/w")
  refs.push("3 refs/remotes/o/new ", "4 refs/remotes/o/link refs/heads/main")
  await known.has("/w", "/w/x", content("a"))
  await learn()
  await known.has("/w", "/w/x", content("a"))
  assert.deepEqual(logs, [`${tip} -- :(literal)x`, `3 ${tip} -- :(literal)x`])
})
