import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { test } from "node:test"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { createRunFolder } from "../../../src/host/sandbox/plan/run-folder.ts"
import { confinedEnvironment } from "../../../src/host/sandbox/variables.ts"
import { connect, listen } from "./attack-cases/sockets.ts"
import { noSandbox, sandboxPlace } from "./sandbox-fixture.ts"

const skip = noSandbox

const serve = (path: string) =>
  `node -e 'require("net").createServer((s) => s.end()).listen("${path}")' & until [ -S ${path} ]; do sleep 0.01; done`

test("a command's own sockets work: in the workspace, in temp, and in a tmux terminal", { skip }, async (t) => {
  const here = sandboxPlace(t)
  for (const path of [`${here.repo}/own.sock`, `${here.temp}/own.sock`]) {
    const ran = await here.inside(`${serve(path)}; ${connect(path)}; kill %1`)
    assert.match(ran.out, /^reached$/m, ran.out)
  }
  if (!existsSync("/usr/bin/tmux")) return
  mkdirSync(here.at(`temp/tmux-${process.getuid?.()}`), { mode: 0o700 })
  const tmux = "export TMUX_TMPDIR=$TMPDIR; tmux new-session -d 'sleep 100' && tmux list-sessions && tmux kill-server"
  const ran = await here.inside(tmux)
  assert.equal(ran.code, 0, ran.out)
})

test("sockets of other programs in the workspace work", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const end = await listen(here.at("home/repo/server.sock"))
  t.after(end)
  assert.match((await here.inside(connect(here.at("home/repo/server.sock")))).out, /^reached$/m)
})

test("a socket of a running command in temp works for the next command, until it ends", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const path = here.at("temp/server.sock")
  const running = here.inside(`${serve(path)}; touch ready; until [ -e done ]; do sleep 0.01; done; kill %1`)
  while (!existsSync(here.at("home/repo/ready"))) await new Promise((resolve) => setImmediate(resolve))
  const end = await listen(here.at("temp/other.sock"))
  t.after(end)
  const ran = await here.inside(`${connect(path)}; ${connect(here.at("temp/other.sock"))}`)
  assert.match(ran.out, /^reached\nno: /, ran.out)
  here.put("home/repo/done", "")
  await running
})

test("a revealed socket works, and so does a revealed folder with sockets", { skip }, async (t) => {
  const names = ["one.sock", "folder/two.sock", "three.sock"]
  const here = sandboxPlace(t)
  const revealed = [here.at("temp/one.sock"), here.at("temp/folder")]
  mkdirSync(here.at("temp/folder"))
  for (const name of names) t.after(await listen(here.at(`temp/${name}`)))
  const { inside } = here.again({ revealed })
  const ran = await inside(names.map((name) => connect(here.at(`temp/${name}`))).join("; "))
  assert.match(ran.out, /^reached\nreached\nno: /, ran.out)
})

test("[SAFE-14] variables that lead to session services are removed inside, and kept outside", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const given = {
    SSH_AUTH_SOCK: "/x",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/x",
    XDG_RUNTIME_DIR: "/run/user/1",
    DISPLAY: ":0",
    TMUX: "/x,1,0",
    VSCODE_IPC_HOOK_CLI: "/x",
    DOCKER_HOST: "unix:///x",
  }
  const env = { ...here.plain.env, ...given, OTHER: "stays" }
  const command = `echo "$${Object.keys(given).join("$")}|$OTHER"`
  assert.equal((await here.inside(command, { env })).out, "|stays\n")
  assert.match((await here.inside(command, { env, unsandboxed: true })).out, /^\/x.*\|stays\n$/)
  assert.equal((await here.again({ variables: ["DISPLAY"] }).inside(command, { env })).out, ":0|stays\n")
})

test("the variable of a daemon reached over the network is kept", () => {
  const env = (value: string) => confinedEnvironment({ DOCKER_HOST: value }, [])
  assert.deepEqual(env("tcp://127.0.0.1:2375"), { DOCKER_HOST: "tcp://127.0.0.1:2375" })
  assert.deepEqual(env("unix:///run/user/1000/docker.sock"), {})
  assert.deepEqual(env("ssh://user@host"), {})
})

test("/run keeps only what lookups and programs need: files linked from /etc, and a few folders", async () => {
  const host = createMemoryHost({
    files: {
      "/run/systemd/resolve/stub-resolv.conf": "nameserver 127.0.0.53\n",
      "/run/systemd/resolve/io.systemd.Resolve": "",
      "/run/current-system/sw/bin/bash": "",
      "/run/nscd/socket": "",
      "/run/docker.sock": "",
      "/run/postgresql/.s.PGSQL.5432": "",
      "/run/mysqld/mysqld.sock": "",
      "/etc/hosts": "",
    },
    links: { "/etc/resolv.conf": "/run/systemd/resolve/stub-resolv.conf", "/var/run": "/run" },
  })
  const mounts = await createRunFolder(host, ["/run/postgresql", "/home/u/other"])()
  assert.deepEqual(mounts[0], { how: "empty", path: "/run" })
  const shown = mounts.slice(1).map(({ how, path }) => `${how} ${path}`)
  assert.deepEqual(shown.toSorted(), [
    "read-only /run/current-system",
    "read-only /run/nscd",
    "read-only /run/postgresql",
    "read-only /run/systemd/resolve/stub-resolv.conf",
  ])
})

test("a separate /var/run, as in old containers, is as empty", async () => {
  const files = { "/run/a": "", "/var/run/docker.sock": "" }
  const mounts = await createRunFolder(createMemoryHost({ files }), [])()
  assert.deepEqual(mounts, [
    { how: "empty", path: "/run" },
    { how: "empty", path: "/var/run" },
  ])
})

test("host and user lookups work as outside", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const command = "getent hosts localhost; getent passwd $(id -u); cat /etc/resolv.conf; ls -A /run | grep -c sock"
  const [inside, outside] = [await here.inside(command), await here.outside(command)]
  const lookUps = (out: string) => out.split("\n").slice(0, -2)
  assert.deepEqual(lookUps(inside.out), lookUps(outside.out))
  assert.match(inside.out, /^0$/m)
})

test("a command that fails for a service gets a note that names it and how to get permission", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const note = async (says: string) => (await here.inside(`echo '${says}' >&2; exit 1`)).note
  const text = (service: string) =>
    `[sandbox: ${service} does not answer in the sandbox; the command may work with permission: run it again with unsandboxed: true]`
  const socket = `/run/${readdirSync("/run")[0]}`
  assert.equal(await note(`connection to server on socket "${socket}" failed: No such file or directory`), text(socket))
  assert.equal(await note("Could not open a connection to your authentication agent."), text("the SSH agent"))
  assert.equal(await note(`Cannot connect to unix://${socket}. Is it running?`), text(socket))
  assert.equal(await note("Cannot connect to the Docker daemon. Is it running?"), text("the container daemon"))
  assert.equal(await note("Error: Cannot autolaunch D-Bus without X11"), text("the message bus"))
  assert.equal(await note('xdpyinfo:  unable to open display "".'), text("the display"))
  assert.equal(await note("GET /run/no-such-page/1 failed"), undefined, "nothing of the machine's")
  assert.equal(await note("the bus driver failed to run /runner/x"), undefined)
})
