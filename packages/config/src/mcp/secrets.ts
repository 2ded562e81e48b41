import type { ServerEntry } from "./schema.ts"

/** Whether a variable or a header of this name usually contains a key. */
export function isSecretName(name: string): boolean {
  return /key|token|secret|passw|credential|authorization|cookie/i.test(name)
}

/** The keys that a server receives by its configuration, which it could repeat in a result. */
export function secretsIn({ env = {}, headers = {}, oauth = {} }: ServerEntry): readonly string[] {
  const named = Object.entries({ ...env, ...headers }).flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
  const keys = named.map((value) => value.replace(/^(?:Bearer|Basic|Token) /i, "").trim())
  return oauth.clientSecret === undefined ? keys : [...keys, oauth.clientSecret]
}
