import { phrase, type Text } from "@gong/spec"
import { basename, join } from "node:path"
import { maxFileBytes, splitFrontmatter } from "@gong/resources/skills/load-frontmatter"
import type { Area } from "./candidate.ts"
import type { ImportContext } from "./context.ts"

/** The converted text of a command, and remarks about it. */
export interface MovedText {
  readonly text: string
  readonly note: Text | null
}

/** Command files become templates. One in a folder, `git/commit.md`, is typed with a hyphen: `/git-commit`. */
export function moveCommands(place: ImportContext, folder: string, moved: (text: string) => MovedText): void {
  const { source, candidates } = place
  for (const path of source.files("commands", folder, ".md")) {
    const from = join(folder, path)
    const name = nameOf(path)
    const text = source.text("commands", from)
    if (text === null) continue
    if (/\s/.test(name)) candidates.left("commands", from, `/${name}`, phrase`a name with a blank cannot be typed.`)
    else moveCommand(place, from, name, moved(text))
  }
}

export function moveCommand(
  { candidates }: ImportContext,
  from: string,
  name: string,
  { text, note }: MovedText,
): void {
  if (!/^[\w.:-]+$/.test(name) || name.startsWith("."))
    return candidates.left("commands", from, `/${name}`, phrase`this name cannot be that of a file.`)
  if (Buffer.byteLength(text) > maxFileBytes)
    return candidates.left("commands", from, `/${name}`, phrase`such a text may have ${maxFileBytes} bytes.`)
  if (splitFrontmatter(text).body === "")
    return candidates.left("commands", from, `/${name}`, phrase`there is no text in it.`)
  candidates.take("commands", from, `/${name}`, { op: "file", path: `prompts/${name}.md`, text }, note)
}

/** Syntax of Claude Code and opencode that Gong does not support. */
export function movedTemplate(text: string): MovedText {
  const { header, body } = splitFrontmatter(text)
  const runs = /!`[^`]+`/.test(body) ? phrase`!\`...\` is not run; the model reads it` : null
  if (!/^(?:allowed-tools|model|agent|subtask)\s*:/m.test(header)) return { text, note: runs }
  const note = phrase`its tools and its model mean nothing here`
  return { text, note: runs === null ? note : phrase`${runs}; its tools and its model mean nothing here` }
}

/** Codex writes a dollar sign as `$$`, and has nine arguments. */
export function movedPrompt(text: string): MovedText {
  const { body } = splitFrontmatter(text)
  const named = [...new Set(Array.from(body.matchAll(/(?<![$\\])\$([A-Z][A-Z0-9_]*)/g), ([, name = ""]) => name))]
  const unknown = named.filter((name) => name !== "ARGUMENTS")
  const note =
    unknown.length === 0 ? null : phrase`$${unknown.join(", $")} stays as it is: Gong's arguments have no names`
  return { text: text.replaceAll(/\$\$(?=[\d@A-Z{])/g, "\\$").replaceAll("$$", "$"), note }
}

/** Agent definitions are copied unchanged. */
export function moveAgents({ source, candidates }: ImportContext, folder: string): void {
  for (const path of source.files("agents", folder, ".md")) {
    const from = join(folder, path)
    const text = source.text("agents", from)
    const target = { op: "file", path: `agents/${nameOf(path)}.md`, text: text ?? "" } as const
    if (text !== null)
      candidates.take("agents", from, nameOf(path), target, phrase`kept for later: this version does not use it`)
  }
}

/** Skills in a folder that Gong searches stay there; others are copied, as by `gong skills add`. */
export function moveSkills({ source, candidates, libraries }: ImportContext, folder: string): void {
  for (const name of source.folders(folder)) {
    const from = join(folder, name)
    if (!source.exists(join(from, "SKILL.md"))) continue
    if (libraries.some((library) => folder === join(library, "skills")))
      candidates.there("skills", from, name, phrase`Gong reads it where it is.`)
    else if (source.text("skills", join(from, "SKILL.md")) !== null)
      candidates.take("skills", from, name, { op: "skill", name, folder: from })
  }
}

/** Templates in a folder that Gong searches. */
export function reportPrompts({ source, candidates }: ImportContext, folder: string): void {
  for (const path of source.files("commands", folder, ".md"))
    candidates.there("commands", join(folder, path), `/${nameOf(path)}`, phrase`Gong reads it where it is.`)
}

/** Gong's instruction file refers to the first of these files, so that the text stays in one place. */
export function moveInstructions(
  { source, candidates }: ImportContext,
  folder: string,
  names: readonly string[],
): void {
  const path = names.map((name) => join(folder, name)).find((one) => source.exists(one))
  if (path === undefined) return
  const text = source.text("instructions", path)
  if (text === null) return
  if (text.trim() === "") return candidates.left("instructions", path, basename(path), phrase`it is empty.`)
  if (/[\s()]/.test(path)) {
    candidates.take("instructions", path, basename(path), { op: "file", path: "AGENTS.md", text })
    return
  }
  candidates.take(
    "instructions",
    path,
    basename(path),
    { op: "file", path: "AGENTS.md", text: `@${path}\n` },
    phrase`Gong's AGENTS.md points to it`,
  )
}

/** Items of an area that Gong cannot use. */
export function reportFiles({ source, candidates }: ImportContext, area: Area, folder: string, reason: Text): void {
  for (const name of [...source.folders(folder), ...source.files(area, folder, "")].filter((one) => !one.includes("/")))
    candidates.left(area, join(folder, name), name, reason)
}

function nameOf(path: string): string {
  return path.replace(/\.md$/i, "").replaceAll("/", "-")
}
