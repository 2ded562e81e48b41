import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { test } from "node:test"
import { pinnedCommand } from "../../src/hooks/pinned-command.ts"

const trusted = ["a.sh", "b.py", "tools/c.js", ".claude/hooks/d.sh", "odd 'name'.sh", "eslint.config.js", "bin/node"]
const pin = (command: string, cwd = "/work") =>
  pinnedCommand(command, {
    root: "/work",
    cwd,
    resolve,
    copyOf: (path) => (trusted.includes(path) ? `/kept/${path}` : null),
  })

test("the script of a command is replaced by its copy, in every notation of its path", () => {
  for (const [command, expected] of [
    ["bin/node ./a.sh", "'/kept/bin/node' ./a.sh"],
    ["perl -cw b.py", "perl -cw '/kept/b.py'"],
    ['cd "*"/.. && ./a.sh', `cd "*"/.. && '/kept/a.sh'`],
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
    ["echo $(id);./a.sh", "echo $(id);'/kept/a.sh'"],
    ["echo $(a $(b) c)x;./a.sh", "echo $(a $(b) c)x;'/kept/a.sh'"],
    ["echo `id`;./a.sh", "echo `id`;'/kept/a.sh'"],
    ["sh -e a.sh", "sh -e '/kept/a.sh'"],
    ["bash -e -u -m ./a.sh", "bash -e -u -m '/kept/a.sh'"],
    ["python3.12 b.py", "python3.12 '/kept/b.py'"],
    ["/usr/bin/python2 b.py", "/usr/bin/python2 '/kept/b.py'"],
    ["bash -lc ./a.sh", "bash -lc ''\\''/kept/a.sh'\\'''"],
    ["bash -ce ./a.sh", "bash -ce ''\\''/kept/a.sh'\\'''"],
    ["bash -c1 a.sh", "bash -c1 '/kept/a.sh'"],
    ["python3 --x-m b.py", "python3 --x-m '/kept/b.py'"],
    ["python3 -mx b.py", "python3 -mx '/kept/b.py'"],
    ["cat a.sh b.py | sh", "cat '/kept/a.sh' '/kept/b.py' | sh"],
    ["cd -P tools; ./c.js", "cd -P tools; '/kept/tools/c.js'"],
    ["pushd tools && ./c.js", "pushd tools && '/kept/tools/c.js'"],
    ["cd ~; /work/a.sh", "cd ~; '/kept/a.sh'"],
    ["timeout 5 a.sh", "timeout 5 '/kept/a.sh'"],
    ['bash < "$X"; ./a.sh', `bash < "$X"; '/kept/a.sh'`],
    ["cat <<< x; ./a.sh", "cat <<< x; '/kept/a.sh'"],
    ["./a.sh&&./a.sh||./a.sh|./a.sh", "'/kept/a.sh'&&'/kept/a.sh'||'/kept/a.sh'|'/kept/a.sh'"],
    ["while true; do ./a.sh; done", "while true; do '/kept/a.sh'; done"],
    ["&>log ./a.sh", "&>log '/kept/a.sh'"],
    ["./a.sh < b.py", "'/kept/a.sh' < '/kept/b.py'"],
    ["sh < ./a.sh", "sh < '/kept/a.sh'"],
    ["sh 0<a.sh -x", "sh 0<'/kept/a.sh' -x"],
    ["cat -u ./a.sh x | sh", "cat -u '/kept/a.sh' x | sh"],
    ["head -n 9 a.sh | bash -s x", "head -n 9 '/kept/a.sh' | bash -s x"],
    ['bash -c "$(cat a.sh)" x', `bash -c "$(cat '/kept/a.sh')" x`],
    ['eval "$(< ./a.sh)"', `eval "$(< '/kept/a.sh')"`],
    ["eval './a.sh x'", "eval ''\\''/kept/a.sh'\\'' x'"],
    ["x=`cat a.sh`; echo $(./a.sh)", "x=`cat '/kept/a.sh'`; echo $('/kept/a.sh')"],
    ["bash <(cat a.sh)", "bash <(cat '/kept/a.sh')"],
    ["sh <<END\n./a.sh\nEND\n./a.sh", "sh <<END\n'/kept/a.sh'\nEND\n'/kept/a.sh'"],
    ["sh <<-'E' | cat\n\tcd tools\n\t./c.js\n\tE", "sh <<-'E' | cat\n\tcd tools\n\t'/kept/tools/c.js'\n\tE"],
    ["cat <<E | sh; ./a.sh\n./a.sh\nE", "cat <<E | sh; '/kept/a.sh'\n'/kept/a.sh'\nE"],
    ["cat <<A; sh <<B\n./a.sh\nA\n./a.sh\nB", "cat <<A; sh <<B\n./a.sh\nA\n'/kept/a.sh'\nB"],
    ["bash <<< ./a.sh", "bash <<< ''\\''/kept/a.sh'\\'''"],
    ["echo ./a.sh | tee x | sh", "echo ''\\''/kept/a.sh'\\''' | tee x | sh"],
    ['./"a"."sh" "b\\$c"', `'/kept/a.sh' "b\\$c"`],
  ] as const)
    assert.equal(pin(command), expected, command)
})

