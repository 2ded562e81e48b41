import { spawn, spawnSync } from "node:child_process"
import { existsSync, linkSync, mkdirSync, rmSync, unlinkSync } from "node:fs"
import { createServer } from "node:net"
import { basename, dirname, join } from "node:path"
import { killGroup } from "@gong/testing/processes"
import type { SandboxPlace } from "../sandbox-fixture.ts"
import { type Attack, perl, perlCommand } from "./cases.ts"

/** Connects, and reports success. */
export function connect(path: string): string {
  return perlCommand(
    `use IO::Socket::UNIX; print IO::Socket::UNIX->new(Peer => "${path}") ? "reached\\n" : "no: $!\\n"`,
  )
}

/** A listener in this process, which is outside; returns its cleanup. */
export async function listen(path: string): Promise<() => unknown> {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve))
  return () => server.close()
}

/** A daemon that is ready when its socket exists. */
async function daemon(
  argv: readonly string[],
  socket: string,
  env: Record<string, string> = {},
): Promise<() => unknown> {
  const [program = "", ...args] = argv
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env }, detached: true })
  for (let round = 0; round < 1000 && !existsSync(socket); round++) await new Promise((done) => setTimeout(done, 10))
  return () => killGroup(child, "SIGKILL")
}

/** A socket at this path below the test folder. */
function at(name: string, path: string): Attack {
  return {
    name,
    programs: [perl],
    before(here) {
      mkdirSync(dirname(here.at(path)), { recursive: true })
      return listen(here.at(path))
    },
    command: (here) => connect(here.at(path)),
  }
}

const agent = "temp/ssh-aB3/agent.1"
const bus = "temp/bus"
const terminal = "temp/terminal"
const keys = "home/keys/S.gpg-agent"

