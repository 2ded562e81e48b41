import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { englishOf, type Host, type Hosts } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { createMemoryHost } from "@gong/tools/host/memory"
import { type OpenedSession, openSession, type SessionOptions } from "../../src/compose/open-session.ts"
import { readClientInput } from "../../src/compose/input/client-input.ts"
import { readConfig } from "../../src/compose/config.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { must } from "@gong/config/usage"
import { systemClock } from "../../src/ports.ts"
import { activeContentOf } from "../../src/compose/permissions/trust.ts"
import { storeCopies } from "@gong/config/trust/copies"
import { readTrust, saveTrust } from "@gong/config/trust/store"
import { english } from "@gong/texts/translator"
import { servicesOf } from "./services.ts"

const skill = (whose: string) => `---\nname: ship\ndescription: Ships ${whose}.\n---\nShip it.\n`

/** Files of the host's folder, and different files under the same paths on this machine. */
const files = (whose: string): Readonly<Record<string, string>> => ({
  ".git/HEAD": `ref: ${whose}`,
  "AGENTS.md": `Instructions ${whose}.`,
  "sub/AGENTS.md": `Nested ${whose}.`,
  "a.txt": `text ${whose}\n`,
  ".gong/settings.json": JSON.stringify({ "compaction.keepRecentTokens": whose === "of the host" ? 4321 : 1234 }),
  ".gong/APPEND_SYSTEM.md": `Appended ${whose}.`,
  ".gong/skills/ship/SKILL.md": skill(whose),
  ".gong/prompts/deploy.md": `Deploy ${whose}.`,
  ".gong/extensions/x.mjs": `throw new Error("${whose}")\n`,
})

const changing = [
  { name: "read", arguments: { path: "a.txt" } },
  { name: "write", arguments: { path: "a.txt", content: "changed\n" } },
]

interface Place {
  readonly world: ReturnType<typeof servicesOf>
  readonly printed: string[]
  readonly host: Host
  readonly hosts: Hosts
  text(path: string): Promise<string>
  open(spec: SessionSpec, own?: SessionOptions): Promise<OpenedSession>
  /** Files of this machine below the folder now. */
  here(): Readonly<Record<string, string>>
}

function place(t: TestContext): Place {
  const printed: string[] = []
  const write = (line: string): void => void printed.push(line)
  const world = Object.assign(servicesOf(t), { err: write, out: write })
  const at = (path: string) => join(world.cwd, path)
  for (const [path, text] of Object.entries(files("of this machine"))) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  const own = Object.fromEntries(Object.entries(files("of the host")).map(([path, text]) => [at(path), text]))
  const host = createMemoryHost({ id: "test", cwd: world.cwd, files: own })
  const hosts: Hosts = {
    open: async (id, where) => (id === "test" ? { ok: true, host } : world.hosts.open(id, where)),
  }
  return {
    world,
    printed,
    host,
    hosts,
    text: async (path) => Buffer.from(await host.readRange(at(path), 0)).toString(),
    async open(spec, own = {}) {
      const app = must(await openSession({ trust: "yes", host: "test", ...spec }, { ...world, hosts }, own))
      t.after(() => app.close())
      return app
    },
    here: () =>
      Object.fromEntries(
        readdirSync(world.cwd, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path.slice(world.cwd.length + 1), readFileSync(path, "utf8")]),
      ),
  }
}

test("settings, trust and workspace of a folder come from the session's host", async (t) => {
  const { world, hosts, host } = place(t)
  const where = { hosts, id: "test" }
  const config = must(await readConfig(world, { trust: "yes" }, where))
  assert.deepEqual([config.host.id, config.workspace.host, config.workspace.folder], ["test", "test", world.cwd])
  assert.equal(config.settings.values["compaction.keepRecentTokens"], 4321)
  assert.deepEqual(await config.trusted?.read(".gong/prompts/deploy.md"), { ok: true, text: "Deploy of the host." })
  await host.replaceFile(join(world.cwd, ".gong/prompts/deploy.md"), Buffer.from("other"))
  const problem = "changed since this folder was trusted"
  assert.deepEqual(await config.trusted?.read(".gong/prompts/deploy.md"), { ok: false, problem })
})

