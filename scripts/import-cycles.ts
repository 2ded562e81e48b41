import { globSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/**
 * Import cycles between source files of the packages, one line each; types and `import()` count. `importsOf`: the
 * specifiers that a file imports.
 */
export function importCycles(root: string, importsOf: (file: string) => readonly string[]): string[] {
  const files = globSync("packages/*/src/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted()
  const known = new Set(files)
  const targets = (file: string): readonly string[] =>
    importsOf(join(root, file))
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => normalize(join(dirname(file), specifier)).replaceAll("\\", "/"))
      .filter((target) => known.has(target))
  const edges = new Map(files.map((file) => [file, targets(file)]))
  return components(edges)
    .filter((group) => group.length > 1 || edges.get(group[0] ?? "")?.includes(group[0] ?? "") === true)
    .map((group) => `import cycle: ${group.toSorted().join(", ")}`)
}

/** The strongly connected components of a graph (Tarjan). */
function components(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    let low = number
    stack.push(file)
    for (const target of edges.get(file) ?? []) {
      if (!numbers.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, numbers.get(target) ?? low)
    }
    if (low === number) found.push(stack.splice(stack.indexOf(file)))
    return low
  }
  for (const file of edges.keys()) if (!numbers.has(file)) visit(file)
  return found
}
