import assert from "node:assert/strict"
import { test } from "node:test"
import { answers, place } from "./answers.ts"

test("find_files finds paths by characters in their order, the best match first, without ignored ones", async (t) => {
  const program = await place(t)
  program.write({
    "src/user/controller.ts": "",
    "src/user/view.ts": "",
    "user.md": "",
    "dist/user.js": "",
    "文档/用户手册.md": "",
    ".gitignore": "dist/\n",
  })
  const queries = ["user", "srcview", "用户", "", "nothing-like-it"]
  const found = await answers(program, [
    ...queries.map((query) => ({ type: "find_files", query })),
    { type: "find_files", query: "user", limit: 1 },
    { type: "find_files" },
  ])
  const data = found.map((one) => (one as readonly unknown[])[1])
  const complete = true
  assert.deepEqual(data.slice(0, 4), [
    { paths: ["src/user/", "user.md", "src/user/view.ts", "src/user/controller.ts"], more: false, complete },
    { paths: ["src/user/view.ts"], more: false, complete },
    { paths: ["文档/用户手册.md"], more: false, complete },
    { paths: ["文档/", "src/", "user.md", ".gitignore"], more: false, complete },
  ])
  assert.deepEqual(data.slice(4, 6), [
    { paths: [], more: false, complete },
    { paths: ["src/user/"], more: true, complete },
  ])
  assert.match(JSON.stringify(data[6]), /find_files: arguments must have required properties query/)
})

test("a long path of equal letters does not hold up find_files", async (t) => {
  const program = await place(t)
  program.write({ [`${"e".repeat(200)}.ts`]: "" })
  const [found] = await answers(program, [{ type: "find_files", query: "eeeeeeee1" }])
  assert.deepEqual(found, ["find_files", { paths: [], more: false, complete: true }])
})
