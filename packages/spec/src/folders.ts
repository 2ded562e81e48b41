/** What Gong calls its folder, in a project and in the user's home: the one place that holds such names. */
export const ownFolder = ".gong"

/** The same of Pi, of the Agent Skills standard and of Claude Code, some of which Gong reads too. */
export const piFolder = ".pi"
export const agentsFolder = ".agents"
export const claudeFolder = ".claude"

/** Inside the user's own and a project's. */
export const themesFolder = "themes"

/** Folders of a project that hold what is for Gong; what the first has wins over the others (conflict C-53). */
export const projectFolders = [ownFolder, piFolder] as const

/** Folders of a project that hold skills and templates, in the same order. */
export const libraryFolders = [...projectFolders, agentsFolder, claudeFolder] as const

/** Where Pi keeps what Gong keeps in `GONG_HOME`, below the user's home. */
export const piAgentFolder = `${piFolder}/agent`

/** Folders of the user's own, in the same order. `home`: `GONG_HOME`. */
export function userFolders(home: string, userHome: string): readonly string[] {
  return [home, `${userHome}/${piAgentFolder}`]
}

/** Those that hold the user's skills and templates. */
export function userLibraryFolders(home: string, userHome: string): readonly string[] {
  return [...userFolders(home, userHome), `${userHome}/${agentsFolder}`, `${userHome}/${claudeFolder}`]
}
