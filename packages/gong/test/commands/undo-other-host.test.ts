import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { openSession } from "@gong/app/compose/open-session"
import { systemClock } from "@gong/app/ports"
import type { Hosts } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { servicesOf } from "../services.ts"
import { createMemoryHost } from "@gong/tools/host/memory"
import { undo } from "../../src/commands/undo.ts"
import type { Cli } from "../../src/cli.ts"

test("gong undo of a session on another host is an error of one line", async (t) => {
  const printed: string[] = []
  const write = (line: string): void => void printed.push(line)
  const services = { ...servicesOf(t), warn: write }
  const path = join(services.cwd, "new.txt")
  const host = createMemoryHost({ id: "test", cwd: services.cwd, files: {} })
  const hosts: Hosts = {
    open: async (id, where) => (id === "test" ? { ok: true, host } : services.hosts.open(id, where)),
  }
  const calls = [{ name: "write", arguments: { path: "new.txt", content: "after\n" } }]
  const provider = scriptedProvider([{ calls }, { text: "done" }], { clock: systemClock })
  const opened = await openSession(
    { trust: "yes", host: "test", permission: "auto" },
    { ...services, hosts },
    { provider },
  )
  assert.ok(opened.ok)
  const { session } = opened.value
  assert.equal((await session.prompt("go")).status, "done")
  await opened.value.shutdown()
  const cli = { ...services, err: write, out: write } as unknown as Cli
  assert.equal(await undo(cli, { session: session.id }, []), 2)
  assert.deepEqual(printed.length, 1)
  assert.match(
    printed[0] ?? "",
    /^gong: session \w+ works on another host, so it can only be read here: there is no host "test" here\.\n$/,
  )
  assert.equal(Buffer.from(await host.readRange(path, 0)).toString(), "after\n")
})
