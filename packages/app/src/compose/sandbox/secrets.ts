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
import { attempted } from "./attempted.ts"

/** The secrets that the setting `sandbox.reveal` makes readable for commands. */
export interface Revealed {
  /** Rows of the table of secrets. */
  readonly names: readonly string[]
  /** Absolute paths. */
  readonly paths: readonly string[]
}

/** An element without a slash is the name of a row. An unknown name is a usage error. */
export function readReveal(reveal: readonly string[], { cwd, userHome }: Services): Outcome<Revealed> {
  const isPath = (one: string) => /[/~]/.test(one)
  const names = reveal.filter((one) => !isPath(one))
  const unknown = names.find((one) => !Object.hasOwn(secretTable, one))
  if (unknown !== undefined) {
    const known = Object.keys(secretTable)
    return usage(phrase`sandbox.reveal: there is no secret "${unknown}".${didYouMean(unknown, known)}`)
  }
  return ok({ names, paths: reveal.filter(isPath).map((path) => absolute(path, cwd, userHome)) })
}

/** The files whose secrets are hidden from commands: of this user; for root, of all users. */
export function hiddenSecrets(services: Services, { names }: Revealed): readonly SecretPath[] {
  const ofUser = secretsOf({ home: services.userHome, env: services.env })
  const ofOthers = otherHomes(services).flatMap((home) => secretsOf({ home, env: {} }))
  return [...ofUser, ...ofOthers].filter(({ name }) => !names.includes(name)).map(secretPath)
}

function secretPath({ form, errorPattern, ...secret }: SecretLocation): SecretPath {
  const blank = form === null ? {} : { blank: (text: string) => redactKeys(text, form) }
  return { ...secret, ...blank, ...(errorPattern === undefined ? {} : { says: errorPattern }) }
}

/** Programs such as ssh take the home folder from the system instead of HOME; root can read all home folders. */
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
