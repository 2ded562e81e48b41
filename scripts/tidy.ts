import { existsSync, globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { functionSizes } from "./function-sizes.ts"
import { importCycles } from "./import-cycles.ts"
import { toolSwitches } from "./tool-switches.ts"

/** Rules that the linter cannot check. One line each: location and violation. */
export function tidy(root: string, allowed: SizeAllowances): string[] {
  return [
    ...undeclared(root),
    ...fromTheAir(root),
    ...signalsByNumber(root),
    ...unbounded(root),
    ...unclean(root),
    ...registryNames(root),
    ...toolSwitches(root),
    ...matchedTexts(root),
    ...importCycles(root, importsOf),
    ...oversized(root, allowed),
    ...crowded(root),
    ...unused(root),
    ...(existsSync(join(root, "docs/words.md")) ? [] : ["docs/words.md is missing"]),
  ]
}

/** File -> why it may be longer than 300 lines; "file function" -> why it may be longer than 80. */
export type SizeAllowances = Readonly<Record<string, string>>

const importOf = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)["']([^"'\n]+)["']/g
const commentLine = /^\s*(\/\/|\/?\*).*/gm

function importsOf(file: string): string[] {
  const code = readFileSync(file, "utf8").replace(commentLine, "")
  return [...code.matchAll(importOf)].map((match) => match[1] ?? "")
}

function sources(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
}

/** Imports must be declared in package.json; tests may use whatever the workspace installs. */
function undeclared(root: string): string[] {
  const manifests = [
    ".",
    ...sources(root, "packages/*/package.json").map((file) => file.slice(0, -"/package.json".length)),
  ]
  const installed = new Set(
    manifests
      .map((folder) => manifest(root, folder))
      .flatMap((one) => Object.keys({ ...one.dependencies, ...one.devDependencies })),
  )
  return [...sources(root, "packages/*/package.json"), ...sources(root, "testing/package.json")].flatMap((file) => {
    const folder = file.slice(0, -"/package.json".length)
    const own = manifest(root, folder)
    const declared = new Set([own["name"], ...Object.keys({ ...own["dependencies"], ...own["optionalDependencies"] })])
    const check = (part: string, also: (name: string) => boolean) =>
      sources(root, `${folder}/${part}/**/*.ts`).flatMap((source) =>
        importsOf(join(root, source))
          .map(packageName)
          .filter((name): name is string => name !== null && !declared.has(name) && !also(name))
          .map((name) => `${source}: imports ${name}, which ${folder}/package.json does not declare`),
      )
    return [...check("src", () => false), ...check("test", (name) => installed.has(name) || name.startsWith("@gong/"))]
  })
}

interface Manifest {
  readonly name?: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function manifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
}

