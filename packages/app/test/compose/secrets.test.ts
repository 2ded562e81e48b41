import assert from "node:assert/strict"
import { userInfo } from "node:os"
import { test } from "node:test"
import { hiddenSecrets, readReveal } from "../../src/compose/sandbox/secrets.ts"
import { servicesOf } from "./services.ts"

test("sandbox.reveal accepts names of the table and paths; an unknown name is a usage error", (t) => {
  const world = servicesOf(t)
  const read = readReveal(["npm", "~/.ssh/known_hosts", "./x", "/etc/x"], world)
  const paths = [`${world.userHome}/.ssh/known_hosts`, `${world.cwd}/x`, "/etc/x"]
  assert.deepEqual(read, { ok: true, value: { names: ["npm"], paths } })
  const unknown = readReveal(["npn"], world)
  assert.ok(!unknown.ok)
  assert.match(unknown.error.lines.join(), /^gong: sandbox\.reveal: there is no secret "npn"\. Did you mean npm\?/)
})

test("secret paths are hidden from commands: of this user by HOME and by the user database, as root of all users", (t) => {
  const world = servicesOf(t)
  const bases = (uid: number) => new Set(hiddenSecrets({ ...world, uid }, none).map(({ base }) => base))
  assert.deepEqual([...bases(1000)], [world.userHome, userInfo().homedir])
  assert.ok(bases(0).has("/root"))
  const names = (revealed: readonly string[]) =>
    new Set(hiddenSecrets(world, { ...none, names: revealed }).map(({ name }) => name))
  assert.equal(names(["ssh"]).has("ssh"), false)
  assert.equal(names([]).size - names(["ssh", "npm"]).size, 2)
})

const none = { names: [], paths: [] }
