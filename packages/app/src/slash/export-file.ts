import { existsSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { phrase } from "@gong/spec"
import { homeFolder } from "@gong/config/home"
import { privateFolder } from "@gong/config/private-folder"
import { type Answer, refuse } from "../controller/answer.ts"
import type { ControllerState } from "../controller/api.ts"
import type { ExportData } from "../controller/data.ts"

/**
 * Writes the open session to a file that does not exist yet. Without a name it is in a folder of Gong's home, since a file in the
 * repository might be committed.
 */
export async function newFile(controller: ControllerState, wanted: string): Promise<Answer<ExportData>> {
  const { info, session } = controller.current
  // A session in memory, which is refused, has no home.
  if (wanted === "" && info.tape !== null) return inHome(controller, session.id)
  const file = isAbsolute(wanted) ? wanted : join(info.cwd, wanted || nameOf(session.id))
  if (existsSync(file)) return refuse("bad_arguments", phrase`${file} already exists. Give another name: /export FILE`)
  return controller.call("export", { file })
}

async function inHome(controller: ControllerState, id: string): Promise<Answer<ExportData>> {
  const { env, userHome, cwd } = controller.services
  const folder = privateFolder(homeFolder(env, userHome, cwd), ["exports"], { make: true })
  if (folder.path === null)
    return refuse(
      "bad_arguments",
      phrase`exports cannot be written: ${folder.problem ?? ""}. Give a name: /export FILE`,
    )
  const name = join(folder.path, nameOf(id))
  let file = `${name}.md`
  for (let number = 2; existsSync(file); number++) file = `${name}-${number}.md`
  return controller.call("export", { file })
}

/** Ids begin with their time, so their ends are used. */
function nameOf(id: string): string {
  return `gong-${id.slice(-8)}`
}
