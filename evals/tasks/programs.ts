import type { Task } from "../task.ts"

/** Tasks about whole programs: their arguments, files and configuration. */
export const programs: readonly Task[] = [
  {
    id: "exit-status",
    prompt: "check.js prints its error but exits with 0: it must exit with 1 for a missing file.",
    files: {
      "check.js":
        'import { existsSync } from "node:fs"\n\nconst [path] = process.argv.slice(2)\nif (!existsSync(path)) {\n  console.error(`missing: ${path}`)\n} else {\n  console.log(`found: ${path}`)\n}\n',
    },
    check: `assert.equal(run("check.js", "check.js"), "found: check.js\\n")
assert.throws(() => run("check.js", "none.txt"), (error) => error.status === 1 && /missing: none.txt/.test(error.stderr))`,
    repair: {
      "check.js":
        'import { existsSync } from "node:fs"\n\nconst [path] = process.argv.slice(2)\nif (!existsSync(path)) {\n  console.error(`missing: ${path}`)\n  process.exitCode = 1\n} else {\n  console.log(`found: ${path}`)\n}\n',
    },
  },
  {
    id: "new-option",
    prompt: "Add the option --upper to hello.js: it prints the greeting in capital letters; describe it in README.md.",
    files: {
      "hello.js": 'const [name = "world"] = process.argv.slice(2)\n\nconsole.log(`Hello, ${name}!`)\n',
      "README.md": "# hello\n\n    node hello.js [NAME]\n\nPrints a greeting.\n",
    },
    check: `assert.equal(run("hello.js", "Ann"), "Hello, Ann!\\n")
assert.equal(run("hello.js", "--upper", "Ann"), "HELLO, ANN!\\n")
assert.equal(run("hello.js", "Ann", "--upper"), "HELLO, ANN!\\n")
assert.equal(run("hello.js", "--upper"), "HELLO, WORLD!\\n")
assert.match(text("README.md"), /--upper/)`,
    repair: {
      "hello.js":
        'const args = process.argv.slice(2)\nconst [name = "world"] = args.filter((arg) => arg !== "--upper")\nconst greeting = `Hello, ${name}!`\n\nconsole.log(args.includes("--upper") ? greeting.toUpperCase() : greeting)\n',
      "README.md":
        "# hello\n\n    node hello.js [--upper] [NAME]\n\nPrints a greeting; `--upper`: in capital letters.\n",
    },
  },
  {
    id: "broken-json",
    prompt: "start.js fails because config.json is no valid JSON: repair the file and keep all its settings.",
    files: {
      "config.json": '{\n  // the server\n  "host": "127.0.0.1",\n  \'port\': 8080,\n  "paths": ["/", "/api",],\n}\n',
      "start.js":
        'import { readFileSync } from "node:fs"\n\nconst { host, port, paths } = JSON.parse(readFileSync("config.json", "utf8"))\nconsole.log(`${host}:${port} ${paths.join(" ")}`)\n',
    },
    check: `assert.equal(run("start.js"), "127.0.0.1:8080 / /api\\n")
assert.equal(JSON.parse(text("config.json")).port, 8080)`,
    repair: {
      "config.json": '{\n  "host": "127.0.0.1",\n  "port": 8080,\n  "paths": ["/", "/api"]\n}\n',
    },
  },
  {
    id: "wrong-import",
    prompt: "main.js does not start: repair its import without moving files.",
    files: {
      "main.js": 'import { area } from "./lib/shapes.js"\n\nconsole.log(area(2, 3))\n',
      "lib/geometry/shapes.js": "export const area = (width, height) => width * height\n",
    },
    check: `assert.equal(run("main.js"), "6\\n")
assert.match(text("lib/geometry/shapes.js"), /area/)`,
    repair: { "main.js": 'import { area } from "./lib/geometry/shapes.js"\n\nconsole.log(area(2, 3))\n' },
  },
  {
    id: "path-escape",
    prompt:
      "readPublic in serve.js serves files outside of its folder for ../: make it throw for every path that leads out.",
    files: {
      "serve.js":
        'import { readFileSync } from "node:fs"\nimport { join } from "node:path"\n\nexport function readPublic(folder, path) {\n  return readFileSync(join(folder, path), "utf8")\n}\n',
      "public/index.html": "<h1>Hi</h1>\n",
      "public-secret.txt": "secret\n",
    },
    check: `const { readPublic } = await load("serve.js")
const folder = place("public")
assert.equal(readPublic(folder, "index.html"), "<h1>Hi</h1>\\n")
assert.equal(readPublic(folder, "/index.html"), "<h1>Hi</h1>\\n")
assert.throws(() => readPublic(folder, "../public-secret.txt"))
assert.throws(() => readPublic(folder, "../public-secret.txt/../public-secret.txt"))
assert.throws(() => readPublic(folder, "x/../../public-secret.txt"))`,
    repair: {
      "serve.js":
        'import { readFileSync } from "node:fs"\nimport { join, relative } from "node:path"\n\nexport function readPublic(folder, path) {\n  const file = join(folder, path)\n  if (relative(folder, file).startsWith("..")) throw new Error(`${path} leads out of the folder`)\n  return readFileSync(file, "utf8")\n}\n',
    },
  },
  {
    id: "failing-test",
    prompt: "One test of test.js fails: repair the code, not the test.",
    files: {
      "stack.js":
        "export class Stack {\n  #items = []\n\n  push(item) {\n    this.#items.push(item)\n  }\n\n  pop() {\n    return this.#items.shift()\n  }\n\n  get size() {\n    return this.#items.length\n  }\n}\n",
      "test.js":
        'import assert from "node:assert/strict"\nimport { Stack } from "./stack.js"\n\nconst stack = new Stack()\nstack.push(1)\nstack.push(2)\nassert.equal(stack.size, 2)\nassert.equal(stack.pop(), 2)\nassert.equal(stack.pop(), 1)\nassert.equal(stack.pop(), undefined)\nconsole.log("ok")\n',
    },
    check: `assert.equal(run("test.js"), "ok\\n")
const { Stack } = await load("stack.js")
const stack = new Stack()
for (const item of ["a", "b", "c"]) stack.push(item)
assert.deepEqual([stack.pop(), stack.pop(), stack.size], ["c", "b", 1])`,
    repair: {
      "stack.js":
        "export class Stack {\n  #items = []\n\n  push(item) {\n    this.#items.push(item)\n  }\n\n  pop() {\n    return this.#items.pop()\n  }\n\n  get size() {\n    return this.#items.length\n  }\n}\n",
    },
  },
]
