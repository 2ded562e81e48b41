import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { TestContext } from "node:test"
import { attack } from "@gong/testing/attacks"
import { pinnedCommand } from "@gong/extensions/hooks/pinned-command"

// The script of a hook's command is changed between check and run: by every route to a shell the copy runs.

const ways: Readonly<Record<string, string>> = {
  "its path": "tools/check.sh",
  "a shell": "sh -e tools/check.sh",
  "the shell itself": ". tools/check.sh",
  "an input": "sh < tools/check.sh",
  "a pipe": "cat tools/check.sh | sh",
  "the end of a pipe": "cat tools/check.sh | cat | bash -s x",
  "a substitution": 'bash -c "$(cat tools/check.sh)"',
  "a substitution by input": 'eval "$(< tools/check.sh)"',
  "back quotes": "eval `cat tools/check.sh`",
  "a process substitution": "bash <(cat tools/check.sh)",
  "a here-document": "cd tools && sh <<'END'\n./check.sh\nEND",
  "a here-document with tabs": "bash -s <<-END\n\t. tools/check.sh\n\tEND",
  "a here-document for a pipe": "cat <<END | sh\ntools/check.sh\nEND",
  "a here-string": "bash <<< 'sh tools/check.sh'",
  "words for a pipe": "echo 'sh tools/check.sh' | sh",
  "a command in a command": "env X=1 bash -c 'cat tools/check.sh | sh'",
  "behind a here-document": "cat <<END >/dev/null\nx\nEND\ntools/check.sh",
}

for (const [name, command] of Object.entries(ways))
  attack(`[SAFE-20] a hook's script that changed is run by ${name}`, (t, guard) => {
    const { root, kept } = place(t)
    const copyOf = (path: string) => (path === "tools/check.sh" ? kept : null)
    const run = guard === "off" ? command : pinnedCommand(command, { root, cwd: root, resolve, copyOf })
    const printed = execFileSync("/bin/bash", ["-c", run], { cwd: root, encoding: "utf8" })
    if (guard === "on") assert.equal(printed, "good\n", run)
    return { reached: printed === "evil\n", printed }
  })

/** A workspace whose script is another one by now, and the copy that was trusted. */
function place(t: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gong-pinned-attacks-")))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [root, kept] = [join(folder, "work"), join(folder, "it's kept.sh")]
  mkdirSync(join(root, "tools"), { recursive: true })
  writeFileSync(kept, "echo good\n", { mode: 0o755 })
  writeFileSync(join(root, "tools/check.sh"), "echo evil\n", { mode: 0o755 })
  return { root, kept }
}
