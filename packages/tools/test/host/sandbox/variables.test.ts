import assert from "node:assert/strict"
import { test } from "node:test"
import { setInside } from "../../../src/host/sandbox/variables.ts"

test("a variable that loads code is set inside the sandbox, not for the programs that set it up", () => {
  const env = { PATH: "/bin", LD_PRELOAD: "/repo/x.so", GCONV_PATH: "/repo", OLD_VERSION: "1" }
  assert.deepEqual(setInside(env, ["node", "server.mjs"]), {
    env: { PATH: "/bin", OLD_VERSION: "1" },
    command: ["/usr/bin/env", "LD_PRELOAD=/repo/x.so", "GCONV_PATH=/repo", "node", "server.mjs"],
  })
  assert.deepEqual(setInside({ PATH: "/bin" }, ["ls"]), { env: { PATH: "/bin" }, command: ["ls"] })
})
