import { homedir, tmpdir } from "node:os"
import type { Environment, Services } from "./services.ts"
import type { Language } from "@gong/texts/language"
import { english, translator } from "@gong/texts/translator"

/** The machine and the user of this process. Throws where its folder is gone. */
export function processEnvironment(version: string): Environment {
  return {
    version,
    env: process.env,
    cwd: currentFolder(),
    userHome: homedir(),
    temp: tmpdir(),
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    node: process.version,
    execPath: process.execPath,
    utcOffset: -new Date().getTimezoneOffset(),
  }
}

/** Services for a program that opens sessions in its own process. `warn` gets whole lines for the user. */
export function processServices(version: string, warn: (line: string) => void): Services {
  let t = english
  return {
    ...processEnvironment(version),
    get t() {
      return t
    },
    async setLocale(language: Language) {
      t = await translator(language)
    },
    warn,
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Error("the folder you are in is gone; go to another one")
  }
}
