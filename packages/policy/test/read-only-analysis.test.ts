import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { parseCommand } from "../src/command/command.ts"
import { analyzeReadOnly } from "../src/command/read-only-analysis.ts"
import { writers } from "./fuzz/writers.ts"
import { facts } from "./fixtures.ts"

function certain(command: string, cwd?: string): boolean {
  return analyzeReadOnly(parseCommand(command), facts(cwd === undefined ? {} : { cwd }), () => false).readOnly
}

const readers = [
  "ls",
  "ls -la src",
  "ls src/*.ts",
  "ls ~ /etc",
  "cat package.json",
  "cat 'a file.txt' \"b file\" c\\ file",
  "head -n 20 src/a.ts",
  "tail -n5 log.txt",
  "wc -l src/*.ts",
  "rg -n 'foo|bar' src",
  "rg --files",
  "rg -g '*.ts' TODO",
  "pwd",
  'echo "exit: $?"',
  "git status",
  "git status --short && git diff HEAD~1 -- src/a.ts",
  "git --no-pager log --oneline -5",
  "git show HEAD:src/a.ts | head -20",
  "git diff --stat main..feature",
  "cd src && ls -la",
  "cd /home/u/shop && git status",
  "ls 2>/dev/null; cat a 2>&1 | wc -l",
  "ls missing || echo none",
  "cat a.txt &\nls",
  "timeout 5 rg foo",
  "time git status",
  "ls \\\n  -la",
  "# what is here?\nls -la # all of it",
  "grep -rn 'TODO' src --include='*.ts'",
  'grep -n "foo" a.ts | head -20',
  "grep -E 'a|b' a.ts",
  "rg -n '/api/users' src",
  "find . -name '*.ts' -not -path './node_modules/*'",
  "find src -type f -newer a.ts -mtime -7 -size +10k",
  "find . -maxdepth 2 -type d \\( -name a -o -name b \\) -print | sort | uniq -c | sort -rn | head",
  "sed -n '1,200p' src/a.ts",
  "sed -n 10p a.ts",
  "sed -n '/start/,$p' a.ts",
  "cat a.ts | sed 's/a/b/g'",
  "cut -d: -f1 a.txt | tr -d '\\n' | wc -c",
  "diff -u a.ts b.ts",
  "sort -t, -k2 -n a.csv",
  "stat -c %s a.ts",
  "file a.bin",
  "du -sh node_modules",
  "df -h",
  "tree -L 2",
  "jq '.scripts' package.json",
  "jq -r .name package.json",
  "basename src/a.ts .ts && dirname src/a.ts",
  "which node",
  "date +%Y-%m-%d",
  "[ -f a.ts ] && cat a.ts || echo none",
  "test -d src && ls src",
  "printf '%s\\n' a b",
  "git branch -a",
  "git branch --show-current",
  "git rev-parse --abbrev-ref HEAD",
  "git ls-files | head",
  "git blame -L 10,20 src/a.ts",
  "git grep -n foo",
  "git remote -v",
  "git stash list",
  "git tag -l",
  "git describe --tags",
  "git --version",
  "base64 -w 0 a.bin",
  "base64 -d",
  "expr 1 + 2",
  "id -u",
  "seq -w 1 10 | tac",
  "numfmt --to=iec 123456",
  "more a.txt",
  "whereis -b node",
  "grep -R foo src",
  "grep -nR --include='*.ts' foo .",
  "git -C src status",
  "git --no-pager -C ./src -C . log -1",
  "git branch --format='%(refname:short) %(committerdate:relative)'",
  "git branch -l --sort=-committerdate",
  "git tag --sort=v:refname",
]

test("certainly read-only commands are recognized", () => {
  for (const command of readers) assert.equal(certain(command), true, command)
})

