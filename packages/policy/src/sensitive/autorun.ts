import { phrase, type Phrase, libraryFolders, ownFolder } from "@gong/spec"
import { escapeRegExp } from "../paths.ts"

/** Configuration folders of other agents that Gong also reads; its own is handled separately. */
const otherAgents = libraryFolders.filter((name) => name !== ownFolder)

/** Workspace files that a program other than the build runs, or that name what it runs. */
export interface AutorunFiles {
  /** The program that runs it: a name after "it controls". */
  readonly program: Phrase
  readonly trigger: string
  /** In lower case, in any folder; `*` stands for a part of a name. A folder includes everything in it. */
  readonly names: readonly string[]
}

/**
 * These files take effect without a build or a test: when a folder is opened or entered, at a commit, after a push, by another
 * agent. Files that a build runs (`package.json`, `Makefile`, `.npmrc`, `.cargo/config.toml`, `flake.nix`) are ordinary work,
 * and so are texts for agents (`AGENTS.md`); `.editorconfig` and `.tool-versions` run nothing.
 */
// oxfmt-ignore
export const autorun: readonly AutorunFiles[] = [
  {
    program: phrase`VS Code and its forks`,
    trigger: "a folder is opened: tasks; settings and launch files name programs",
    names: [".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".vscode/mcp.json", "*.code-workspace"],
  },
  {
    program: phrase`JetBrains editors`,
    trigger: "a project is opened or run: run configurations, startup tasks, file watchers",
    names: [".idea", ".run", "*.run.xml", ".fleet/run.json", ".fleet/settings.json"],
  },
  {
    program: phrase`other graphical editors`,
    trigger: "a folder is opened: settings name language servers, tasks and build systems",
    names: [
      ".zed/settings.json", ".zed/tasks.json", ".zed/debug.json", ".helix", "*.sublime-project", ".vs/tasks.vs.json", ".vs/launch.vs.json",
      ".externaltoolbuilders",
    ],
  },
  {
    program: phrase`Vim and Emacs`,
    trigger: "a file of the folder is opened",
    names: [
      ".exrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".vimrc", ".gvimrc", ".vim", ".vimspector.json", ".config/nvim", ".emacs", ".emacs.d", ".dir-locals.el",
      ".dir-locals-2.el",
    ],
  },
  {
    program: phrase`shells that enter the folder`,
    trigger: "direnv, mise and autoenv run it at the prompt; most of them once the user has trusted the folder",
    names: [
      ".envrc", ".direnv/*.rc", ".autoenv*", "mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", ".mise", "mise/config*.toml",
      ".config/mise", ".config/mise.toml", ".config/mise.*.toml", ".rtx.toml",
    ],
  },
  {
    program: phrase`the user's login`,
    trigger: "a shell or a session starts, if the workspace is the home or is linked from there",
    names: [
      ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".zshrc", ".zshenv", ".zprofile",
      ".zlogin", ".zlogout", ".xprofile", ".xinitrc", ".xsession", ".config/fish", ".config/autostart", ".config/systemd", ".config/environment.d", ".local/bin",
      ".gitconfig", ".config/git/config", ".ssh",
    ],
  },
  {
    program: phrase`debuggers and interpreters`,
    trigger: "a debugger or interpreter is started in the folder",
    names: [
      ".gdbinit", ".gdbearlyinit", ".lldbinit", ".pdbrc", ".rprofile", ".ghci", ".irbrc", ".pryrc", ".iex.exs", ".ocamlinit", ".octaverc",
    ],
  },
  {
    program: phrase`git hooks`,
    trigger: "a commit, a merge or a push",
    names: [
      ".husky", ".githooks", ".git-hooks", ".lefthook", ".lefthook-local", "lefthook.*", ".lefthook.*", "lefthook-local.*",
      ".lefthook-local.*", ".config/lefthook*", ".pre-commit-config.y*ml", "prek.toml", ".overcommit.yml",
    ],
  },
  {
    program: phrase`other version control`,
    trigger: "any of its commands: settings name hooks, editors and aliases",
    names: [".hg/hgrc", ".hg/hgrc-not-shared", ".hg/sharedpath", ".jj/repo/config.toml", ".sl/config"],
  },
  {
    program: phrase`other agents`,
    trigger: "an agent is started in the folder: settings, hooks, commands, skills, MCP servers",
    names: [
      ".mcp.json", ...otherAgents, ".codex", ".cursor", ".gemini", ".opencode", "opencode.json*", ".github/hooks", ".aider.conf.yml",
      ".amazonq", ".amp", ".augment", ".cline", ".clinerules", ".continue", ".crush", ".crush.json", "crush.json", ".factory", ".goose",
      ".junie", ".kilocode", ".kiro", ".qwen", ".roo", ".trae", ".windsurf",
    ],
  },
  {
    program: phrase`development containers`,
    trigger: "the folder is opened in a container",
    names: [".devcontainer", ".devcontainer.json", ".gitpod.yml", ".idx", "devfile.y*ml", ".devfile.y*ml"],
  },
  {
    program: phrase`continuous integration`,
    trigger: "a push; it runs with the secrets of the repository",
    names: [
      ".github/workflows", ".github/actions", ".gitlab-ci.y*ml", ".circleci", "jenkinsfile", "azure-pipelines*.y*ml", ".azure-pipelines",
      ".buildkite", "bitbucket-pipelines.yml", ".drone.*", ".woodpecker", ".woodpecker.y*ml", ".forgejo/workflows", ".gitea/workflows",
      ".travis.yml", "appveyor.yml", ".appveyor.yml", ".cirrus.*", ".semaphore", ".teamcity", ".build.yml", ".builds", "buildspec.y*ml",
      "cloudbuild.y*ml", "codemagic.yaml",
    ],
  },
]

/** The program that would act on a file at this path, relative to a root; null for none. Case-insensitive, since some file systems are. */
export function programControlledBy(path: string): Phrase | null {
  const parts = path.toLowerCase().split("/")
  forms ??= autorun.flatMap(({ program, names }) =>
    names.map((name) => ({ program, name: name.split("/").map(formOf) })),
  )
  const found = forms.find(({ name }) =>
    parts.some((_, at) => name.every((form, next) => form.test(parts[at + next] ?? ""))),
  )
  return found?.program ?? null
}

let forms: readonly { readonly program: Phrase; readonly name: readonly RegExp[] }[] | undefined

function formOf(name: string): RegExp {
  return new RegExp(`^${name.split("*").map(escapeRegExp).join(".*")}$`, "s")
}
