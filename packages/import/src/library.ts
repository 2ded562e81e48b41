import { phrase, type Text } from "@gong/spec"
import { basename, join } from "node:path"
import { maxFileBytes, splitFrontmatter } from "@gong/resources/skills/load-frontmatter"
import type { Area } from "./candidate.ts"
import type { ImportContext } from "./context.ts"

/** The converted text of a command, and remarks about it. */
export interface ConvertedText {
  readonly text: string
  readonly note: Text | null
}

/** Command files become templates. One in a folder, `git/commit.md`, is typed with a hyphen: `/git-commit`. */
export function importCommands(
  context: ImportContext,
  folder: string,
  converted: (text: string) => ConvertedText,
): void {
  const { source, candidates } = context
  for (const path of source.files("commands", folder, ".md")) {
    const from = join(folder, path)
    const name = nameOf(path)
    const text = source.text("commands", from)
    if (text === null) continue
    if (/\s/.test(name)) candidates.skip("commands", from, `/${name}`, phrase`a name with a blank cannot be typed.`)
    else importCommand(context, from, name, converted(text))
  }
}

export function importCommand(
  { candidates }: ImportContext,
  from: string,
  name: string,
  { text, note }: ConvertedText,
): void {
  if (!/^[\w.:-]+$/.test(name) || name.startsWith("."))
    return candidates.skip("commands", from, `/${name}`, phrase`this is not a valid file name.`)
  if (Buffer.byteLength(text) > maxFileBytes)
    return candidates.skip("commands", from, `/${name}`, phrase`it is longer than ${maxFileBytes} bytes.`)
  if (splitFrontmatter(text).body === "") return candidates.skip("commands", from, `/${name}`, phrase`it is empty.`)
  candidates.add("commands", from, `/${name}`, { op: "file", path: `prompts/${name}.md`, text }, note)
}

/** Syntax of Claude Code and opencode that Gong does not support. */
export function convertTemplate(text: string): ConvertedText {
  const { header, body } = splitFrontmatter(text)
  const runs = /!`[^`]+`/.test(body) ? phrase`!\`...\` is not run but sent as text` : null
  if (!/^(?:allowed-tools|model|agent|subtask)\s*:/m.test(header)) return { text, note: runs }
  const note = phrase`its tools and model are ignored`
  return { text, note: runs === null ? note : phrase`${runs}; its tools and model are ignored` }
}

/** Codex writes a dollar sign as `$$`, and has nine arguments. */
export function convertPrompt(text: string): ConvertedText {
  const { body } = splitFrontmatter(text)
  const named = [...new Set(Array.from(body.matchAll(/(?<![$\\])\$([A-Z][A-Z0-9_]*)/g), ([, name = ""]) => name))]
  const unknown = named.filter((name) => name !== "ARGUMENTS")
  const note = unknown.length === 0 ? null : phrase`$${unknown.join(", $")} is unchanged: Gong has no named arguments`
  return { text: text.replaceAll(/\$\$(?=[\d@A-Z{])/g, "\\$").replaceAll("$$", "$"), note }
}

/** Agent definitions are copied unchanged. */
export function importAgents({ source, candidates }: ImportContext, folder: string): void {
  for (const path of source.files("agents", folder, ".md")) {
    const from = join(folder, path)
    const text = source.text("agents", from)
    const target = { op: "file", path: `agents/${nameOf(path)}.md`, text: text ?? "" } as const
    if (text !== null) candidates.add("agents", from, nameOf(path), target, phrase`stored for a later version`)
  }
}

/** Skills in a folder that Gong searches stay there; others are copied, as by `gong skills add`. */
export function importSkills({ source, candidates, libraries }: ImportContext, folder: string): void {
  for (const name of source.folders(folder)) {
    const from = join(folder, name)
    if (!source.exists(join(from, "SKILL.md"))) continue
    if (libraries.some((library) => folder === join(library, "skills")))
      candidates.present("skills", from, name, phrase`Gong reads it in place.`)
    else if (source.text("skills", join(from, "SKILL.md")) !== null)
      candidates.add("skills", from, name, { op: "skill", name, folder: from })
  }
}

/** Templates in a folder that Gong searches. */
export function reportPrompts({ source, candidates }: ImportContext, folder: string, reason: Text): void {
  for (const path of source.files("commands", folder, ".md")) {
    const from = join(folder, path)
    // What cannot be read is skipped with its reason.
    if (source.text("commands", from) !== null) candidates.present("commands", from, `/${nameOf(path)}`, reason)
  }
}

/** Gong's instruction file refers to the first of these files, so that the text stays in one place. */
export function importInstructions(
  { source, candidates }: ImportContext,
  folder: string,
  names: readonly string[],
): void {
  const path = names.map((name) => join(folder, name)).find((one) => source.exists(one))
  if (path === undefined) return
  const text = source.text("instructions", path)
  if (text === null) return
  if (text.trim() === "") return candidates.skip("instructions", path, basename(path), phrase`it is empty.`)
  if (/[\s()]/.test(path)) {
    candidates.add("instructions", path, basename(path), { op: "file", path: "AGENTS.md", text })
    return
  }
  candidates.add(
    "instructions",
    path,
    basename(path),
    { op: "file", path: "AGENTS.md", text: `@${path}\n`, append: true },
    phrase`referenced by Gong's AGENTS.md`,
  )
}

/** Items of an area that Gong cannot use. */
export function reportFiles({ source, candidates }: ImportContext, area: Area, folder: string, reason: Text): void {
  for (const name of [...source.folders(folder), ...source.files(area, folder, "")].filter((one) => !one.includes("/")))
    candidates.skip(area, join(folder, name), name, reason)
}

function nameOf(path: string): string {
  return path.replace(/\.md$/i, "").replaceAll("/", "-")
}
