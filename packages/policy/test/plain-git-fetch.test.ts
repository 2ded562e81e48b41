import assert from "node:assert/strict"
import { test } from "node:test"
import { plainGitFetch } from "../src/git/plain-git-fetch.ts"

test("only a single fetch or pull from a named remote, in plain words, counts as one", () => {
  for (const command of [
    "git fetch",
    "git pull",
    "git pull --rebase origin main",
    "git fetch -q -p up-stream feature/a",
  ])
    assert.deepEqual(plainGitFetch(command), command.split(" "), command)
  for (const command of [
    "git fetch; true",
    "git fetch && git merge origin/main",
    "git pull > out",
    "git pull $REMOTE",
    "git fetch ../evil",
    "git fetch . evil",
    "git fetch /tmp/evil",
    "git fetch origin main:refs/remotes/origin/main",
    "git fetch origin +main",
    "git fetch --upload-pack=./x origin",
    "git fetch --all",
    "git -c a=b fetch",
    "git push",
    "git checkout main",
    "hg pull",
    "X=1 git fetch",
    "git fetch-all",
    "git x-fetch",
    "git fetch o*",
    "git fetch ~",
    "git fetch 'a b'",
    "git fetch o -qx",
    "git fetch o x-q:",
    "git fetch o +x-q",
  ])
    assert.equal(plainGitFetch(command), null, command)
})
