import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { type Attempt, attack } from "@gong/testing/attacks"
import { createSandboxedHost } from "../../../src/host/sandbox/index.ts"
import { defaults, git, noSandbox, sandboxPlace, type SandboxPlace } from "./sandbox-fixture.ts"

const skip = noSandbox

/** An attempt to change something outside the roots, or to change what decides which programs run there. */
interface Escape {
  readonly name: string
  readonly command: string
  /** Must not exist, or not contain `changed`, afterwards. */
  readonly target: string
}

// oxfmt-ignore
const escapes: readonly Escape[] = [
  { name: "a new file in the home", command: "echo changed > ~/new", target: "home/new" },
  { name: "the shell's start file", command: "echo changed >> ~/.bashrc", target: "home/.bashrc" },
  { name: "a folder of programs", command: "mkdir -p ~/.local/bin && echo changed > ~/.local/bin/ls", target: "home/.local/bin/ls" },
  { name: "programs of a cache", command: "echo changed > ~/.bun/install/bin/x", target: "home/.bun/install/bin/x" },
  { name: "a parent folder by dots", command: "echo changed > ../../up", target: "up" },
  { name: "a folder whose name starts like a root", command: "echo changed > ../../temp-other/a", target: "temp-other/a" },
  { name: "through a link to a folder", command: "echo changed > link/new", target: "home/new" },
  { name: "through a link to a file", command: "echo changed > file-link", target: "home/.profile" },
  { name: "through a link made by the command", command: "ln -s ~ here && echo changed > here/new", target: "home/new" },
  { name: "through the root of its process", command: "echo changed > /proc/self/root$HOME/new", target: "home/new" },
  { name: "through the folder of its process", command: "cd ~ && echo changed > /proc/self/cwd/new", target: "home/new" },
  { name: "through a descriptor", command: "exec 5<~ && echo changed > /dev/fd/5/new", target: "home/new" },
  { name: "through the root of another process", command: "echo changed > /proc/$OUTSIDE/root$HOME/new", target: "home/new" },
  { name: "by a hard link made by the command", command: "ln ~/.profile hard && echo changed > hard", target: "home/.profile" },
  { name: "by moving a file out", command: "echo changed > f && mv f ~/new", target: "home/new" },
  { name: "by moving a folder of the home in", command: "mv ~/kept here && echo changed > here/f && mv here ~/kept", target: "home/kept/f" },
  { name: "by removing", command: "rm -f ~/kept/f.txt && echo changed > ~/kept/f", target: "home/kept/f" },
  { name: "by changing the mode", command: "chmod 777 ~/.profile && echo changed > ~/.profile", target: "home/.profile" },
  { name: "a hook", command: "mkdir -p .git/hooks; echo changed > .git/hooks/pre-commit", target: "home/repo/.git/hooks/pre-commit" },
  { name: "a hook by moving its folder", command: "mv .git/hooks .git/old; mkdir -p .git/hooks && echo changed > .git/hooks/pre-commit", target: "home/repo/.git/hooks/pre-commit" },
  { name: "a hook without a hooks folder", command: "mkdir -p .git/hooks && echo changed > .git/hooks/pre-commit", target: "home/repo/.git/hooks/pre-commit" },
  { name: "git's settings", command: "git config core.fsmonitor changed", target: "home/repo/.git/config" },
  { name: "git's settings by replacing them", command: "echo changed > c && mv c .git/config", target: "home/repo/.git/config" },
  { name: "git's settings by moving the git folder", command: "cp -r .git g && mv .git old; mv g .git && echo changed > .git/config", target: "home/repo/.git/config" },
  { name: "git's settings from elsewhere", command: "echo changed > .git/commondir", target: "home/repo/.git/commondir" },
  { name: "new settings of Gong in the project", command: "mkdir -p .gong && echo changed > .gong/settings.json", target: "home/repo/.gong/settings.json" },
  { name: "Gong's folder by replacing it", command: "mkdir g && echo changed > g/hooks.json && rm -rf .gong; mv -T g .gong", target: "home/repo/.gong/hooks.json" },
  { name: "Gong's own home", command: "echo changed > ~/.gong/settings.json", target: "home/.gong/settings.json" },
  { name: "a setuid program", command: "cp /bin/sh s && chmod u+s s && ./s -pc 'echo changed > ~/new'", target: "home/new" },
  { name: "a root of another kind", command: "unshare -r sh -c 'echo changed > ~/new' || echo changed > ~/new", target: "home/new" },
  { name: "mounting over and unmounting", command: "unshare -rm sh -c 'mount -o remount,bind,rw / 2>/dev/null; umount -l .git/config 2>/dev/null; echo changed > .git/config' || echo changed > .git/config", target: "home/repo/.git/config" },
  { name: "remounting the disk", command: "[ $WHERE = inside ] && mount -o remount,bind,rw /; echo changed > ~/new", target: "home/new" },
  { name: "the process that started it", command: "kill -9 $OUTSIDE && echo changed > killed || { echo no; false; }", target: "home/repo/killed" },
  { name: "tracing a process outside", command: "head -c 1 /proc/$OUTSIDE/environ && echo changed > read", target: "home/repo/read" },
]