test("[SAFE-3] a command that writes, runs a program, sends data or is ambiguous is never read-only", () => {
  for (const command of [
    "",
    "rm",
    "ls; rm",
    "ls\nrm",
    "ls\rrm",
    "ls & rm",
    "ls | sh",
    "ls |& sh",
    "ls && (rm)",
    "ls > ~/.bashrc",
    "ls >> x",
    "ls >| x",
    "ls &> x",
    "ls >&x",
    "ls 2>x",
    "ls 2>&1x",
    "ls <> x",
    "cat < /etc/passwd",
    "cat << EOF\nx\nEOF",
    "cat <<< x",
    "cat <(rm)",
    "echo $(rm)",
    "echo `rm`",
    'echo "$(rm)"',
    'echo "`rm`"',
    "echo ${x:=y}",
    "echo ${x@P}",
    "echo ${!x}",
    "cat $FILE",
    'cat "$HOME/.ssh/id_rsa"',
    "cat $'\\x72m'",
    "$'\\x72m'",
    "$CMD",
    "r''m",
    "\\rm",
    "l*",
    "./ls",
    "/bin/ls",
    "ls{,}",
    "cat {a,b}",
    "x=1 ls",
    "LD_PRELOAD=./x.so ls",
    "PATH=. ls",
    "export PATH=.",
    "alias ls=rm",
    "ls() { rm; }; ls",
    "function ls { rm; }",
    "trap rm EXIT",
    "printf -v x y",
    "read x",
    "source x",
    ". x",
    "eval ls",
    "exec ls",
    "env ls",
    "env X=1 rm",
    "nohup ls",
    "sudo ls",
    "xargs cat",
    "ls | xargs rm",
    "sh -c ls",
    "bash -c 'ls'",
    "command -v ls",
    "command X=1 ls",
    "time -o f ls",
    "timeout -k 1 5 ls",
    "timeout 5 rm",
    "nice rm",
    "if ls; then rm; fi",
    "while true; do rm; done",
    "! rm",
    "{ ls; }",
    "find . -delete",
    "find . -exec rm {} +",
    "sort -o x y",
    "sed -n 'w f' x",
    "sed e x",
    "awk 'BEGIN{system(\"rm\")}'",
    "tar --checkpoint-action=exec=rm -cf x y",
    "man -P rm ls",
    "less x",
    "tee x",
    "tail -f x",
    "tail -nF x",
    "tail --follow x",
    "rg --pre ./evil foo",
    "rg --pre=./evil foo",
    "rg --hostname-bin=./evil foo",
    "rg -z foo",
    "rg -nz foo",
    "rg --search-zip foo",
    "rg -L foo",
    "rg foo *",
    "rg foo /etc",
    "rg foo ..",
    "rg foo ~",
    "cat *",
    "cat .s*/id_rsa",
    "ls .s*",
    "ls ~root",
    "ls ~+",
    "git",
    "git push",
    "git -c core.pager=rm log",
    "git -C /etc status",
    "git -C ~ status",
    "git -C .. status",
    "git -C src/../test status",
    "git -C src -C ../.. log",
    "git -C $X status",
    "git -C * status",
    "git -C src",
    "git -C",
    "git -C . -c core.pager=rm log",
    "git --no-pager -C /etc log",
    "git --git-dir=/tmp/evil status",
    "git --exec-path=. status",
    "git -p log",
    "git diff --output=x",
    "git diff --outpu=x",
    "git diff --outp x",
    "git diff --ext-diff",
    "git diff --ext",
    "git diff --no-index a b",
    "git log --show-signature",
    "git log --format='%G?'",
    "git log -Oorder",
    "git show ../other",
    "git branch -D x",
    "git status; git push",
    "cd /etc && ls",
    "cd ~ && ls",
    "cd - && ls",
    "cd src || ls",
    "cd src | ls",
    "ls && cd src",
    "cd $X && ls",
    "cd *",
    "ls #\nrm",
    "ls 'unclosed",
    'ls "unclosed',
    "ls \\",
    "ls\u00a0-la",
    "ls \u0001",
    "ls;;rm",
    "case x in x) rm;; esac",
    "wc --files0-from=x",
    "true; rm",
    "sed -n '1,5w x' a",
    "sed -n '1e rm' a",
    "sed 's/a/rm/e' a",
    "sed 's/a/b/w x' a",
    "sed -i.bak p a",
    "sed -f script a",
    "sed -n '/a\nw x/p' a",
    "sed -n -e p -e 'w x' a",
    "sort -uo x a",
    "sort --output=x a",
    "sort --compress-program=rm a",
    "uniq a x",
    "uniq -c -- a -u",
    "uniq a -u",
    "git branch -- x",
    "date -- 01010101",
    "date +%s -u",
    "find . -fprint x",
    "find . -fls x",
    "find . -okdir rm ';'",
    "find /etc -name x",
    "find -L . -name x",
    "grep -Rf patterns .",
    "grep -R --devices=read x",
    "base64 -o x a",
    "base64 --output=x a",
    "base64 -dox a",
    "seq inf",
    "seq 1 1e9",
    "seq 1 1000000000",
    "whereis -B . -f ls",
    "git branch --format='%(signature)'",
    "git branch --format='%(refname)%(signature:grade)'",
    "git branch --sort=signature",
    "git branch --sort=-signature:key",
    "git branch --verbose x",
    "git tag --sort=signature",
    "git log --exec=rm",
    "grep -f patterns a",
    "grep -rn x /etc",
    "diff --output=x a b",
    "diff -r . /etc",
    "file -C -m magic",
    "tree -o x",
    "tree -RH . -L 1",
    "jq 'env' a",
    "jq -n '$ENV'",
    "jq 'import \"a\" as $a; $a' b",
    "date 01010101",
    "date -s 2020-01-01",
    "date +%s 01010101",
    "printf -v x y",
    "printf '%n' 'x[$(rm)]'",
    "printf 'a%5n' x",
    "printf 'a%-*ln' 1 x",
    "test -v 'x[$(rm)]'",
    "[ -v 'x[$(rm)]' ]",
    "[[ -v x ]]",
    "type -p ls > x",
    "git branch x",
    "git branch -m x",
    "git branch --edit-description",
    "git tag x",
    "git tag -d x",
    "git remote add x y",
    "git remote -v update",
    "git stash",
    "git stash pop",
    "git stash show --ext-diff",
    "git worktree prune",
    "git rev-parse --parseopt",
    "git grep -Orm foo",
    "git grep -nOrm foo",
    "git grep --open-files-in-pager foo",
    "git blame --contents x a",
    "git cat-file --textconv HEAD:a",
    "git cat-file --filters HEAD:a",
    "git log --remerge-diff",
    "git log --remerge",
    "git show --diff-merges=r",
    "git diff --textconv",
    "git diff --help",
    "git log --hel",
    "git reflog expire --all",
    "git config --get x",
    "ls >#x",
    "ls # $(rm)\nrm",
    "ls >&2\u000b",
    "ls\u000b",
    "ls 2>/dev/null\u00a0",
    "echo a#b; rm",
  ]) {
    assert.equal(certain(command), false, JSON.stringify(command))
  }
  assert.equal(certain("rg foo", "/home/u"), false, "a search of the home folder would include keys")
})

