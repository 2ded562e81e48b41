import { phrase } from "@gong/spec"
import { readdirSync, realpathSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import type { SecretPath } from "@gong/tools/host/sandbox"
import { didYouMean, ok, type Outcome, usage } from "@gong/config/usage"
import { absolute } from "@gong/policy/paths"
import { secretTable } from "@gong/policy/sensitive/secret-table"
import { type SecretLocation, secretsOf } from "@gong/policy/sensitive/secrets"
import { redactKeys } from "@gong/policy/sensitive/redact-keys"
import type { Services } from "../../services.ts"

/** What the setting `sandbox.reveal` opens. */
export interface Revealed {
  /** Of the table. */
  readonly names: readonly string[]
  /** Absolute. */
  readonly paths: readonly string[]
}

/** What has no slash is the name of a row; one that is not known must not silently open nothing. */
export function readReveal(reveal: readonly string[], { cwd, userHome }: Services): Outcome<Revealed> {
  const isPath = (one: string) => /[/~]/.test(one)
  const names = reveal.filter((one) => !isPath(one))
  const unknown = names.find((one) => !Object.hasOwn(secretTable, one))
  if (unknown !== undefined) {
    const known = Object.keys(secretTable)
    return usage(phrase`sandbox.reveal: there is no place called "${unknown}".${didYouMean(unknown, known)}`)
  }
  return ok({ names, paths: reveal.filter(isPath).map((path) => absolute(path, cwd, userHome)) })
}

/** The places whose keys commands do not see: of this user, and where it is root of all others. */
export function hiddenSecrets(services: Services, { names }: Revealed): readonly SecretPath[] {
  const own = secretsOf({ home: services.userHome, env: services.env })
  const others = otherHomes(services).flatMap((home) => secretsOf({ home, env: {} }))
  return [...own, ...others].filter(({ name }) => !names.includes(name)).map(placeOf)
}

function placeOf({ form, errorPattern, ...place }: SecretLocation): SecretPath {
  const blank = form === null ? {} : { blank: (text: string) => redactKeys(text, form) }
  return { ...place, ...blank, ...(errorPattern === undefined ? {} : { says: errorPattern }) }
}

/** Programs such as ssh ask the system and not HOME whose home is where; root may read all of them. */
function otherHomes({ userHome, uid }: Services): readonly string[] {
  const ofRoot = uid === 0 ? ["/root", ...namesIn("/home").map((name) => join("/home", name))] : []
  const homes = [homeOfUser(), ...ofRoot].filter((home) => home !== null && home !== "/")
  const real = (home: string) => attempted(() => realpathSync(home)) ?? home
  const byReal = new Map(homes.flatMap((home) => (home === null ? [] : [[real(home), home]])))
  byReal.delete(real(userHome))
  return [...byReal.values()]
}

function homeOfUser(): string | null {
  return attempted(() => userInfo().homedir)
}

function namesIn(folder: string): readonly string[] {
  return attempted(() => readdirSync(folder)) ?? []
}

function attempted<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
