import { createLocalHost } from "@gong/tools/host/local"
import { englishOf, type Trusted } from "@gong/spec"
import type { TestContext } from "node:test"
import { join } from "node:path"
import { decide } from "@gong/config/trust/decide"
import { findActiveContent } from "@gong/config/trust/active-content"
import { type Library, openLibrary } from "../../src/skills/load-library.ts"
import { folder } from "@gong/testing/folder"
import { english } from "@gong/texts/translator"

const here = createLocalHost({ cwd: "/" })

/** A skill's file. */
export function skillFile(header: Readonly<Record<string, string>>, body = "Do it."): string {
  const lines = Object.entries(header).map(([key, value]) => `${key}: ${value}`)
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`
}

export interface Fixture {
  readonly root: string
  /** Below `user/`, `repo/` and `named/` of the root. */
  library(more?: { readonly includeDefaults?: boolean; readonly paths?: readonly string[] }): Promise<Library>
}

/** A user, a trusted repository and locations from the command line, with these files. */
export function fixture(t: TestContext, files: Readonly<Record<string, string>>): Fixture {
  const root = folder(t, files)
  return {
    root,
    library: async ({ includeDefaults = true, paths = [] } = {}) => {
      const repo = join(root, "repo")
      const named = paths.map((path) => join(root, path))
      return openLibrary({
        hosts: { user: here, project: here },
        skills: {
          user: [join(root, "user/skills")],
          project: [".gong", ".pi", ".agents", ".claude"].map((name) => join(repo, name, "skills")),
          workspace: repo,
          paths: named,
          includeDefaults,
        },
        templates: {
          user: [join(root, "user/prompts")],
          project: { trusted: await trust(repo), folders: [".gong/prompts"], nested: [".claude/commands"] },
          paths: named,
          includeDefaults,
        },
      })
    },
  }
}

/** As if the user had trusted the current content of the folder. */
export async function trust(root: string): Promise<Trusted> {
  const { trusted } = decide(english, {
    content: await findActiveContent(english, here, root),
    flag: "yes",
    store: new Map(),
  })
  if (trusted === null) throw new Error("the folder of a test is trusted")
  return trusted
}

/** `type line text` of each diagnostic. */
export function diagnosticTexts({ diagnostics }: Library): readonly string[] {
  return diagnostics.map(({ type, line, text }) => `${type} ${line} ${englishOf(text)}`)
}
