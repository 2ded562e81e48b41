import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { noSandbox, sandboxPlace } from "./sandbox-fixture.ts"

// The temp folder is shared: files that another user created under names known to the sandbox have no effect.

const uid = process.getuid?.() ?? 0
const names = [`tmux-${uid}`, "node-compile-cache", `v8-compile-cache-${uid}`, `tsx-${uid}`, `jest_${uid.toString(36)}`]

const firsts: Readonly<Record<string, (path: string, repo: string) => readonly string[]>> = {
  "a file": (path) => ["touch", path],
  "a named pipe": (path) => ["mkfifo", path],
  "a link to the workspace": (path, repo) => ["ln", "-s", repo, path],
  "a link to its git folder": (path, repo) => ["ln", "-s", `${repo}/.git`, path],
  "a link to the root folder": (path) => ["ln", "-s", "/", path],
  "a link to nothing": (path) => ["ln", "-s", "/nowhere", path],
  "a link to itself": (path) => ["ln", "-s", path, path],
  "a folder that cannot be written to": (path) => ["mkdir", "-m", "500", path],
}

for (const when of ["before a session", "between two commands"])
  for (const [name, make] of Object.entries(firsts))
    test(
      `[SAFE-11] ${name} in the temp folder under a known name, created ${when}: commands run, and write to the workspace`,
      { skip: noSandbox },
      async (t) => {
        const here = sandboxPlace(t, (folders) => ({ roots: [folders.repo, folders.temp], uid }))
        execFileSync("git", ["init", "-q", here.repo])
        if (when !== "before a session") {
          assert.equal((await here.inside("true")).code, 0)
          for (const one of names) execFileSync("rm", ["-rf", join(here.temp, one)])
        }
        for (const one of names) {
          const [program = "", ...args] = make(join(here.temp, one), here.repo)
          execFileSync(program, args)
        }
        const ran = await here.inside("echo made > made; echo x > .git/description; touch .git/hooks/evil")
        assert.match(ran.out, /hooks\/evil.*Read-only/)
        assert.ok(existsSync(join(here.repo, "made")), "what a command writes is there")
        assert.equal(existsSync(join(here.repo, ".git/hooks/evil")), false)
      },
    )
