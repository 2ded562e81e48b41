import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { openStage } from "./harness.ts"

const header = (name: string, more = "") => `---\nname: ${name}\ndescription: for tests\n${more}---\n`
const words = (count: number) => "several words of a text ".repeat(count)

test("pruning reduces a skill of an earlier task to a line, and keeps a skill of the session", async (t) => {
  const read = (path: string) => ({ calls: [{ name: "read", args: { path } }], usage: false as const })
  const looks = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => read(join("data", `${from + at}.txt`)))
  const stage = await openStage(t)
  const skill = (name: string) => `${stage.gongHome}/skills/${name}/SKILL.md`
  stage.server.begin([
    read(skill("once")),
    read(skill("always")),
    ...looks(0, 3),
    { text: "The first is done.", usage: false },
    ...looks(3, 9),
    { text: "The second is done.", usage: false },
  ])
  const models = { mock: { contextWindow: 16_000, maxOutput: 1_000 } }
  const provider = { baseUrl: `${stage.server.url}/v1`, api: "openai-completions", models }
  stage.write({
    [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { here: provider } }),
    [skill("once")]: `${header("once")}do it once\n${words(150)}`,
    [skill("always")]: `${header("always", "scope: session\n")}do it always\n${words(150)}`,
    ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`data/${at}.txt`, `data ${at}\n${words(180)}`])),
  })
  const gong = (...args: readonly string[]) =>
    stage.gong(["-p", "--yolo", "-m", "here/mock", ...args], {
      env: { GONG_BASE_URL: undefined, GONG_API: undefined, GONG_MODEL: undefined, GONG_API_KEY: undefined },
    })
  const first = await gong("the first")
  assert.equal(first.status, 0, first.err)
  const second = await gong("-c", "the second")
  assert.equal(second.status, 0, second.err)
  const results = (at: number) => {
    const request = stage.server.requests.at(at) ?? assert.fail("there is no such request")
    const { messages } = request.body as { messages: readonly { role: string; content: string }[] }
    return messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []))
  }
  const before = stage.server.requests.findIndex(({ body }) => JSON.stringify(body).includes("no longer in use"))
  assert.match(results(before - 1)[0] ?? "", /do it once/, "until then it stands there whole")
  const [once = "", always = "", data = ""] = results(-1)
  assert.equal(
    once,
    `[The skill "once" stood here; it is no longer in use. Read ${skill("once")} if it is needed again.]`,
  )
  assert.match(always, /do it always/)
  assert.ok(always.length > 3_000, "whole, however old it is")
  assert.match(data, /of this old result were left out/)
})
