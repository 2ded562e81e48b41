/** Network notes for the model. Never translated. */

export function refusedNote(why: string): string {
  return `[network: ${why}]`
}

export function noServerName(): string {
  return "a connection to port 443 named no server in TLS and was closed; only HTTPS by a host's name goes out"
}

export function ownServices(): string {
  return "services of this machine are reached at 127.0.0.1, not through the gateway"
}

export function moreNotes(count: number): string {
  return `[network: ${count} more hosts were refused]`
}
