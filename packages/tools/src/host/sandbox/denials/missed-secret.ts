import { join } from "../../../posix-path.ts"
import type { Withheld } from "../secrets/secrets.ts"
import * as texts from "../texts.ts"
import type { Denial } from "./denial.ts"

/** A line that only names the path does not indicate a failure. */
const fails =
  /denied|EACCES|no such file|ENOENT|not found|does ?n[o']t exist|not exist|can ?not|can't|could not|unable|fail|read-only|EROFS|unauthori[sz]ed|error|权限不够|没有那个|拒绝|權限不夠|沒有此/i

/** The denial if a line of the output names a hidden secret; otherwise null. */
export function missedSecret(line: string, withheld: readonly Withheld[]): Denial | null {
  const named = fails.test(line) ? withheld.find((one) => names(line, one)) : undefined
  const found = named ?? withheld.find(({ says }) => says?.test(line) === true)
  if (found === undefined) return null
  const path = join(found.base, found.path)
  return { blocked: `read of ${path}`, note: texts.keysWithheld(path, found.name, found.mount.how === "text") }
}

function names(line: string, { base, path, real }: Withheld): boolean {
  return [join(base, path), real, `~/${path}`].some((place) => {
    const at = line.indexOf(place)
    return at >= 0 && !/[\w-]/.test(line[at + place.length] ?? "")
  })
}
