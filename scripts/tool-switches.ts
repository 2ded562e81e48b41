import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"

/** Folders and files where such a word is the name of a program or of a rule, and not that of a tool that was called. */
const otherNames: readonly string[] = [
  // Commands of a shell: `find`, `grep`, `ls`.
  "packages/policy/src/shell/",
  "packages/policy/src/command/unwrap.ts",
  // Rules of other agents become rules of ours, which name a tool.
  "packages/import/src/",
  "packages/policy/src/claude-rules.ts",
  // A tool's dependencies are passed under its name.
  "packages/app/src/compose/tools/extra-tools.ts",
]

/**
 * Code outside of `packages/tools` that distinguishes tools by their names: it should read the tool's declaration
 * (`ToolDeclaration`). One line each: location and name. Found are comparisons and switches on a name of a tool or a
 * name, `has` and `includes` with such a name, and lists and tables of nothing but names of tools.
 */
export function toolSwitches(root: string): string[] {
  const names = toolNames(root)
  if (names.size === 0) return []
  const files = globSync("packages/*/src/**/*.ts", { cwd: root }).map((file) => file.replaceAll("\\", "/"))
  return files
    .filter((file) => !file.startsWith("packages/tools/") && !otherNames.some((other) => file.startsWith(other)))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8")
      return switchesIn(text, names).map(({ name, start }) => {
        const line = text.slice(0, start).split("\n").length
        return `${file}:${line} tells tools apart by name: ${name}`
      })
    })
}

/** As the declarations of Gong's own tools have them. */
function toolNames(root: string): ReadonlySet<string> {
  const files = globSync("packages/tools/src/*/tool.ts", { cwd: root })
  const declared = /^export const \w+Declaration = \{\n\s+name: "([^"]+)"/m
  return new Set(files.flatMap((file) => declared.exec(readFileSync(join(root, file), "utf8"))?.[1] ?? []))
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

interface Found {
  readonly name: string
  readonly start: number
}

function switchesIn(text: string, names: ReadonlySet<string>): readonly Found[] {
  const found: Found[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const name = nameIn(value, names)
    if (name !== null) found.push({ name, start: value.start })
    Object.values(value).forEach(visit)
  }
  visit(parseAst(text, { lang: "ts" }).body)
  return found
}

function nameIn(node: Node, names: ReadonlySet<string>): string | null {
  const known = (value: unknown): string | null => {
    const text = textIn(value)
    return text !== null && names.has(text) ? text : null
  }
  switch (node.type) {
    case "BinaryExpression": {
      if (!/^[!=]==?$/.test(String(node["operator"]))) return null
      const { left, right } = node
      return (isToolName(left) ? known(right) : null) ?? (isToolName(right) ? known(left) : null)
    }
    case "SwitchStatement": {
      if (!isToolName(node["discriminant"])) return null
      return (
        listOf(node["cases"])
          .map((one) => known(one["test"]))
          .find((name) => name !== null) ?? null
      )
    }
    case "CallExpression": {
      const called = wordOf(node["callee"])
      return called === "has" || called === "includes" ? known(listOf(node["arguments"])[0]) : null
    }
    case "ArrayExpression":
      return allKnown(listOf(node["elements"]).map(known))
    case "ObjectExpression":
      return allKnown(listOf(node["properties"]).map(({ key }) => known(key) ?? keyIn(key, names)))
    default:
      return null
  }
}

/** Two names and more, and nothing else. */
function allKnown(found: readonly (string | null)[]): string | null {
  return found.length > 1 && found.every((name) => name !== null) ? found.join(", ") : null
}

function keyIn(key: unknown, names: ReadonlySet<string>): string | null {
  const name = isNode(key) && key.type === "Identifier" ? String(key["name"]) : ""
  return names.has(name) ? name : null
}

/** Expressions that may hold the name of a tool: `call.tool`, `entry.name`, `toolName`. */
function isToolName(node: unknown): boolean {
  return ["tool", "name", "toolName"].includes(wordOf(node) ?? "")
}

/** The last word of `a`, `a.b`, `a?.b` and `a["b"]`. */
function wordOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === "ChainExpression") return wordOf(node["expression"])
  if (node.type === "Identifier") return String(node["name"])
  return node.type === "MemberExpression" ? (wordOf(node["property"]) ?? textIn(node["property"])) : null
}

function textIn(node: unknown): string | null {
  return isNode(node) && node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : null
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string"
}