function prepare(here: SandboxPlace): void {
  here.put("home/.profile", "mine\n")
  here.put("home/kept/f.txt", "mine\n")
  here.put("temp-other/f", "mine\n")
  here.put("home/.gong/auth.json", "key\n")
  mkdirSync(join(here.home, ".bun/install/bin"), { recursive: true })
  git(here.repo, "init", "--quiet", "--template=")
  symlinkSync(here.home, join(here.repo, "link"))
  symlinkSync(join(here.home, ".profile"), join(here.repo, "file-link"))
}

async function attempt(t: TestContext, escape: Escape, where: "inside" | "outside"): Promise<Attempt> {
  const here = sandboxPlace(t)
  prepare(here)
  const bystander = spawn("sleep", ["1000"], { stdio: "ignore" })
  try {
    const { out } = await here[where](`export WHERE=${where} OUTSIDE=${bystander.pid}; ${escape.command}`)
    const target = here.at(escape.target)
    return { reached: existsSync(target) && readFileSync(target, "utf8").includes("changed"), printed: out }
  } finally {
    bystander.kill("SIGKILL")
  }
}

for (const escape of escapes)
  attack(
    `[SAFE-11] no escape from the sandbox: ${escape.name}`,
    (t, guard) => attempt(t, escape, guard === "on" ? "inside" : "outside"),
    { skip },
  )

test("[SAFE-15] kernel settings are read-only, also for root", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const same = "value=$(cat /proc/sys/vm/swappiness) && echo $value > /proc/sys/vm/swappiness"
  assert.notEqual((await here.inside(same)).code, 0)
  if ((await here.outside(same)).code !== 0) t.skip("whoever runs this may not write to them anyway")
})

test("[SAFE-11] keys in Gong's home are unreadable, and nothing there can be changed", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const gong = here.at("temp/gong")
  here.put("temp/gong/auth.json", "the key")
  here.put("temp/gong/settings.json", "{}")
  here.put("temp/gong/worktree/a", "")
  const more = { kept: [gong], hidden: [join(gong, "auth.json")] }
  const confined = createSandboxedHost(here.plain, {
    ...defaults([here.repo, here.temp, join(gong, "worktree")]),
    ...more,
  })
  const confinedRun = async (command: string) => {
    let out = ""
    const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
    await confined.exec(command, { cwd: here.repo, signal: new AbortController().signal, onData })
    return out
  }
  const read = `cat ${gong}/auth.json; true`
  assert.doesNotMatch(await confinedRun(read), /the key/)
  assert.match((await here.outside(read)).out, /the key/)
  await confinedRun(
    `echo x > ${gong}/settings.json; rm -f ${gong}/auth.json; mv ${gong} ${gong}2; echo x > ${gong}/worktree/a`,
  )
  assert.equal(here.text("temp/gong/settings.json"), "{}")
  assert.equal(here.text("temp/gong/auth.json"), "the key")
  assert.equal(here.text("temp/gong/worktree/a"), "x\n", "but in a root that lies there")
})

test("[SAFE-18] no descendant of a command remains after its exit", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const leave =
    "setsid sh -c 'trap \"\" TERM HUP; while :; do date >> beat; sleep 0.01; done' >/dev/null 2>&1 & until [ -s beat ]; do :; done"
  await here.inside(leave)
  const size = readFileSync(join(here.repo, "beat")).length
  // A surviving process would write while this one runs.
  await here.inside("sleep 0.1")
  assert.equal(readFileSync(join(here.repo, "beat")).length, size)
})