/** Services of the machine that listen on a socket with a path. */
export const socketAttacks: readonly Attack[] = [
  {
    name: "a real ssh-agent in the temporary folder",
    programs: ["/usr/bin/ssh-agent", "/usr/bin/ssh-add"],
    before(here) {
      mkdirSync(dirname(here.at(agent)))
      return daemon(["/usr/bin/ssh-agent", "-D", "-a", here.at(agent)], here.at(agent))
    },
    // 1: no keys; 2: no agent.
    command: (here) => `SSH_AUTH_SOCK=${here.at(agent)} ssh-add -l; [ $? = 1 ] && echo reached`,
  },
  {
    name: "a real gpg-agent in the home",
    programs: ["/usr/bin/gpg-agent", "/usr/bin/gpg-connect-agent"],
    before(here) {
      const folder = dirname(here.at(keys))
      mkdirSync(folder, { mode: 0o700 })
      return daemon(["/usr/bin/gpg-agent", "--homedir", folder, "--daemon", "--no-detach"], here.at(keys))
    },
    command: () =>
      "cd ../keys && GNUPGHOME=$PWD gpg-connect-agent --no-autostart 'GETINFO pid' /bye | grep -q ^D && echo reached",
  },
  {
    name: "a real message bus in the temporary folder",
    programs: ["/usr/bin/dbus-daemon", "/usr/bin/dbus-send"],
    before: (here) =>
      daemon(["/usr/bin/dbus-daemon", "--session", "--nofork", `--address=unix:path=${here.at(bus)}`], here.at(bus)),
    command: (here) =>
      `DBUS_SESSION_BUS_ADDRESS=unix:path=${here.at(bus)} dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId && echo reached`,
  },
  {
    name: "a real terminal of tmux at a place of its own",
    programs: ["/usr/bin/tmux"],
    before(here) {
      tmux(["-S", here.at(terminal), "new-session", "-d", "sleep 1000"])
      return Promise.resolve(() => spawnSync("/usr/bin/tmux", ["-S", here.at(terminal), "kill-server"]))
    },
    command: (here) => `tmux -S ${here.at(terminal)} list-sessions && echo reached`,
  },
  {
    name: "a real terminal of tmux where it usually is",
    programs: ["/usr/bin/tmux"],
    before(here) {
      const env = { ...process.env, TMUX_TMPDIR: here.temp, TMUX: "" }
      tmux(["new-session", "-d", "sleep 1000"], env)
      return Promise.resolve(() => spawnSync("/usr/bin/tmux", ["kill-server"], { env }))
    },
    command: (here) => `TMUX_TMPDIR=${here.temp} tmux list-sessions && echo reached`,
  },
  at("a container daemon's socket in the home", "home/.colima/default/docker.sock"),
  at("a display in the temporary folder", "temp/.X11-unix/X7"),
  at("a runtime folder elsewhere", "other/runtime/wayland-0"),
  at("an editor's socket beside the workspace", "home/.editor/ipc.sock"),
  at("a name with blanks", "temp/with blanks/a b.sock"),
  {
    name: "one that is reached through a link of the command's own making",
    programs: [perl],
    before: (here) => listen(here.at("temp/real.sock")),
    command: (here) => `ln -s ${here.at("temp/real.sock")} link; ${connect("link")}; rm link`,
  },
  {
    name: "one that is reached through a hard link that was there",
    programs: [perl],
    async before(here) {
      const end = await listen(here.at("temp/mux.Ab3dEf6hIj9lMn2p"))
      linkSync(here.at("temp/mux.Ab3dEf6hIj9lMn2p"), here.at("temp/mux"))
      unlinkSync(here.at("temp/mux.Ab3dEf6hIj9lMn2p"))
      return end
    },
    command: (here) => connect(here.at("temp/mux")),
  },
  {
    name: "one that was bound by a relative name",
    programs: [perl],
    before(here) {
      const wait = perlCommand(
        `use IO::Socket::UNIX; $s = IO::Socket::UNIX->new(Local => "near.sock", Listen => 1); sleep 1000`,
      )
      return daemon(["/bin/sh", "-c", `cd ${here.temp} && exec ${wait}`], here.at("temp/near.sock"))
    },
    command: (here) => connect(here.at("temp/near.sock")),
  },
  {
    name: "messages without a connection",
    programs: [perl],
    before(here) {
      const wait = perlCommand(
        `use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, sockaddr_un("${here.at("temp/log")}")); sleep 1000`,
      )
      return daemon(["/bin/sh", "-c", `exec ${wait}`], here.at("temp/log"))
    },
    command: (here) =>
      perlCommand(
        `use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); print connect(S, sockaddr_un("${here.at("temp/log")}")) ? "reached\\n" : "no: $!\\n"`,
      ),
  },
]

/** The shell is given, because system accounts have one that exits at once. */
function tmux(words: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, stderr } = spawnSync("/usr/bin/tmux", words, { env: { ...env, SHELL: "/bin/sh" }, encoding: "utf8" })
  if (status !== 0) throw new Error(`tmux did not start: ${stderr}`)
}

/** Only root can create files in `/run`. */
export const runAttacks: readonly Attack[] = [
  { folder: "/run", name: "a service in /run" },
  { folder: "/var/run", name: "a service in /var/run" },
  { folder: "/var/lib", name: "a service in /var/lib" },
].map(({ folder, name }) => {
  const path = (here: SandboxPlace) => join(folder, basename(here.at("")), "service.sock")
  return {
    name,
    programs: [perl],
    async before(here) {
      mkdirSync(dirname(path(here)))
      const end = await listen(path(here))
      return () => {
        end()
        rmSync(dirname(path(here)), { recursive: true })
      }
    },
    command: (here) => connect(path(here)),
  }
})

/** An abstract name is in no folder: only the network namespace decides. */
export const abstractAttack: Attack = {
  name: "an abstract socket, where the network is off",
  programs: [perl],
  options: { network: false },
  before: (here) => listen(`\0${here.at("abstract")}`),
  command: (here) =>
    perlCommand(
      `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); print connect(S, pack("S a*", AF_UNIX, "\\0${here.at("abstract")}")) ? "reached\\n" : "no: $!\\n"`,
    ),
}
