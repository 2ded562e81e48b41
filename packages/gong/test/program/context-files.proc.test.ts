import assert from "node:assert/strict"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openStage, type Stage } from "./harness.ts"

const sent = (stage: Stage, at: number): string => JSON.stringify(stage.server.requests[at]?.body)
const count = (text: string, part: string): number => text.split(part).length - 1
const reads = (...paths: readonly string[]) => ({ calls: paths.map((path) => ({ name: "read", args: { path } })) })

test("[PROMPT-6] in a monorepo: context files of home, parents, override and imports at the start; a nested one once on first access, also after a resume", async (t) => {
  const stage = await openStage(t)
  stage.write({
    [join(stage.gongHome, "AGENTS.md")]: "HOME-WORDS",
    "AGENTS.md": "TOP-WORDS, see @docs/style.md and `@docs/no.md`.",
    "docs/style.md": "STYLE-WORDS",
    "docs/no.md": "NO-WORDS",
    "web/AGENTS.md": "WEB-SHARED",
    "web/AGENTS.override.md": "WEB-MINE",
    "api/AGENTS.md": "API-WORDS",
    "api/db/a.sql": "select 1",
    "api/db/b.sql": "select 2",
    "api/db/CLAUDE.md": "DB-WORDS",
  })
  stage.server.begin([reads("../api/db/a.sql", "../api/db/b.sql"), reads("../api/db/b.sql"), { text: "ok" }])
  const run = await stage.gong(["-pq", "go"], { cwd: join(stage.repo, "web") })
  assert.deepEqual([run.status, run.err], [0, ""])
  const first = sent(stage, 0)
  for (const words of ["HOME-WORDS", "TOP-WORDS", "STYLE-WORDS", "WEB-MINE"])
    assert.equal(count(first, words), 1, words)
  for (const words of ["NO-WORDS", "WEB-SHARED", "API-WORDS", "DB-WORDS"]) assert.equal(count(first, words), 0, words)
  for (const at of [1, 2])
    for (const words of ["API-WORDS", "DB-WORDS"]) assert.equal(count(sent(stage, at), words), 1, `${words} in ${at}`)
  assert.match(
    sent(stage, 1),
    /select 1.*instructions for this part of the repository.*from=\S+repository\S+>\\nAPI-WORDS/,
  )

  stage.server.begin([reads("../api/db/a.sql"), { text: "ok" }])
  const again = await stage.gong(["-pq", "-c", "go on"], { cwd: join(stage.repo, "web") })
  assert.equal(again.status, 0)
  assert.equal(count(sent(stage, 1), "API-WORDS"), 1, "it is on the tape")

  stage.server.begin([reads("api/db/a.sql"), { text: "ok" }])
  await stage.gong(["-pq", "--no-context", "go"])
  assert.doesNotMatch(sent(stage, 0) + sent(stage, 1), /(TOP|API|DB|HOME)-WORDS/)
})

test("instructions of a repository: links and imports out of it, and long files, are skipped and reported", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const key = join(stage.home, ".ssh/id_rsa")
  mkdirSync(join(stage.repo, "sub"))
  stage.write({
    [key]: "PRIVATE-KEY",
    ".env": "TOKEN=PRIVATE-TOKEN",
    "AGENTS.md": `@${key} @~/.ssh/id_rsa @.env @linked.md ${"word ".repeat(8000)}`,
  })
  symlinkSync(key, join(stage.repo, "linked.md"))
  symlinkSync(key, join(stage.repo, "sub/AGENTS.md"))
  const run = await stage.gong(["-pq", "go"], { cwd: join(stage.repo, "sub") })
  const path = join(stage.repo, "AGENTS.md")
  const left = (name: string) =>
    `gong: ${path}: this file imports ${name}, which is not a file for that; it is left out.\n`
  assert.equal(
    run.err,
    `gong: ${path}: this file is long; only its first part is in the prompt. Shorten it.\n${left(key)}${left("~/.ssh/id_rsa")}${left(".env")}`,
  )
  assert.doesNotMatch(sent(stage, 0), /PRIVATE/)
  assert.match(sent(stage, 0), /cut here: the file is longer/)
})
