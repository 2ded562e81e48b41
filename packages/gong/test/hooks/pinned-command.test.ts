import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { test } from "node:test"
import { pinnedCommand } from "../../src/hooks/pinned-command.ts"

const trusted = ["a.sh", "b.py", "tools/c.js", ".claude/hooks/d.sh", "odd 'name'.sh", "eslint.config.js"]
const pin = (command: string, cwd = "/work") =>
  pinnedCommand(command, {
    root: "/work",
    cwd,
    resolve,
    copyOf: (path) => (trusted.includes(path) ? `/kept/${path}` : null),
  })

test("the script that a command runs is its copy, however its path is written", () => {
  for (const [command, expected] of [
    ["./a.sh x", "'/kept/a.sh' x"],
    ["/work/a.sh", "'/kept/a.sh'"],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/d.sh "$x"', `'/kept/.claude/hooks/d.sh' "$x"`],
    ['"${GONG_PROJECT_DIR}/.claude/hooks/d.sh"', "'/kept/.claude/hooks/d.sh'"],
    [".claude/../.claude/hooks/d.sh", "'/kept/.claude/hooks/d.sh'"],
    [".claude/'hooks'/d\\.sh", "'/kept/.claude/hooks/d.sh'"],
    ["'./odd '\\''name'\\''.sh'", "'/kept/odd '\\''name'\\''.sh'"],
    ["python3 -u b.py --fast", "python3 -u '/kept/b.py' --fast"],
    ["node --require ./tools/c.js ./tools/c.js", "node --require '/kept/tools/c.js' '/kept/tools/c.js'"],
    ["sh a.sh b.py", "sh '/kept/a.sh' b.py"],
    ["[ -x ./a.sh ] && ./a.sh || . a.sh", "[ -x ./a.sh ] && '/kept/a.sh' || . '/kept/a.sh'"],
    ["A=1 env B=2 timeout -k 1 5 ./a.sh", "A=1 env B=2 timeout -k 1 5 '/kept/a.sh'"],
    ["uv run b.py; npx tsx tools/c.js", "uv run '/kept/b.py'; npx tsx '/kept/tools/c.js'"],
    ["if ! ./a.sh; then ( ./a.sh ); fi", "if ! '/kept/a.sh'; then ( '/kept/a.sh' ); fi"],
    ["{ ./a.sh; } > log 2>&1 &", "{ '/kept/a.sh'; } > log 2>&1 &"],
    ["cat x | ./a.sh >/dev/null", "cat x | '/kept/a.sh' >/dev/null"],
    ["cd tools && node c.js", "cd tools && node '/kept/tools/c.js'"],
    ["bash -c './a.sh && echo \"it is $HOME\"'", `bash -c ''\\''/kept/a.sh'\\'' && echo "it is $HOME"'`],
    ["# ./a.sh\n./a.sh # ./a.sh", "# ./a.sh\n'/kept/a.sh' # ./a.sh"],
    ["\\\n  ./a.sh", "\\\n  '/kept/a.sh'"],
  ] as const)
    assert.equal(pin(command), expected, command)
})

test("what is no script of the command's stays: a program of the PATH, what is read, and what is not known here", () => {
  for (const command of [
    "a.sh",
    "cat ./a.sh",
    "npx eslint --config eslint.config.js .",
    "uv run pytest b.py",
    "python3 -m b b.py",
    "python3 -c 'import b' b.py",
    "echo x > ./a.sh",
    "cd somewhere && ./a.sh",
    "cd ~ && ./a.sh",
    'cd "$X" && ./a.sh',
    "../work2/a.sh",
    "$DIR/a.sh",
    "./*.sh",
    "npm run lint",
    "cat <<END\n./a.sh\nEND",
    "bash -c 'npm run lint'",
    "'unclosed ./a.sh",
    "",
  ])
    assert.equal(pin(command), command)
})

test("from a folder below the top a path means the file there, or else the one at the top that was judged", () => {
  assert.equal(pin("./c.js", "/work/tools"), "'/kept/tools/c.js'")
  assert.equal(pin(".claude/hooks/d.sh", "/work/tools"), "'/kept/.claude/hooks/d.sh'")
  assert.equal(pin("cd sub && ./a.sh", "/work/tools"), "cd sub && ./a.sh")
})

test("a shell that runs what was put together runs the copies and nothing else has changed", (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-pinned-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const kept = join(root, "it's kept")
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o755 })
  }
  for (const [folder, said] of [
    [root, "original"],
    [kept, "copy"],
  ] as const) {
    put(join(folder, "a.sh"), `#!/bin/sh\necho ${said} a "$@"\n`)
    put(join(folder, "sub/b.js"), `console.log("${said} b", process.argv.slice(2).join())\n`)
  }
  const place = {
    root,
    cwd: root,
    resolve,
    copyOf: (path: string) => (/^(a\.sh|sub\/b\.js)$/.test(path) ? join(kept, path) : null),
  }
  const run = (command: string): string =>
    execFileSync("/bin/bash", ["-c", pinnedCommand(command, place)], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, CLAUDE_PROJECT_DIR: root },
    })
  assert.equal(
    run(`"$CLAUDE_PROJECT_DIR"/a.sh 'x y' && cd sub && node b.js z; pwd`),
    `copy a x y\ncopy b z\n${root}/sub\n`,
  )
  assert.equal(run(`bash -c './a.sh "$(echo 1)"'`), "copy a 1\n")
})
