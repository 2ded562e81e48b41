import type { Word } from "./command.ts"
import { gitWords } from "../rules.ts"
import { nameOf } from "./unwrap.ts"

/** Programs that act outside this machine's files; with verbs, only for those. */
const externalPrograms: Readonly<Record<string, readonly string[]>> = {
  git: ["push", "fetch", "pull", "clone", "ls-remote", "remote", "submodule", "send-email"],
  npm: ["publish", "unpublish", "login", "adduser", "token", "owner", "deprecate", "dist-tag"],
  pnpm: ["publish", "login"],
  yarn: ["publish", "npm", "login"],
  cargo: ["publish", "login", "owner", "yank"],
  gem: ["push", "signin", "yank"],
  twine: [],
  gh: [],
  glab: [],
  curl: [],
  wget: [],
  ssh: [],
  scp: [],
  sftp: [],
  rsync: [],
  nc: [],
  ncat: [],
  netcat: [],
  socat: [],
  telnet: [],
  ftp: [],
  nslookup: [],
  dig: [],
  ping: [],
  sendmail: [],
  mail: [],
  sudo: [],
  doas: [],
  su: [],
  docker: [],
  podman: [],
  kubectl: [],
  helm: [],
  terraform: [],
  aws: [],
  gcloud: [],
  az: [],
  crontab: [],
  at: [],
  systemctl: [],
  launchctl: [],
  shutdown: [],
  reboot: [],
}

/** The built-in rule for one of these programs, as `git push`; null for none. */
export function externalEffectRule(runs: readonly (readonly Word[])[]): string | null {
  for (const words of runs) {
    const name = nameOf(words)
    const verbs = Object.hasOwn(externalPrograms, name) ? externalPrograms[name] : undefined
    if (verbs === undefined) continue
    const texts = words.map((word) => word.text)
    const [verb = ""] = name === "git" ? gitWords(texts) : texts.slice(1).filter((text) => !text.startsWith("-"))
    if (verbs.length === 0) return name
    if (verbs.includes(verb)) return `${name} ${verb}`
  }
  return null
}