test("other words stay: programs of the PATH, files that are read, and unknown expansions", () => {
  for (const command of [
    "a.sh",
    "sort ./a.sh",
    "python3 x.py b.py",
    "uv x5 b.py",
    'cd "$X" && work/a.sh',
    'cd "$X"/.. && ./a.sh',
    "cd `x`/.. && ./a.sh",
    "cd x*/.. && ./a.sh",
    '"./a\\.sh"',
    "npx eslint --config eslint.config.js .",
    "uv run pytest b.py",
    "python3 -m b b.py",
    "python3 -c 'import b' b.py",
    "echo x > ./a.sh",
    "cd somewhere && ./a.sh",
    "cd ~ && ./a.sh",
    'cd "$X" && ./a.sh',
    "../work2/a.sh",
    "/abcd/a.sh",
    'cd "$X" && cd work && ./a.sh',
    "cd ~/.. && ./a.sh",
    "$DIR/a.sh",
    "./*.sh",
    "npm run lint",
    "cat <<END\n./a.sh\nEND",
    "bash -c 'npm run lint'",
    'bash -c "npm run lint"',
    "'unclosed ./a.sh",
    "echo $(id; ./a.sh",
    "xpython3 b.py",
    "python3x b.py",
    "bash run-c './a.sh'",
    "node -c './a.sh'",
    "perl -e b.py",
    "nice-run a.sh",
    "cd tools/[x] && ./c.js",
    "ls 2> ./a.sh",
    "$CLAUDE_PROJECT_DIRECTORY/a.sh",
    "${CLAUDE_PROJECT_DIR:-x}/a.sh",
    "echo \\> ./a.sh",
    "echo ./a.sh",
    "echo ./a.sh | sh b.sh",
    "echo ./a.sh && sh",
    "cat <<END | sh x\n./a.sh\nEND",
    "sh <<END\n./a.sh",
    "sh <> ./a.sh",
    "",
  ])
    assert.equal(pin(command), command)
})

test("three nested commands are followed; a fourth stays unchanged", () => {
  const nested = (depth: number): string =>
    depth === 0 ? "./a.sh" : `bash -c '${nested(depth - 1).replaceAll("'", `'\\''`)}'`
  assert.ok(pin(nested(3)).includes("/kept/a.sh"))
  assert.equal(pin(nested(4)), nested(4))
  const inserted = (depth: number): string => (depth === 0 ? "./a.sh" : `echo $(${inserted(depth - 1)})`)
  assert.equal(pin(inserted(3)), "echo $(echo $(echo $('/kept/a.sh')))")
  assert.equal(pin(inserted(4)), inserted(4))
})

test("in a subfolder a path means the file there, or else the judged one in the top folder", () => {
  assert.equal(pin("./c.js", "/work/tools"), "'/kept/tools/c.js'")
  assert.equal(pin(".claude/hooks/d.sh", "/work/tools"), "'/kept/.claude/hooks/d.sh'")
  assert.equal(pin("cd sub && ./a.sh", "/work/tools"), "cd sub && ./a.sh")
})

test("a shell runs the copies in the rewritten command, and nothing else changes", (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-pinned-")))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const kept = join(root, "it's kept")
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o755 })
  }
  for (const [folder, printed] of [
    [root, "original"],
    [kept, "copy"],
  ] as const) {
    put(join(folder, "a.sh"), `#!/bin/sh\necho ${printed} a "$@"\n`)
    put(join(folder, "sub/b.js"), `console.log("${printed} b", process.argv.slice(2).join())\n`)
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
