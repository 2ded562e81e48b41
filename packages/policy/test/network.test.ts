import { inEnglish } from "@gong/testing/in-english"
import assert from "node:assert/strict"
import { test } from "node:test"
import { networkCall } from "../src/decide-network.ts"
import type { PolicyFacts } from "../src/decision.ts"
import { createPolicy } from "../src/policy.ts"
import { parseRule } from "../src/rules.ts"
import { decide, facts, rules, verdict } from "./fixtures.ts"

const known = [
  { host: "registry.npmjs.org", port: 443, near: true },
  { host: "git.example.com", port: 22, near: false },
]
const knownHosts = async () => known

function at(place: string, near = false) {
  const [host = "", port = "443"] = place.split(":")
  return networkCall({ host, port: Number(port) }, near)
}

async function verdicts(places: readonly string[], more: Partial<PolicyFacts>): Promise<string> {
  const all = await Promise.all(places.map((place) => verdict(at(place), facts({ knownHosts, ...more }))))
  return all.join(" ")
}

test("registries and git remotes are allowed at their ports; other hosts need approval or are refused, at every level", async () => {
  const places = [
    "registry.npmjs.org",
    "registry.npmjs.org:22",
    "git.example.com:22",
    "git.example.com",
    "other.example.com",
  ]
  for (const level of ["ask", "auto", "full"] as const) {
    assert.equal(await verdicts(places, { level, interactive: true }), "allow ask allow ask ask", level)
    assert.equal(await verdicts(places, { level }), "allow deny allow deny deny", level)
  }
  assert.equal(await verdicts(places, { level: "plan", interactive: true }), "allow deny allow deny deny")
})

test("network(HOST) is that host at its default ports, compared label by label; a deny rule covers all its ports", async () => {
  const allow = rules("network(a.example.com)", "network(*.example.org)", "network(db.example.com:5432)")
  const given = { allow }
  assert.equal(
    await verdicts(["a.example.com", "A.Example.com:80", "x.y.example.org", "db.example.com:5432"], given),
    "allow allow allow allow",
  )
  const capitals = { allow: rules("network(A.Example.COM)", "network(*.Example.ORG)") }
  assert.equal(await verdicts(["a.example.com", "x.example.org", "b.example.com"], capitals), "allow allow deny")
  const no = [
    "a.example.com:22",
    "xa.example.com",
    "a.example.com.evil.net",
    "example.org",
    "evilexample.org",
    "db.example.com",
  ]
  assert.equal(await verdicts(no, given), "deny deny deny deny deny deny")
  const deny = rules("network(registry.npmjs.org)", "network(localhost:6379)")
  const denied = ["registry.npmjs.org", "registry.npmjs.org:8080", "localhost:6379", "localhost:5432"]
  assert.equal(await verdicts(denied, { deny, allow: rules("network") }), "deny deny deny allow")
  assert.equal(await verdicts(["any.example.net", "any.example.net:25"], { allow: rules("network") }), "allow deny")
})

test("an invalid host in a rule is reported", () => {
  for (const text of [
    "network(https://a.com)",
    "network(a.com/x)",
    "network(*)",
    "network(a.com:*)",
    "network(1 2)",
    "network(a.*.com)",
  ])
    assert.match(JSON.stringify(inEnglish(parseRule(text))), /"problem":".*write a host/, text)
  for (const text of ["network", "network(a.com)", "Network(*.a.com:80)", "network(localhost:25)"])
    assert.equal(parseRule(text).ok, true, text)
})

test("loopback services are allowed, but not proxies and remote-control ports, unless a rule names the port", async () => {
  const services = [
    "localhost:5432",
    "localhost:6379",
    "localhost:5173",
    "localhost:22",
    "localhost:2375",
    "localhost:7890",
    "localhost:9229",
  ]
  assert.equal(await verdicts(services, {}), "allow allow allow deny deny deny deny")
  assert.equal(
    await verdicts(["localhost:22", "localhost:2375"], { allow: rules("network(localhost:22)") }),
    "allow deny",
  )
})

test("a host in a private network is allowed only by its exact name in a rule or the known hosts; otherwise a second question is asked", async () => {
  const near = async (place: string, more: Partial<PolicyFacts> = {}) =>
    verdict(at(place, true), facts({ knownHosts, ...more }))
  assert.equal(await near("registry.npmjs.org"), "allow")
  assert.equal(await near("git.example.com:22"), "deny", "a remote may come with an unpacked repository")
  assert.equal(await near("git.example.com:22", { allow: rules("network(git.example.com:22)") }), "allow")
  assert.equal(await near("a.example.com", { allow: rules("network(*.example.com)") }), "deny")
  assert.equal(await near("a.example.com", { allow: rules("network") }), "deny")
  const asked = await decide(at("a.example.com", true), facts({ interactive: true }))
  assert.deepEqual(asked, { verdict: "ask", reason: "it lies in a private network" })

  const policy = createPolicy(facts({ interactive: true }))
  await policy.decide(at("a.example.com"))
  await policy.remember(at("a.example.com"), "session")
  assert.equal((await policy.decide(at("a.example.com"))).verdict, "allow")
  assert.equal((await policy.decide(at("a.example.com", true))).verdict, "ask", "where it leads was not known then")
  await policy.remember(at("a.example.com", true), "session")
  assert.equal((await policy.decide(at("a.example.com", true))).verdict, "allow")
})

test("a question suggests a rule for its host alone; always stores that rule; the headless refusal names it", async () => {
  const kept: string[] = []
  const policy = createPolicy(facts({ interactive: true, storeRule: async (rule) => void kept.push(rule) }))
  const asked = await policy.decide(at("docs.example.com"))
  const suggestedRule = "network(docs.example.com)"
  const rules = { suggestedRule, rulesFile: "/home/u/.gong/permissions.json" }
  assert.deepEqual(inEnglish(asked), { verdict: "ask", reason: "a command wants to connect to it", rules })
  await policy.remember(at("docs.example.com"), "always")
  assert.deepEqual(kept, [suggestedRule])
  assert.equal((await policy.decide(at("docs.example.com"))).verdict, "allow")
  assert.equal((await policy.decide(at("other.example.com"))).verdict, "ask")
  const refused = await decide(at("db.example.com:5432"), facts())
  assert.ok(refused.verdict === "deny" && refused.toModel.includes('--allow "network(db.example.com:5432)"'))
})

test("names outside public DNS are refused without a question, unless a rule names them", async () => {
  const places = ["nonexistent.invalid", "intranet", "x.test", "printer.local", "metadata.google.internal"]
  assert.equal(await verdicts(places, { interactive: true }), "deny deny deny deny deny")
  assert.equal(await verdicts(["intranet"], { allow: rules("network(intranet)") }), "allow")
})

test("the permitted ports are those of rules, registries and remotes", async () => {
  const policy = createPolicy(
    facts({ knownHosts, allow: rules("network(db.example.com:5432)", "bash(x:9)", "network(a.com:443)") }),
  )
  assert.deepEqual(await policy.hostPorts(), [5432, 22])
})