test("the read files, the programs and git's folders are reported, so that keys among them can be checked", () => {
  const answer = (command: string) => analyzeReadOnly(parseCommand(command), facts(), () => false)
  const reads = answer("cd src && cat ../a ~/.ssh/id_rsa --x=/etc/b")
  assert.deepEqual(reads.reads, ["/home/u/shop/a", "/home/u/.ssh/id_rsa", "/etc/b"])
  assert.deepEqual(answer("rg '/api/users' src").reads, ["/home/u/shop/src"], "a pattern is not a path")
  assert.deepEqual(answer("grep -e x src").reads, ["/home/u/shop/x", "/home/u/shop/src"])
  assert.deepEqual(answer("sed -n 1,20p src/a.ts").reads, ["/home/u/shop/src/a.ts"])
  const started = answer("cd src && git status && ls | sort; echo a")
  assert.deepEqual([started.programs, started.gitFolders], [["git", "ls", "sort"], ["/home/u/shop/src"]])
  const apart = answer("git -C /tmp/evil diff a.txt")
  assert.deepEqual([apart.gitFolders, apart.reads], [["/tmp/evil"], ["/tmp/evil/diff", "/tmp/evil/a.txt"]])
  assert.deepEqual(answer("grep -R foo src; grep -r foo test").linkedTrees, ["/home/u/shop", "/home/u/shop/src"])
})

