import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { ownNames, sharedNames } from "../../../../src/host/sandbox/git/git-mounts.ts"
import { place } from "../../../workspace.ts"

// Asks git itself whether the table of protected names is complete: traces every name that it opens.

const skip =
  spawnSync("strace", ["-V"]).error === undefined
    ? false
    : "there is no strace(1) here (Debian: apt-get install strace)"

/** Pure state: git writes these files itself, and runs nothing from them except what the review covers. */
const state = [
  /^(?:HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|BISECT_HEAD|AUTO_MERGE)$/,
  /^(?:MERGE_MODE|MERGE_MSG|MERGE_RR|MERGE_AUTOSTASH|SQUASH_MSG|COMMIT_EDITMSG|TAG_EDITMSG|NOTES_EDITMSG|EDIT_DESCRIPTION|description)$/,
  /^BISECT_(?:ANCESTORS_OK|EXPECTED_REV|FIRST_PARENT|LOG|NAMES|RUN|START|TERMS)$/,
  /^(?:index|sharedindex\.[0-9a-f]+|index\.stash\.\d+|packed-refs|shallow|head-name|gc\.log|gc\.pid|locked)$/,
  /^(?:objects|refs|logs|info|rr-cache)$/,
  // Todo lists, reviewed after each command.
  /^(?:rebase-merge|rebase-apply|sequencer|rebased-patches)$/,
]

/** Names of references, which git looks up as files in its folder, and temporary names. */
const passing = /^(?:main|side|topic|v1|v2|origin|nowhere|stash|w|x|f1|\.git|[0-9a-f]{7,64}|t[A-Za-z0-9]{6}|CoNfIg)$/

// oxfmt-ignore
const verbs = [
  "git init -q -b main . ; git config extensions.worktreeConfig true; git config rerere.enabled true; git config protocol.file.allow always",
  "for n in 1 2 3 4; do echo $n > f$n; git add .; git commit -qm c$n; done",
  "git status; git diff; git diff --cached; git log -p; git show; git blame f1; git grep x; git shortlog HEAD; git describe --always",
  "git branch side HEAD~2; git switch side; echo x > f3; git add f3; git commit -qm s; git switch main; git branch -m side topic; git branch topic2; git branch -D topic2; git branch -m topic side",
  "git merge side; git status; git merge --abort; git merge side; echo y > f3; git add f3; git commit -qm merged; git reset --hard HEAD~",
  "git rebase side; git status; echo z > f3; git add f3; git rebase --continue; git rebase --apply --force-rebase HEAD~; git rebase -i --exec true HEAD~2; git rebase --abort",
  "git cherry-pick HEAD~2; git cherry-pick --abort; git revert --no-edit HEAD; git revert HEAD~3; git revert --abort; git rerere",
  "echo s > f1; git stash; git stash list; git stash pop; git stash -u; git stash apply; git stash drop; git checkout .; git clean -fd; git restore --staged .; git mv f1 f9; git rm --cached f2; git reset -q --hard",
  "git tag v1; git tag -a v2 -m x; git tag -d v1; git notes add -m n; git notes show; git update-ref refs/x HEAD; git symbolic-ref HEAD; git replace HEAD HEAD~; git replace -d HEAD; git show-ref; git for-each-ref; git name-rev HEAD",
  "git init -q --bare ../o; git remote add origin ../o; git push origin main; git push -u origin main; git fetch; git pull; git remote show origin; git ls-remote; git push nowhere main; git fetch nowhere; git remote prune origin; git bundle create ../b HEAD",
  "git worktree add ../w side; git worktree list; cd ../w; git status; git commit --allow-empty -m w; git stash; git rebase HEAD~; cd ../r; git worktree lock ../w; git worktree unlock ../w; git worktree prune",
  "git submodule add ../o sub; git submodule status; git submodule update --init; git submodule foreach true; git commit -qm sub; git status; git submodule sync; git submodule deinit -f sub",
  "git bisect start; git bisect bad; git bisect good HEAD~2; git bisect run true; git bisect reset; git format-patch -1 -o ../p; git am ../p/*; git am --abort; git reset -q --hard HEAD~; git am ../p/*; git apply --check ../p/*",
  "git gc; git pack-refs --all; git repack -ad; git prune; git fsck; git reflog; git reflog expire --all; git maintenance run; git commit-graph write; git multi-pack-index write; git update-server-info; git count-objects",
  "git config -l; git config a.b c; git config --worktree a.b c; git sparse-checkout set d; git sparse-checkout disable; git update-index --refresh; git read-tree HEAD; git write-tree; git ls-files; git cat-file -p HEAD; git rev-parse HEAD; git rev-list HEAD; git check-ignore f3; git check-attr -a f3; git archive -o ../a.tar HEAD",
  "git commit --amend --no-edit --allow-empty; git commit --fixup HEAD --allow-empty; git range-diff HEAD~2 HEAD~ HEAD; git branch --edit-description; git switch --detach; git switch -; git clone . ../c; git fast-export HEAD; git init",
]

test("[SAFE-12] every name that git reads in its folder is protected or only state", { skip }, (t) => {
  const here = place(t)
  for (const folder of ["home", "r"]) mkdirSync(here.at(folder))
  const identity = {
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t",
  }
  const env = {
    PATH: process.env["PATH"],
    HOME: here.at("home"),
    GIT_CONFIG_NOSYSTEM: "1",
    EDITOR: "true",
    GIT_PAGER: "cat",
    ...identity,
  }
  const script = here.put("script", verbs.join("\n"))
  const log = here.at("log")
  const strace = ["--seccomp-bpf", "-f", "-qq", "-e", "trace=%file", "-s", "4096", "-o", log]
  execFileSync("strace", [...strace, "bash", script], { cwd: here.at("r"), env, stdio: "ignore" })
  const held = new Set([...Object.keys(sharedNames), ...Object.keys(ownNames)])
  const unknown = [...namesIn(readFileSync(log, "utf8"))].filter(
    (name) => !held.has(name) && !passing.test(name) && !state.some((known) => known.test(name)),
  )
  assert.deepEqual(unknown, [], "a name that git looks for: does it decide what runs?")
})

/**
 * First path components inside a git folder, including those of linked worktrees and submodules, without temporary
 * files.
 */
function namesIn(log: string): ReadonlySet<string> {
  const found = log.matchAll(/[/"]\.git\/(?:worktrees\/[^/"]+\/|modules\/[^/"]+\/)?([^/"]+)/g)
  return new Set([...found].map(([, name = ""]) => name.replace(/\.(?:lock|new)$/, "")))
}
