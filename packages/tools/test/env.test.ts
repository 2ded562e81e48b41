import assert from "node:assert/strict"
import { test } from "node:test"
import { childEnvironment } from "../src/index.ts"

const marks = {
  GONG: "1",
  AI_AGENT: "gong",
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_OPTIONAL_LOCKS: "0",
  CDPATH: "",
}

test("the parent's environment with Gong's markers", () => {
  const { env, withheld } = childEnvironment(
    { HOME: "/h", PAGER: "less", NONE: undefined },
    { keyNames: [], session: "s1" },
  )
  assert.deepEqual(env, { HOME: "/h", ...marks, GONG_SESSION: "s1" })
  assert.deepEqual(withheld, [])
})

test("[BASH-S.21] model keys are withheld by name, and by value under any name", () => {
  const parent = { OPENAI_API_KEY: "k1", MY_COPY: "k2", EMPTY: "", OTHER: "x" }
  const { env, withheld } = childEnvironment(parent, { keyNames: ["OPENAI_API_KEY"], keyValues: ["k2", ""] })
  assert.deepEqual(env, { EMPTY: "", OTHER: "x", ...marks })
  assert.deepEqual(withheld, ["OPENAI_API_KEY", "MY_COPY"])
})

test("allow lets a key pass, deny withholds any name", () => {
  const parent = { A_KEY: "1", B_KEY: "2", C: "3" }
  const options = { keyNames: ["A_KEY", "B_KEY"], allow: ["A_KEY", "B_KEY"], deny: ["B_KEY", "C"] }
  assert.deepEqual(childEnvironment(parent, options).env, { A_KEY: "1", ...marks })
})

test("a server of others receives nothing that looks like a key, by name or by value", () => {
  const secrets = {
    GITHUB_TOKEN: "1",
    GPG_PASSPHRASE: "1",
    NPM_CONFIG__AUTH: "1",
    GH_PAT: "1",
    MYSQL_PWD: "1",
    STRIPE_SK: "1",
    SENTRY_DSN: "1",
    SLACK_WEBHOOK: "1",
    DATABASE_URL: "postgres://u:p@host/db",
  }
  const others = { PWD: "/h", OLDPWD: "/", XDG_SESSION_TYPE: "x11", MONKEY: "1", SITE: "https://user@host/" }
  const { env, withheld } = childEnvironment({ ...secrets, ...others }, { keyNames: [], secrets: false })
  assert.deepEqual(withheld, Object.keys(secrets))
  assert.deepEqual(env, { ...others, ...marks })
})
