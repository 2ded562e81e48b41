import { existsSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { phrase } from "@gong/spec"
import { type Answer, refuse } from "../controller/answer.ts"
import type { ControllerState } from "../controller/api.ts"
import type { ExportData } from "../controller/data.ts"

/** The default file of an export. Ids begin with their time, so their ends are used. */
export function exportName(id: string): string {
  return `gong-${id.slice(-8)}.md`
}

/** Writes the open session to a file that does not exist yet. */
export async function newFile(controller: ControllerState, wanted: string): Promise<Answer<ExportData>> {
  const { cwd } = controller.current.info
  const file = isAbsolute(wanted) ? wanted : join(cwd, wanted)
  if (existsSync(file)) return refuse("bad_arguments", phrase`${file} already exists. Give another name: /export FILE`)
  return controller.call("export", { file })
}
