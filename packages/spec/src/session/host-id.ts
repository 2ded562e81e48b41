import type { TapeInfo } from "../ports/store.ts"

/** The id of this machine. */
export const localHost = "local"

/** The id of a session's host. A tape without one belongs to this machine. */
export function hostOf({ host }: { readonly host?: string | undefined }): string {
  return host ?? localHost
}

/** The name of a workspace in lists and searches: its folder, preceded by the host's id unless it is this machine. */
export function workspaceName(place: { readonly host?: string | undefined } & Pick<TapeInfo, "workspace">): string {
  const host = hostOf(place)
  return host === localHost ? place.workspace : `${host}:${place.workspace}`
}
