/** What Gong calls its folder, in a project and in the user's home: the one place that holds these names. */
export const ownFolder = ".gong"

/** Folders of a project that hold what is for Gong; what the first has wins over the others (conflict C-53). */
export const projectFolders = [ownFolder, ".pi"] as const

/** Folders of a project that hold skills and templates, in the same order. */
export const libraryFolders = [...projectFolders, ".agents", ".claude"] as const

/** Where Pi keeps what Gong keeps in `GONG_HOME`, below the user's home. */
export const piAgentFolder = ".pi/agent"

/** Folders of the user's own, in the same order. `home`: `GONG_HOME`. */
export function userFolders(home: string, userHome: string): readonly string[] {
  return [home, `${userHome}/${piAgentFolder}`]
}

/** Those that hold the user's skills and templates. */
export function userLibraryFolders(home: string, userHome: string): readonly string[] {
  return [...userFolders(home, userHome), `${userHome}/.agents`, `${userHome}/.claude`]
}
