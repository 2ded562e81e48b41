import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { documentsNow } from "./doc-tables.ts"

/** npm run docs: writes the tables in docs/ anew from the sources that they describe. */
const root = join(import.meta.dirname, "..")
for (const [file, text] of await documentsNow(root)) {
  const same = existsSync(join(root, file)) && readFileSync(join(root, file), "utf8") === text
  if (!same) writeFileSync(join(root, file), text)
  console.log(`${same ? "as it was" : "written  "}  ${file}`)
}
