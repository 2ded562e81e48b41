import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { SecretPath } from "../../../../src/host/sandbox/index.ts"
import type { MoreOptions, SandboxPlace } from "../sandbox-fixture.ts"
import { type Attack, perl, perlCommand } from "./cases.ts"

/** The content of each secret, on a line of its own. */
const key = "reached\n"

/** Paths in a home from the table of the policy. */
export function secretsIn(base: string): readonly SecretPath[] {
  const whole = [".ssh", ".netrc", ".aws", ".config/gcloud", ".codex/auth.json", ".bash_history"]
  return [
    ...whole.map((path) => ({ name: "keys", base, path })),
    { name: "npm", base, path: ".npmrc", blank: (text) => text.replace(key, "") },
    { name: "java", base, path: ".gradle/gradle.properties", blank: (text) => text.replace(key, "") },
  ]
}

export const withSecrets: MoreOptions = ({ home }) => ({ secrets: secretsIn(home) })

/** The home itself is a root, so all parent folders of the secrets could be renamed. */
const inWholeHome: MoreOptions = ({ home, temp }) => ({ secrets: secretsIn(home), roots: [home, temp] })

export function put(path: string, text = key): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

type More = Partial<Omit<Attack, "name" | "command">> & { readonly at?: string }

/** Reads a secret at this path below the test folder. */
function reads(name: string, command: string | ((here: SandboxPlace) => string), more: More = {}): Attack {
  const { at = "home/.ssh/id", before, ...rest } = more
  return {
    name,
    options: withSecrets,
    ...rest,
    async before(here) {
      put(here.at(at))
      return (await before?.(here)) ?? (() => undefined)
    },
    command: (here) => (typeof command === "string" ? command : command(here)),
  }
}

/** Done before the command and never undone, since everything is in the test folder. */
function done(work: (here: SandboxPlace) => void): NonNullable<Attack["before"]> {
  return async (here) => {
    work(here)
    return () => undefined
  }
}

let outsider = 0

/**
 * A process with the key open and in its environment, like Gong. A separate program, because the kernel protects one
 * that was root's.
 */
async function startOutsider(here: SandboxPlace): Promise<() => unknown> {
  const id = openSync(here.at("home/.ssh/id"), "r")
  const env = { PATH: "/usr/bin:/bin", KEY: `\n${key}` }
  const child = spawn("sleep", ["1000"], { stdio: ["ignore", "ignore", "ignore", id], env })
  closeSync(id)
  await once(child, "spawn")
  outsider = child.pid ?? 0
  return () => child.kill("SIGKILL")
}

const inUserNamespace = (script: string) => `unshare -Urm sh -c '${script}'`