test("a pager is not read-only if the environment may make it run a program", () => {
  for (const [env, free] of [
    [{}, true],
    [{ LESSOPEN: "| x %s" }, false],
    [{ MORE: "-f" }, false],
  ] as const)
    assert.equal(analyzeReadOnly(parseCommand("more a.txt"), facts({ env }), () => false).readOnly, free)
})

const writer = fc.constantFrom<string>(
  "rm -rf x",
  "touch y",
  "curl http://h",
  "git push",
  "npm i",
  "sh -c 'id'",
  "tee z",
  "mv a b",
)
const reader = fc.constantFrom<string>("ls", "cat a", "git status", "rg x src", "echo hi", "pwd")
const joint = fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " & ", "&&", ";", "|", "&")
/** Ways to hide a command in a harmless-looking one. */
const hiding = fc.constantFrom<(command: string) => string>(
  (command) => command,
  (command) => `$(${command})`,
  (command) => `echo "$(${command})"`,
  (command) => `echo \`${command}\``,
  (command) => `cat <(${command})`,
  (command) => `timeout 5 ${command}`,
  (command) => `time nice ${command}`,
  (command) => `env ${command}`,
  (command) => `(${command})`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `! ${command}`,
  (command) => `X=1 ${command}`,
  (command) => `xargs ${command}`,
  (command) => `"${command.split(" ")[0]}" ${command.split(" ").slice(1).join(" ")}`,
  (command) => `${command[0]}''${command.slice(1)}`,
  (command) => `${command[0]}\\\n${command.slice(1)}`,
  (command) => `\\${command}`,
  (command) => `'${command[0]}'${command.slice(1)}`,
)

test("a writing command hidden by quotes, chains or wrappers is never read-only", () => {
  const planted = fc
    .tuple(fc.array(reader, { maxLength: 4 }), writer, fc.array(hiding, { maxLength: 3 }), fc.nat(4), joint)
    .map(([around, command, hide, at, separator]) => {
      const hidden = hide.reduce((text, wrap) => wrap(text), command)
      return around.toSpliced(Math.min(at, around.length), 0, hidden).join(separator)
    })
  fc.assert(
    fc.property(planted, (command) => assert.equal(certain(command), false, command)),
    { numRuns: 1000 },
  )
})

test("chains of read-only commands are read-only", () => {
  fc.assert(
    fc.property(fc.array(reader, { minLength: 1, maxLength: 5 }), joint, (commands, separator) => {
      assert.equal(certain(commands.join(separator)), true, commands.join(separator))
    }),
  )
})

test("any text is parsed without a throw, in linear time", () => {
  const shell = fc.array(
    fc.constantFrom(
      ..."abls $(){}[]<>|&;'\"`\\\n\t#~*?!=2/-".split(""),
      "&&",
      "$(",
      "<<",
      "2>&1",
      "git ",
      "工",
      "\u0000",
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        shell.map((parts) => parts.join("")),
        fc.string({ unit: "binary" }),
      ),
      (text) => {
        certain(text)
      },
    ),
    { numRuns: 500 },
  )
  for (const piece of ["true && ", "$(", "`", "time ", "a=~", "'", "\\", "> x ", "x\n", "()", "f(){", "sh -c "]) {
    certain(piece.repeat(5000))
  }
})

test("no writing command of the fuzzer is read-only", () => {
  for (const writer of writers) {
    const command = writer.replaceAll("%z", "z1").replaceAll("%f", "a.txt")
    // Git's settings decide there, not the words.
    if (!/^(?:cd bare && git|git -C bare) status$/.test(command)) assert.equal(certain(command), false, command)
  }
})
