import type { TapeInfo } from "./ports/store.ts"

/** The id of this machine. */
export const localHost = "local"

/** The id of the host of a session. A tape that names none is of this machine. */
export function hostOf({ host }: { readonly host?: string | undefined }): string {
  return host ?? localHost
}

/** How lists and searches name a workspace: by its folder, behind the id of its host where that is not this machine. */
export function workspaceName(place: { readonly host?: string | undefined } & Pick<TapeInfo, "workspace">): string {
  const host = hostOf(place)
  return host === localHost ? place.workspace : `${host}:${place.workspace}`
}
