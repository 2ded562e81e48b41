import { type Attack, attacks } from "./attack.ts"

// Everything that decides which programs git runs, and where git finds it, is protected, whether it exists or not.

const evilHook = (folder: string, name = "post-commit") =>
  `mkdir -p ${folder}; cp $EVIL ${folder}/${name}; chmod +x ${folder}/${name}`
const evilConfig = (file: string) => `git config -f ${file} core.fsmonitor $EVIL`
/** A complete git folder of the attacker. */
const evilFolder = (folder: string, from = ".git") =>
  `mkdir -p ${folder}; cp -r ${from}/. ${folder}; ${evilConfig(`${folder}/config`)}`
const evilRemote = `git init -q --bare foreign.git; ${evilHook("foreign.git/hooks", "pre-receive")}`
const commit = "git commit --allow-empty -m x"
const linked = "git worktree add -q ../linked side"
const inLinked = { workspace: "linked", roots: ["repo/.git"], before: linked } as const

// oxfmt-ignore
const cases: readonly Attack[] = [
  { name: "a hook where no folder for them is", command: evilHook(".git/hooks"), user: commit },
  { name: "a hook in a folder that is there", before: "mkdir .git/hooks", command: evilHook(".git/hooks"), user: commit },
  { name: "a hook, while the command runs", command: evilHook(".git/hooks"), user: commit, meanwhile: true },
  { name: "a hook that is there is changed", before: "mkdir .git/hooks; echo '#!/bin/sh' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit", command: "cp $EVIL .git/hooks/post-commit", user: commit },
  { name: "settings", command: evilConfig(".git/config"), user: "git status" },
  { name: "settings that are not there", before: "rm .git/config", command: evilConfig(".git/config"), user: "git status" },
  { name: "settings of the worktree that are not there", before: "git config extensions.worktreeConfig true", command: evilConfig(".git/config.worktree"), user: "git status" },
  { name: "settings of the worktree that are there", before: "git config extensions.worktreeConfig true; git config --worktree a.b c", command: evilConfig(".git/config.worktree"), user: "git status" },
  { name: "settings of the worktree, while the command runs", before: "git config extensions.worktreeConfig true", command: evilConfig(".git/config.worktree"), user: "git status", meanwhile: true },
  { name: "another shared folder", command: `${evilFolder("g")}; echo ../g > .git/commondir`, user: "git status" },
  { name: "another shared folder, while the command runs", command: `${evilFolder("g")}; echo ../g > .git/commondir`, user: "git status", meanwhile: true },
  { name: "the git folder is replaced", command: `${evilFolder("g")}; mv .git old; mv g .git`, user: "git status" },
  { name: "the git folder is replaced by a line that leads to another", command: `${evilFolder("g")}; mv .git old; echo 'gitdir: g' > .git`, user: "git status" },
  { name: "where a remote lies, in a file under remotes", command: `${evilRemote}; mkdir -p .git/remotes; echo "URL: foreign.git" > .git/remotes/up`, user: "git push up HEAD:x" },
  { name: "where a remote lies, in a file under branches", command: `${evilRemote}; mkdir -p .git/branches; echo foreign.git > .git/branches/up`, user: "git push up HEAD:x" },
  { name: "where a remote lies, while the command runs", command: `${evilRemote}; mkdir -p .git/remotes; echo "URL: foreign.git" > .git/remotes/up`, user: "git push up HEAD:x", meanwhile: true },
  { name: "where a remote lies, in the settings", command: `${evilRemote}; git remote set-url --push origin $PWD/foreign.git`, user: "git push origin HEAD:x" },
  { name: "the git folder is a link: another link", before: "mv .git ../store; ln -s ../store .git", command: `${evilFolder("g")}; rm .git; ln -s g .git`, user: "git status" },
  { name: "the git folder is a link: what it leads to", before: "mv .git store; ln -s store .git", command: evilConfig("store/config"), user: "git status" },
  { name: "hooks are a link: another folder", before: "mkdir h; ln -s ../h .git/hooks", command: `rm .git/hooks; ${evilHook(".git/hooks")}`, user: commit },
  { name: "hooks are a link: another folder, while the command runs", before: "mkdir h; ln -s ../h .git/hooks", command: `rm .git/hooks; ${evilHook(".git/hooks")}`, user: commit, meanwhile: true },
  { name: "hooks are a link: what it leads to", before: "mkdir -p tools/h; ln -s ../tools/h .git/hooks", command: evilHook("tools/h"), user: commit },
  { name: "hooks are a link: a folder above what it leads to is moved", before: "mkdir -p tools/h; ln -s ../tools/h .git/hooks", command: `mv tools t; ${evilHook("tools/h")}`, user: commit },
  { name: "hooks are a link to what is not there yet", before: "ln -s ../h .git/hooks", command: evilHook("h"), user: commit },
  { name: "settings are a link: another file", before: "mv .git/config c; ln -s ../c .git/config", command: "cp c d; git config -f d core.fsmonitor $EVIL; ln -sf ../d .git/config", user: "git status" },
  { name: "settings are a link: what it leads to", before: "mv .git/config c; ln -s ../c .git/config", command: evilConfig("c"), user: "git status" },
  { name: "one hook is a link: what it leads to", before: "mkdir -p .git/hooks tools; echo '#!/bin/sh' > tools/p; chmod +x tools/p; ln -s ../../tools/p .git/hooks/post-commit", command: "cp $EVIL tools/p", user: commit },
  { name: "one hook is a link: a folder above what it leads to is moved", before: "mkdir -p .git/hooks tools; echo '#!/bin/sh' > tools/p; chmod +x tools/p; ln -s ../../tools/p .git/hooks/post-commit", command: "mv tools t; mkdir tools; cp $EVIL tools/p", user: commit },
  { name: "one hook is a link to what is not there", before: "mkdir -p .git/hooks; ln -s ../../p .git/hooks/post-commit", command: "cp $EVIL p", user: commit },
  { name: "a folder of hooks in the work, which the settings name", before: "mkdir -p tools/h; git config core.hooksPath tools/h", command: evilHook("tools/h"), user: commit },
  { name: "a folder of hooks in the work, while the command runs", before: "mkdir -p tools/h; git config core.hooksPath tools/h", command: evilHook("tools/h"), user: commit, meanwhile: true },
  { name: "a folder of hooks in the work: a folder above is moved", before: "mkdir -p tools/h; git config core.hooksPath tools/h", command: `mv tools t; ${evilHook("tools/h")}`, user: commit },
  { name: "a folder of hooks in the work, which the user's settings name", before: "mkdir h; git config --global core.hooksPath h", command: evilHook("h"), user: commit },
  { name: "a folder of hooks in the work that is a link", before: "mkdir h; ln -s h l; git config core.hooksPath l", command: `rm l; ${evilHook("l")}`, user: commit },
  { name: "a folder of hooks in the work that is not there", before: "git config core.hooksPath tools/h", command: evilHook("tools/h"), user: commit },
  { name: "a hook in a folder of the work that is a link", before: "mkdir h; echo '#!/bin/sh' > p; chmod +x p; ln -s ../p h/post-commit; git config core.hooksPath h", command: "cp $EVIL p", user: commit },
  { name: "settings in the work, which the settings name", before: "mkdir c; touch c/git; git config include.path ../c/git", command: evilConfig("c/git"), user: "git status" },
  { name: "settings in the work, which settings in the work name", before: "git config -f one include.path two; git config include.path ../one; git config -f two a.b c", command: evilConfig("two"), user: "git status" },
  { name: "settings in the work, which the settings name on a condition", before: "touch c; git config includeIf.onbranch:main.path ../c", command: evilConfig("c"), user: "git status" },
  { name: "settings in the work that are not there", before: "git config include.path ../c", command: evilConfig("c"), user: "git status" },
  { name: "a git folder beside the work: its settings", before: "mkdir store; git init -q --separate-git-dir=store/g", command: evilConfig("store/g/config"), user: "git status" },
  { name: "a git folder beside the work: its hooks", before: "mkdir store; git init -q --separate-git-dir=store/g", command: evilHook("store/g/hooks"), user: commit },
  { name: "a git folder beside the work: the folder above is moved", before: "mkdir store; git init -q --separate-git-dir=store/g", command: `mv store s; ${evilFolder("store/g", "s/g")}`, user: "git status" },
  { name: "a git folder beside the work: the line that leads there", before: "mkdir store; git init -q --separate-git-dir=store/g", command: `${evilFolder("g", "store/g")}; echo 'gitdir: g' > .git`, user: "git status" },
  { name: "a git folder beside the work, on a way with a link", before: "mkdir s; git init -q --separate-git-dir=s/g; ln -s s t; echo 'gitdir: t/g' > .git", command: `${evilFolder("u/g", "s/g")}; ln -sfn u t`, user: "git status" },
  { name: "a shared folder beside the work", before: "mkdir common; cp -r .git/. common; echo ../common > .git/commondir", command: evilConfig("common/config"), user: "git status" },
  { name: "a worktree: its line", ...inLinked, command: `${evilFolder("g", "../repo/.git")}; echo 'gitdir: g' > .git`, user: "git status" },
  { name: "a worktree: its settings that are not there", ...inLinked, before: `${linked}; git config extensions.worktreeConfig true`, command: evilConfig("../repo/.git/worktrees/linked/config.worktree"), user: "git status" },
  { name: "a worktree: where the shared folder is", ...inLinked, command: `${evilFolder("g", "../repo/.git")}; echo $PWD/g > ../repo/.git/worktrees/linked/commondir`, user: "git status" },
  { name: "a worktree: its folder is moved", ...inLinked, command: `cd ../repo/.git/worktrees; cp -r linked l; echo $OLDPWD/g > l/commondir; mv linked old; mv l linked; cd $OLDPWD; ${evilFolder("g", "../repo/.git")}`, user: "git status" },
  { name: "a worktree: hooks of the shared folder", ...inLinked, command: evilHook("../repo/.git/hooks"), user: commit },
  { name: "a worktree: settings of the main worktree", ...inLinked, before: `${linked}; git config extensions.worktreeConfig true`, command: evilConfig("../repo/.git/config.worktree"), user: "git -C ../repo status" },
  { name: "a worktree of a repository without one: settings", workspace: "linked", roots: ["origin.git"], before: "git -C ../origin.git worktree add -q ../linked side", command: evilConfig("../origin.git/config"), user: "git status" },
  { name: "a worktree of a repository without one: hooks", workspace: "linked", roots: ["origin.git"], before: "git -C ../origin.git worktree add -q ../linked side", command: evilHook("../origin.git/hooks"), user: commit },
  { name: "another worktree: where the shared folder is", before: linked, command: `${evilFolder("g")}; echo $PWD/g > .git/worktrees/linked/commondir`, user: "git -C ../linked status" },
  { name: "another worktree: its settings", before: `${linked}; git config extensions.worktreeConfig true`, command: evilConfig(".git/worktrees/linked/config.worktree"), user: "git -C ../linked status" },
  { name: "another worktree: its folder is moved", before: linked, command: `mv .git/worktrees w; cp -r w .git/worktrees; ${evilFolder("g")}; echo $PWD/g > .git/worktrees/linked/commondir`, user: "git -C ../linked status" },
  { name: "the workspace is a git folder itself", workspace: "origin.git", command: evilHook("hooks", "pre-receive"), user: "git -C ../repo push ../origin.git HEAD:x" },
]

attacks("no way out by git", cases)