/** Null for relative paths and Node's own modules. */
function packageName(specifier: string): string | null {
  if (/^(\.|node:|#)/.test(specifier)) return null
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
}

/** `globalThis` and an empty `new Date()` reach a clock that the linter cannot see; a disabled rule is no rule. */
function fromTheAir(root: string): string[] {
  const pure = ["spec", "llm", "loop", "tools", "tape", "session", "policy", "resources", "texts", "web"]
  const folders = [...pure.map((name) => `${name}/src`), "app/src/{controller,slash}", "gong/src/modes"]
  const taken = folders
    .flatMap((folder) => sources(root, `packages/${folder}/**/*.ts`))
    .flatMap((file) =>
      find(root, file, /\bglobalThis\b|\bnew Date\(\)|\bDate\(\)/, "takes from the air what should come as a port"),
    )
  const disabled = [...sources(root, "{packages,testing,scripts,bench,examples}/**/*.{ts,mjs,js}")].flatMap((file) =>
    find(
      root,
      file,
      new RegExp(["oxlint", "eslint"].map((name) => `${name}-${"disable"}`).join("|")),
      "switches a rule off",
    ),
  )
  return [...taken, ...disabled]
}

const killsByNumber =
  /\b(?:spawn|exec)\w*\(\s*["'`](?:kill|pkill|killall)\b|\bkill(?:\s+-\w+)*\s+(?:--\s+)?(?:-?\$\{|\d)|\bkill\b[^}]*\}\s*from\s*["'](?:node:)?process["']/

/** Ways around the linter's ban of `process.kill`: a program or shell that kills any pid. */
function signalsByNumber(root: string): string[] {
  return sources(root, "{packages/*/test,testing,scripts,bench}/**/*.{ts,mjs}").flatMap((file) =>
    find(root, file, killsByNumber, "sends a signal past testing/src/processes.ts"),
  )
}

/** Deeply nested JSON could overflow the stack of code that walks it: all of it is read with a bound. */
function unbounded(root: string): string[] {
  // Data read by the thread of extensions is a copy of its own, or was bounded before.
  const read = sources(root, "packages/*/src/**/*.ts").filter(
    (file) => file !== "packages/spec/src/json/json.ts" && !file.startsWith("packages/extensions/src/worker/"),
  )
  return read.flatMap((file) =>
    find(root, file, /\bJSON\.parse\b/, "reads JSON without the bound of readJson (spec/json.ts)"),
  )
}

/** A translator looks texts up by the ids of their phrases, never by the form of English sentences. */
function matchedTexts(root: string): string[] {
  const matching = /\bRegExp\b|\.(?:match|matchAll|exec|test|search|replace|startsWith|endsWith|includes)\(/
  return sources(root, "packages/texts/src/{translator,zh-CN/**/*}.ts").flatMap((file) =>
    find(root, file, matching, "recognises a text by its form: make it a phrase"),
  )
}

function find(root: string, file: string, wrong: RegExp, what: string): string[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n")
  const code = (line: string) => line.replace(commentLine, "")
  return lines.flatMap((line, index) =>
    wrong.test(code(line)) ? [`${file}:${index + 1} ${what}: ${wrong.exec(line)?.[0]}`] : [],
  )
}

/** The roots of spec and tape run in a browser: no Node module can be reached from them. */
function unclean(root: string): string[] {
  return ["packages/spec/src/index.ts", "packages/tape/src/index.ts"].flatMap((entry) => {
    const reached = new Set<string>()
    const wrong: string[] = []
    const visit = (file: string): void => {
      if (reached.has(file) || !existsSync(file)) return
      reached.add(file)
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith("node:")) wrong.push(`${entry} reaches ${specifier} in ${relative(root, file)}`)
        if (specifier.startsWith(".")) visit(join(file, "..", specifier))
      }
    }
    visit(join(root, entry))
    return wrong
  })
}

/** Any mirror must be usable as the registry: the lock names none. */
function registryNames(root: string): string[] {
  const files = ["package-lock.json", ".npmrc", ...sources(root, "packages/*/package.json"), "package.json"]
  return files
    .filter((file) => existsSync(join(root, file)))
    .filter((file) =>
      /"resolved":\s*"https?:|^registry\s*=|"registry"\s*:/m.test(readFileSync(join(root, file), "utf8")),
    )
    .map((file) => `${file} names a registry`)
}

function oversized(root: string, allowed: SizeAllowances): string[] {
  const files = sources(root, "{packages/*/src,testing/src,scripts,bench,examples}/**/*.{ts,mjs}")
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    const lines = text.split("\n").length - 1
    const long = lines > 300 ? [{ key: file, what: `${file} has ${lines} lines, more than 300` }] : []
    const functions = functionSizes(text).filter((one) => one.lines > 80)
    return [
      ...long,
      ...functions.map((one) => ({
        key: `${file} ${one.name}`,
        what: `${file}:${one.line} ${one.name} has ${one.lines} lines, more than 80`,
      })),
    ]
  })
  const keys = new Set(found.map((one) => one.key))
  return [
    ...found.filter((one) => allowed[one.key] === undefined).map((one) => one.what),
    ...Object.keys(allowed)
      .filter((key) => !keys.has(key))
      .map((key) => `${key} needs its allowance no more`),
  ]
}

/** Files of a folder; the share of one package in all lines of source, where there are more than `whole`. */
const most = { files: 16, share: 1 / 3, whole: 10_000 }

/** Folders with too many files, packages with too much of the source. */
function crowded(root: string): string[] {
  const files = sources(root, "packages/*/src/**/*.ts")
  const folders = Object.entries(Object.groupBy(files, (file) => file.slice(0, file.lastIndexOf("/"))))
  const full = folders.filter(([, inside = []]) => inside.length > most.files)
  const lines = new Map<string, number>()
  for (const file of files) {
    const name = file.split("/", 2).join("/")
    lines.set(name, (lines.get(name) ?? 0) + readFileSync(join(root, file), "utf8").split("\n").length)
  }
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0)
  const large = [...lines].filter(([, count]) => total > most.whole && count > total * most.share)
  return [
    ...full.map(([folder, inside = []]) => `${folder} has ${inside.length} files, more than ${most.files}`),
    ...large.map(([name, count]) => `${name} has ${count} of ${total} lines, more than a third`),
  ]
}

/** Entry points of a package that nothing outside of it imports. */
function unused(root: string): string[] {
  const files = sources(root, "{packages,testing,scripts,bench,examples}/**/*.{ts,mjs}")
  const imported = files.map((file) => [file, new Set(importsOf(join(root, file)))] as const)
  return sources(root, "packages/*/package.json").flatMap((file) => {
    const folder = file.slice(0, -"package.json".length)
    const { name = "", exports = {} } = manifest(root, folder)
    return Object.keys(exports)
      .map((entry) => `${name}${entry.slice(1)}`)
      .filter(
        (entry) => name.startsWith("@") && !imported.some(([user, all]) => !user.startsWith(folder) && all.has(entry)),
      )
      .map((entry) => `${file}: nothing outside imports ${entry}`)
  })
}