test("trust in a folder of this machine does not apply to the same path on another host", async (t) => {
  const { world, hosts, host } = place(t)
  const home = world.env["GONG_HOME"] ?? ""
  const content = await activeContentOf(english, host, world.cwd, home)
  const decision = { trusted: true, files: Object.fromEntries(content.files) }
  must(saveTrust(english, home, world.cwd, decision))
  assert.equal(must(await readConfig(world, {}, { hosts, id: "test" })).trusted, null)
  must(saveTrust(english, home, `test:${world.cwd}`, decision))
  assert.notEqual(must(await readConfig(world, {}, { hosts, id: "test" })).trusted, null)
  await storeCopies(home, content, decision.files)
  assert.deepEqual([...readTrust(english, home).store.keys()], [world.cwd, `test:${world.cwd}`])
})

test("instructions, skills, templates, mentions, tools, diff, undo and redo act on the session's host alone", async (t) => {
  const { world, open, text, here } = place(t)
  const before = here()
  const calls = [...changing, { name: "read", arguments: { path: "sub/AGENTS.md" } }]
  const provider = scriptedProvider([{ calls }, { text: "done" }], { clock: systemClock })
  const app = await open({}, { provider })
  const { session, resources } = app
  assert.equal(session.history.store.info.host, "test")
  const names = ({ level }: { readonly level: string }) => level === "project"
  assert.deepEqual(
    resources.skills.filter(names).map(({ description }) => description),
    ["Ships of the host."],
  )
  assert.deepEqual(
    resources.templates.filter(names).map(({ body }) => body),
    ["Deploy of the host."],
  )
  assert.deepEqual(
    resources.contextFiles.map((file) => file.text),
    ["Instructions of the host."],
  )
  assert.deepEqual(
    resources.diagnostics.map(({ text: line }) => englishOf(line)),
    ["extensions of a folder on another host are not loaded."],
  )
  const input = await readClientInput(
    { services: world, spec: {}, host: app.host, cwd: app.info.cwd },
    { text: "look at @a.txt", mentions: true },
  )
  assert.match(must(input).text, /text of the host/)

  assert.equal((await session.prompt("go")).status, "done")
  assert.equal(await text("a.txt"), "changed\n")
  const asked = JSON.stringify(provider.requests)
  for (const wanted of ["Instructions of the host", "Appended of the host", "Ships of the host", "Nested of the host"])
    assert.ok(asked.includes(wanted), wanted)
  assert.ok(!asked.includes("of this machine"))

  const [changed] = await session.diff()
  assert.deepEqual(changed?.lines.slice(-2), ["-text of the host", "+changed"])
  assert.deepEqual((await session.undo()).restored, [join(world.cwd, "a.txt")])
  assert.equal(await text("a.txt"), "text of the host\n")
  assert.deepEqual((await session.redo()).restored, [join(world.cwd, "a.txt")])
  assert.equal(await text("a.txt"), "changed\n")
  await app.shutdown()
  assert.deepEqual(here(), before)
})

test("a session of an unknown host is not resumed, with one line of explanation", async (t) => {
  const { world, open, here } = place(t)
  const script = () => scriptedProvider([{ calls: changing }, { text: "done" }], { clock: systemClock })
  const app = await open({}, { provider: script() })
  await app.session.prompt("go")
  const { id } = app.session
  await app.shutdown()
  const before = here()
  const refused = await openSession({ tape: { kind: "stored", session: id } }, world, { provider: script() })
  assert.deepEqual(!refused.ok && refused.error.lines, ['gong: there is no host "test" here.'])
  assert.deepEqual(here(), before)

  const again = await open({ host: "local", cwd: "/", tape: { kind: "stored", session: id } }, { provider: script() })
  assert.deepEqual([again.info.resumed, again.host.id, again.info.cwd], [true, "test", world.cwd])
  assert.deepEqual((await again.session.undo()).restored, [join(world.cwd, "a.txt")])
})