export const secretAttacks: readonly Attack[] = [
  reads("a private key", "cat ~/.ssh/id"),
  reads("a file of passwords", "cat ~/.netrc", { at: "home/.netrc" }),
  reads("a key deep in the home", "cat ~/.config/gcloud/a/b/key", { at: "home/.config/gcloud/a/b/key" }),
  reads("what was typed in shells", "tail ~/.bash_history", { at: "home/.bash_history" }),
  reads("a key among settings", "cat ~/.npmrc", { at: "home/.npmrc" }),
  reads("a key among settings in a cache", "cat ~/.gradle/gradle.properties", { at: "home/.gradle/gradle.properties" }),
  reads("all that a search of the home finds", "grep -rhs '^reached$' ~", { at: "home/.codex/auth.json" }),
  reads("a copy of the folder", "rm -rf mine; cp -r ~/.ssh mine; cat mine/id"),
  reads("an archive of the home", "tar cf - -C ~ .ssh 2>/dev/null | tar xf - -O"),
  reads("a link of the command's own making", "ln -s ~/.ssh/id link; cat link; rm link"),
  reads("a hard link of the command's own making", "ln ~/.netrc here; cat here; rm -f here", { at: "home/.netrc" }),
  reads("a folder that is a link, by the link", "cat ~/.aws/credentials", {
    at: "other/aws/credentials",
    before: done((here) => symlinkSync(here.at("other/aws"), here.at("home/.aws"))),
  }),
  reads("a folder that is a link, by its own name", (here) => `cat ${here.at("other/aws/credentials")}`, {
    at: "other/aws/credentials",
    before: done((here) => symlinkSync(here.at("other/aws"), here.at("home/.aws"))),
  }),
  reads("a folder below a link, by its own name", (here) => `cat ${here.at("other/gcloud/key")}`, {
    at: "other/gcloud/key",
    before: done((here) => symlinkSync(here.at("other"), here.at("home/.config"))),
  }),
  reads("a place that a variable names", (here) => `cat ${here.at("elsewhere/kube")}`, {
    at: "elsewhere/kube",
    options: ({ home }) => ({
      secrets: [{ name: "kube", base: "/", path: join(dirname(home), "elsewhere/kube").slice(1) }],
    }),
  }),
  reads("the home of another user", (here) => `cat ${here.at("others/.ssh/id")}`, {
    at: "others/.ssh/id",
    options: ({ home }) => ({ secrets: secretsIn(join(dirname(home), "others")) }),
  }),
  reads("a key where the home is the workspace", "cat ~/.ssh/id", { options: inWholeHome }),
  reads("a key that is moved away in a home that is the workspace", "mv ~/.ssh ~/x; cat ~/x/id ~/.ssh/id", {
    options: inWholeHome,
  }),
  reads("a key whose folder is moved away for the next command", "mv ~/.config ~/x; cat ~/x/gcloud/key", {
    at: "home/.config/gcloud/key",
    options: inWholeHome,
  }),
  reads("a file that is removed and put back", "mv ~/.netrc ~/n; cat ~/n", { at: "home/.netrc", options: inWholeHome }),
  reads("a key to which a file of settings is made a link", "cat ~/.netrc", {
    at: "home/.netrc",
    options: inWholeHome,
    before: done((here) => symlinkSync(".netrc", here.at("home/.npmrc"))),
  }),
  reads("a key in a folder to which a file of settings is made a link", "cat ~/.ssh/id", {
    options: inWholeHome,
    before: done((here) => symlinkSync(".ssh/id", here.at("home/.npmrc"))),
  }),
  reads("the root of a process", "cat /proc/self/root$HOME/.ssh/id"),
  reads("the root of a process outside", (here) => `cat /proc/${outsider}/root${here.home}/.ssh/id`, {
    before: startOutsider,
  }),
  reads("the environment of a process outside", () => `tr '\\0' '\\n' </proc/${outsider}/environ | grep '^reached$'`, {
    before: startOutsider,
  }),
  reads("a file that a process outside has open", () => `cat /proc/${outsider}/fd/3`, { before: startOutsider }),
  reads("what is laid over, taken away in a user namespace", inUserNamespace("umount ~/.ssh; cat ~/.ssh/id"), {
    programs: ["/usr/bin/unshare"],
  }),
  reads("the home bound elsewhere", inUserNamespace("mount --bind ~ /mnt; cat /mnt/.ssh/id"), {
    programs: ["/usr/bin/unshare"],
  }),
  reads("the home bound elsewhere with all in it", inUserNamespace("mount --rbind ~ /mnt; cat /mnt/.ssh/id"), {
    programs: ["/usr/bin/unshare"],
  }),
  reads("a folder that is moved by a mount", inUserNamespace("mount --move ~/.ssh /mnt; cat ~/.ssh/id"), {
    programs: ["/usr/bin/unshare"],
  }),
  reads(
    "an overlay over the home",
    inUserNamespace(
      "mount -t tmpfs x /mnt; mkdir /mnt/u /mnt/w /mnt/m; mount -t overlay -o lowerdir=$HOME,upperdir=/mnt/u,workdir=/mnt/w x /mnt/m; cat /mnt/m/.ssh/id",
    ),
    { programs: ["/usr/bin/unshare"] },
  ),
]

/** Works outside only as root. */
export const rootSecretAttacks: readonly Attack[] = [
  reads("the home where it is mounted a second time", (here) => `cat ${here.at("again/.ssh/id")}`, {
    roots: true,
    before: async (here) => {
      mkdirSync(here.at("again"))
      const { status } = spawnSync("mount", ["--bind", here.home, here.at("again")])
      if (status !== 0) throw new Error("it was not mounted")
      return () => spawnSync("umount", [here.at("again")])
    },
  }),
  reads(
    "processes where they are mounted a second time",
    (here) => `cat ${here.at("proc")}/${outsider}/root${here.home}/.ssh/id`,
    {
      roots: true,
      before: async (here) => {
        mkdirSync(here.at("proc"))
        spawnSync("mount", ["-t", "proc", "proc", here.at("proc")])
        const end = await startOutsider(here)
        return () => [end(), spawnSync("umount", [here.at("proc")])]
      },
    },
  ),
  ...(process.arch === "x64" ? [byHandle()] : []),
]

/** Opens the file by its inode, without a path. */
function byHandle(): Attack {
  const [nameToHandle, openByHandle] = [303, 304]
  let handle = ""
  return reads(
    "a file by its handle",
    () =>
      perlCommand(
        `open(D, "<", $ENV{HOME}) or die; $h = pack("H*", "${handle}"); $f = syscall(${openByHandle}, fileno(D), $h, 0); die $! if $f < 0; open(F, "<&=", $f); print <F>`,
      ),
    {
      roots: true,
      programs: [perl],
      before: async (here) => {
        const ask = `$h = pack("Ii", 128, 0) . chr(0) x 128; $m = pack("i", 0); $p = "${here.at("home/.ssh/id")}"; syscall(${nameToHandle}, -100, $p, $h, $m, 0) == 0 or die $!; print unpack("H*", $h)`
        handle = spawnSync(perl, ["-e", ask], { encoding: "utf8" }).stdout
        return () => undefined
      },
    },
  )
}
