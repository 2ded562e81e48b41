import assert from "node:assert/strict"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { parseArgs } from "../../packages/gong/src/command-line/args.ts"
import { exitStatus } from "../../packages/gong/src/command-line/exit.ts"
import { parseCommand } from "../../packages/policy/src/command/command.ts"
import { documentsNow } from "../doc-tables.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const documents: ReadonlyMap<string, string> = new Map(
  globSync(["*.md", "docs/**/*.md"], { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .map((file) => [file, read(file)]),
)

test("tables made from the sources are current; npm run docs writes them", async () => {
  for (const [file, now] of await documentsNow(root)) assert.ok(read(file) === now, `${file} is old: npm run docs`)
})

test("links inside the repository lead somewhere", () => {
  assert.deepEqual(
    [...documents].flatMap(([file, text]) =>
      linksIn(text)
        .filter((link) => !leads(file, link))
        .map((link) => `${file}: ${link}`),
    ),
    [],
  )
})

test("a link that leads nowhere is seen", () => {
  const links = linksIn("[a](README.md) [b](docs/none.md) ![c](docs/cli.md#none) [d](docs/cli.md#options)")
  assert.deepEqual(
    links.filter((link) => !leads("README.md", link)),
    ["docs/none.md", "docs/cli.md#none"],
  )
})

test("the changelog begins with its title and has no duplicate line", () => {
  const text = documents.get("CHANGELOG.md") ?? ""
  assert.match(text, /^# Changelog\n/)
  assert.deepEqual(twice(beginnings(text)), [])
})

test("duplicate lines of the changelog are found", () => {
  assert.deepEqual(twice(beginnings("# C\n\n- `gong x`: one.\n- Y: two.\n- `gong x`: one and more.\n")), ["- `gong x`"])
})

test("commands in the documents are valid", () => {
  const wrong = [...documents].flatMap(([file, text]) =>
    commandsIn(text).flatMap((words) => {
      const problem = problemOf(words)
      return problem === null ? [] : [`${file}: ${words.join(" ")}: ${problem}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

test("an invalid command is found", () => {
  const text = '```sh\ngong --frob # why\ngit diff | gong -p --output yaml "x"\nnpm run none\ngong -c\nnpm test\n```\n'
  const problems = commandsIn(text).map(problemOf)
  assert.match(problems[0] ?? "", /--frob/)
  assert.match(problems[1] ?? "", /--output/)
  assert.match(problems[2] ?? "", /none/)
  assert.deepEqual(problems.slice(3), [null, null])
})

test("the documents name no path of the machine they were written on and no registry", () => {
  const registry = new RegExp(["registry\\.(npm|yarn)", "npm(mirror)?\\.com", "npmjs\\.(org|com)"].join("|"))
  const pictures = ["docs/demo.svg", "docs/terminal.svg"].map((file) => [file, read(file)] as const)
  const here = [root.replace(/\/$/, ""), homedir()].filter((path) => path !== "" && path !== "/")
  for (const [file, text] of [...documents, ...pictures]) {
    assert.doesNotMatch(text, registry, file)
    // Excludes prefixes of longer paths.
    const named = here.filter((path) =>
      text
        .split(`${path}/`)
        .slice(0, -1)
        .some((before) => !/[\w.~-]$/.test(before)),
    )
    assert.deepEqual(named, [], file)
  }
})

test("every example in docs/events.md is an event, and every event has one or is documented as not sent", () => {
  const text = documents.get("docs/events.md") ?? ""
  const shown = blocksIn(text, "json").map((line) => {
    const event = JSON.parse(line) as Readonly<Record<string, unknown>>
    assert.equal(Object.keys(event)[0], "type")
    assert.equal(typeof event["seq"], "number")
    assert.equal(typeof event["time"], "string")
    return event["type"]
  })
  const notSent = /^## Not sent.*?(?=^## )/ms.exec(text)?.[0] ?? ""
  const source = read("packages/spec/src/events/event.ts")
  const types = new Set([...source.matchAll(/readonly type: "(\w+)"/g)].map((match) => match[1] ?? ""))
  assert.ok(types.size > 20)
  for (const type of types)
    assert.ok(shown.includes(type) || notSent.includes(`\`${type}\``), `${type} is not documented`)
})

test("every notice code and every kind of failure is in docs/events.md", () => {
  const text = documents.get("docs/events.md") ?? ""
  const codes = /type NotificationCode =([^]*?)\n\n/.exec(read("packages/spec/src/session/step.ts"))?.[1] ?? ""
  const kinds = /type FailureKind =([^]*?)\n\n/.exec(read("packages/spec/src/text/failure.ts"))?.[1] ?? ""
  const names = [...`${codes}${kinds}`.matchAll(/"([\w-]+)"/g)].map((match) => match[1] ?? "")
  assert.ok(names.length > 20)
  for (const name of names) assert.ok(text.includes(`\`${name}\``), `${name} is not documented`)
})

test("exit statuses in docs/cli.md are those of the program", () => {
  const text = documents.get("docs/cli.md") ?? ""
  const statuses = (["done", "failed", "limit", "refused"] as const).map((status) => exitStatus({ status }))
  for (const status of statuses) assert.match(text, new RegExp(`^\\| ${status} \\|`, "m"))
  const endings = (["hangup", "interrupt", "broken-pipe", "terminated"] as const).map((ending) =>
    exitStatus({ status: "interrupted" }, ending),
  )
  assert.ok(text.includes(`| ${endings.join(", ")} |`))
})

test("ARCHITECTURE.md is short, and the README begins with the essentials", () => {
  assert.ok(read("ARCHITECTURE.md").split("\n").length < 400)
  const top = read("README.md").split("\n")
  assert.ok(top.slice(0, 20).join("\n").includes("npm ci && npm run demo"))
  assert.ok(top.slice(0, 20).join("\n").includes("npm ci && npm test"))
  assert.ok(!top.slice(0, 60).some((line) => /^#.*architecture/i.test(line)))
})

test("the two READMEs show the same figures, permission levels and commands", () => {
  const shown = (file: string) => ({
    figures: [...read(file).matchAll(/\| ([\d.]+ \S+|-) \| ([\d.]+ \S+) \|$/gm)].map((row) => row.slice(1)),
    levels: [...read(file).matchAll(/^\| (`.+?) \|/gm)].map((row) => row[1]?.replace(/ ?[(（].*|、|, /g, "")),
    commands: [...read(file).matchAll(/^(?:npm|gong|export) [^#\n]*/gm)].map((line) => line[0].trim()),
  })
  const english = shown("README.md")
  assert.ok(english.figures.length >= 10 && english.levels.length >= 4 && english.commands.length >= 7)
  assert.deepEqual(shown("README.zh-CN.md"), english)
})

test("files that AGENTS.md and ARCHITECTURE.md name are there", () => {
  const paths = ["AGENTS.md", "ARCHITECTURE.md"].flatMap((file) =>
    [...(documents.get(file) ?? "").matchAll(/`((?:packages|scripts|testing|docs|bench)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? "",
    ),
  )
  assert.ok(paths.length > 20)
  assert.deepEqual(
    paths.filter((path) => !/NAME|ROOM/.test(path) && !existsSync(join(root, path))),
    [],
  )
})

function read(file: string): string {
  return readFileSync(join(root, file), "utf8")
}

/** Targets of links and pictures that are not on the web. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "")
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((link) => !/^[a-z]+:/.test(link))
}

function leads(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#", 2)
  const file = path === "" ? from : join(dirname(from), path)
  if (!existsSync(join(root, file))) return false
  if (anchor === undefined) return true
  return statSync(join(root, file)).isFile() && anchorsOf(read(file)).includes(anchor)
}

/** As forges make them from headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )
}

function blocksIn(text: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm")
  return [...text.matchAll(block)].flatMap((match) => (match[1] ?? "").trimEnd().split("\n"))
}

/** The calls of gong and npm in a document's shell blocks, as words; without comments. */
function commandsIn(text: string): (readonly string[])[] {
  return blocksIn(text, "sh")
    .map((line) => line.replace(/\s+#.*$/, ""))
    .flatMap((line) => parseCommand(line).commands.map((command) => command.words.map((word) => word.text)))
    .map((words) => (words[0] === "npx" ? words.slice(1) : words))
    .filter(([program]) => program === "gong" || program === "npm")
}

/** Null if the program accepts the command line. */
function problemOf([program, ...args]: readonly string[]): string | null {
  if (program === "gong") {
    const parsed = parseArgs(args)
    return parsed.ok ? null : (parsed.error.lines[0] ?? "refused")
  }
  const name = args[0] === "run" ? args[1] : args[0]
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
  return name === "ci" || Object.hasOwn(scripts, name ?? "") ? null : `there is no script ${name}`
}

/** The subject of each line: its words before the colon, if they are few. */
function beginnings(text: string): readonly string[] {
  return [...text.matchAll(/^(- [^:\n]{1,60}):/gm)].map(([, about = ""]) => about)
}

function twice(items: readonly string[]): readonly string[] {
  return items.filter((item, at) => items.indexOf(item) !== at)
}
