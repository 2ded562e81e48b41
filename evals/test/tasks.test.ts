import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { runCheck, writeFiles } from "../check.ts"
import type { Task } from "../task.ts"
import { tasks } from "../tasks.ts"

function workspaceOf({ files }: Pick<Task, "files">): string {
  const folder = mkdtempSync(join(tmpdir(), "gong-eval-"))
  writeFiles(folder, { "package.json": '{ "type": "module" }\n', ...files })
  return folder
}

test("there are at least 20 evaluation tasks, each with its own name and one sentence", () => {
  assert.ok(tasks.length >= 20, `${tasks.length}`)
  assert.equal(new Set(tasks.map(({ id }) => id)).size, tasks.length)
  for (const { prompt } of tasks) assert.match(prompt, /^[^\n]{20,140}\.$/)
})

for (const task of tasks)
  test(`the check of the evaluation task ${task.id} refuses the fault and accepts the repair`, async (t) => {
    const workspace = workspaceOf(task)
    t.after(() => rmSync(workspace, { recursive: true, force: true }))
    assert.match((await runCheck(task, workspace)) ?? "", /Error|exit|Command failed/)
    writeFiles(workspace, task.repair)
    assert.equal(await runCheck(task, workspace), null)
  })
