import { type Attack, attacks } from "./attack.ts"

// Git's state stays writable, because git replaces it. Parts that would run programs later are removed when the command
// ends.

const evilConfig = (file: string) => `git config -f ${file} core.fsmonitor $EVIL`
const identity = "git config user.name t; git config user.email t@t"
/** A branch whose name is a shell command. */
const lineBranch = "b='x;touch${IFS}ran;'"
const conflict = "git switch -q side; echo other > two; git add two; git commit -qm other; git switch -q main"
/** A conflict with a resolution recorded by rerere. */
const rerere = `${conflict}; git -c rerere.enabled=true merge -q side; id=$(ls .git/rr-cache); echo both > two; git add two; git commit -qm both; git reset -q --hard HEAD~`
const nested = (folder: string) =>
  `git init -q ${folder}; git -C ${folder} commit -q --allow-empty -m n; ${evilConfig(`${folder}/.git/config`)}`
const submodule = "git -c protocol.file.allow=always submodule --quiet add ../origin.git sub; git commit -qm sub"
const todo = ".git/rebase-merge/git-rebase-todo"

// oxfmt-ignore
const cases: readonly Attack[] = [
  { name: "a program in the list of a stopped rebase", command: `${conflict}; git rebase side; echo "exec $EVIL" >> ${todo}`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "the same by its short name", command: `${conflict}; git rebase side; printf '  x\\t%s' $EVIL >> ${todo}`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "a program in the list of the user's own rebase", before: `${conflict}; git rebase side; true`, command: `echo "exec $EVIL" >> ${todo}`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "a program that a rebase was begun with", command: `${conflict}; git rebase --exec $EVIL side`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "a program before more lines than stand on a stack", command: `${conflict}; git rebase side; { echo "exec $EVIL"; yes "x a" | head -n 300000; } >> ${todo}`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "the list is a link to a file of the work", command: `${conflict}; git rebase side; mv ${todo} list; echo "exec $EVIL" >> list; ln -s ../../list ${todo}`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "the folder of a rebase is a link to one of the work", command: `${conflict}; git rebase side; mv .git/rebase-merge m; echo "exec $EVIL" >> m/git-rebase-todo; ln -s ../m .git/rebase-merge`, user: "echo x > two; git add two; git rebase --continue" },
  { name: "a rebase that nobody began", command: `mkdir .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD > onto; cp onto orig-head; echo refs/heads/main > head-name; echo > interactive; echo "exec $EVIL" > git-rebase-todo`, user: "git rebase --continue" },
  { name: "the merge strategy of a stopped rebase", command: `git switch -q side; echo 3 > three; git add three; git commit -qm three; echo 4 > four; git add four; git commit -qm four; GIT_SEQUENCE_EDITOR="sed -i 1ibreak" git rebase -q -i main; printf x/evil > .git/rebase-merge/strategy; mkdir git-merge-x; cp $EVIL git-merge-x/evil`, user: "git rebase --continue" },
  { name: "the merge strategy of a stopped cherry-pick", command: `git switch -q side; for n in 3 4; do echo $n > two; git add two; git commit -qm $n; done; git switch -q main; git cherry-pick side~2..side; git config -f .git/sequencer/opts options.strategy x/evil; mkdir git-merge-x; cp $EVIL git-merge-x/evil`, user: "echo x > two; git add two; git cherry-pick --continue" },
  { name: "the journal of HEAD is a link", command: `${lineBranch}; git branch "$b"; ln -sf ../../../.bashrc .git/logs/HEAD`, user: `${lineBranch}; git switch -q "$b"` },
  { name: "the journal of HEAD is a link, seen by a commit", command: "ln -sf ../../../.bashrc .git/logs/HEAD", user: "git commit --allow-empty -m x" },
  { name: "the journal of a branch is a link", command: "ln -sf ../../../../../.bashrc .git/logs/refs/heads/main", user: "git commit --allow-empty -m x" },
  { name: "a folder of journals is a link", command: "rm -r .git/logs/refs/heads; ln -s $HOME .git/logs/refs/heads; git branch .bashrc 2>/dev/null; git update-ref refs/heads/x HEAD", user: "git branch -m x y; [ -e ~/y ] && touch ~/ran; true" },
  { name: "the message of a commit is a link", command: "ln -sf ../../.bashrc .git/COMMIT_EDITMSG", user: "git commit --allow-empty -m x" },
  { name: "the index is a link", command: "ln -sf ../../new .git/index", user: "git add two; [ -e ~/new ] && touch ~/ran; true" },
  { name: "packed references are a link", command: "ln -s ../../new .git/packed-refs", user: "git pack-refs --all; [ -e ~/new ] && touch ~/ran; true" },
  { name: "what was fetched is a link", command: "ln -sf ../../.bashrc .git/FETCH_HEAD", user: "git fetch origin" },
  { name: "the message of a merge is a link", command: `${conflict}; ln -s ../../.bashrc .git/MERGE_MSG`, user: "git merge side" },
  { name: "what rerere keeps is a link", command: `${rerere}; ln -s ../../../../.bashrc .git/rr-cache/$id/thisimage`, user: "git merge side" },
  { name: "a link into the git folder, to its settings", command: `${rerere}; ln -s ../../config .git/rr-cache/$id/thisimage`, user: "git merge side; grep -q '<<<' .git/config && touch ~/ran; true" },
  { name: "a new repository in the workspace", workspace: "plain", command: `git init -q .; ${evilConfig(".git/config")}`, user: "git status" },
  { name: "a new repository with a hook", workspace: "plain", command: "git init -q .; mkdir -p .git/hooks; cp $EVIL .git/hooks/post-commit", user: `${identity}; git commit --allow-empty -m x` },
  { name: "a new repository with settings of its worktree", workspace: "plain", command: `git init -q .; git config extensions.worktreeConfig true; ${evilConfig(".git/config.worktree")}`, user: "git status" },
  { name: "a new repository that shares another's folder", workspace: "plain", command: `git init -q .; cp -r .git g; ${evilConfig("g/config")}; echo ../g > .git/commondir`, user: "git status" },
  { name: "a new repository behind a line", workspace: "plain", command: `git init -q --separate-git-dir=g .; ${evilConfig("g/config")}`, user: "git status" },
  { name: "a new repository behind a link", workspace: "plain", command: `git init -q .; mv .git g; ${evilConfig("g/config")}; ln -s g .git`, user: "git status" },
  { name: "a new repository with a remote in the workspace", workspace: "plain", command: "git init -q .; git commit -q --allow-empty -m x; git init -q --bare f; mkdir -p f/hooks; cp $EVIL f/hooks/pre-receive; git remote add origin $PWD/f", user: "git push origin HEAD:x" },
  { name: "a new repository whose settings are further files", workspace: "plain", command: `git init -q .; ${evilConfig("c")}; git config include.path ../c`, user: "git status" },
  { name: "a workspace that looks like a git folder", workspace: "plain", command: `git init -q --bare .; git config core.bare false; git config core.worktree .; ${evilConfig("config")}`, user: "git status" },
  { name: "a workspace that looks like a git folder, beside a broken one", command: `cp -r .git/. .; git config -f config core.worktree .; ${evilConfig("config")}; rm .git/HEAD`, user: "git status" },
  { name: "a new repository inside that the index names", command: `${nested("n")}; git add n`, user: "git status" },
  { name: "a new repository inside that a commit names", command: `${nested("n")}; git add n; git commit -qm n`, user: "git diff" },
  { name: "a repository inside that the index names already", before: "git init -q n; git -C n commit -q --allow-empty -m n; git add n; git commit -qm n", command: evilConfig("n/.git/config"), user: "git status" },
  { name: "a hook of a repository inside that the index names already", before: "git init -q n; git -C n commit -q --allow-empty -m n; echo f > n/f; git -C n add f; git add n; git commit -qm n", command: "mkdir -p n/.git/hooks; cp $EVIL n/.git/hooks/post-index-change; touch -d '1 hour ago' n/f; sleep 0.1", user: "git status; git -C n status" },
  { name: "a submodule's settings", before: submodule, command: evilConfig(".git/modules/sub/config"), user: "git status" },
  { name: "a submodule's line", before: submodule, command: `cp -r .git/modules/sub g; git config -f g/config --unset core.worktree; ${evilConfig("g/config")}; rm sub/.git; mv g sub/.git`, user: "git status" },
  { name: "a submodule's folder", before: submodule, command: `cp -r .git/modules/sub g; git config -f g/config --unset core.worktree; ${evilConfig("g/config")}; mv sub s; cp -r s sub; rm sub/.git; mv g sub/.git`, user: "git status" },
  { name: "a submodule that is new", command: `git -c protocol.file.allow=always clone -q ../origin.git sub; ${evilConfig("sub/.git/config")}; git submodule --quiet add ./sub 2>/dev/null; git add sub`, user: "git status" },
]

attacks("no way out by git's state", cases)
