import type { Task } from "../task.ts"

/** Tasks about objects, lists and their keys. */
export const data: readonly Task[] = [
  {
    id: "shared-default",
    prompt: "Two carts from create.js share their items: repair it.",
    files: {
      "create.js":
        "const empty = { items: [] }\n\nexport function createCart() {\n  return { ...empty }\n}\n\nexport function add(cart, item) {\n  cart.items.push(item)\n  return cart\n}\n",
    },
    check: `const { createCart, add } = await load("create.js")
const one = add(createCart(), "a")
assert.deepEqual(createCart().items, [])
assert.deepEqual(one.items, ["a"])`,
    repair: {
      "create.js":
        "export function createCart() {\n  return { items: [] }\n}\n\nexport function add(cart, item) {\n  cart.items.push(item)\n  return cart\n}\n",
    },
  },
  {
    id: "inherited-key",
    prompt: 'count.js miscounts the word "constructor": repair it.',
    files: {
      "count.js":
        "export function countWords(text) {\n  const counts = {}\n  for (const word of text.split(/\\s+/).filter(Boolean)) counts[word] = (counts[word] || 0) + 1\n  return new Map(Object.entries(counts))\n}\n",
    },
    check: `const { countWords } = await load("count.js")
const counts = countWords("constructor a a __proto__ constructor")
assert.deepEqual([counts.get("constructor"), counts.get("a"), counts.get("__proto__")], [2, 2, 1])`,
    repair: {
      "count.js":
        "export function countWords(text) {\n  const counts = new Map()\n  for (const word of text.split(/\\s+/).filter(Boolean)) counts.set(word, (counts.get(word) ?? 0) + 1)\n  return counts\n}\n",
    },
  },
  {
    id: "changed-while-read",
    prompt:
      "removeDone in todo.js leaves some finished tasks in the list: repair it; it must change the given list itself.",
    files: {
      "todo.js":
        "export function removeDone(tasks) {\n  for (let i = 0; i < tasks.length; i++) if (tasks[i].done) tasks.splice(i, 1)\n  return tasks\n}\n",
    },
    check: `const { removeDone } = await load("todo.js")
const list = [{ done: true }, { done: true }, { done: false }, { done: true }, { done: true }]
assert.equal(removeDone(list), list)
assert.deepEqual(list, [{ done: false }])`,
    repair: {
      "todo.js":
        "export function removeDone(tasks) {\n  for (let i = tasks.length - 1; i >= 0; i--) if (tasks[i].done) tasks.splice(i, 1)\n  return tasks\n}\n",
    },
  },
  {
    id: "stable-order",
    prompt: "Players with the same points must stand in the order of their names in ranking.js: repair the comparison.",
    files: {
      "ranking.js":
        "export function ranking(players) {\n  return players.toSorted((a, b) => b.points > a.points).map(({ name }) => name)\n}\n",
    },
    check: `const { ranking } = await load("ranking.js")
assert.deepEqual(ranking([{ name: "c", points: 1 }, { name: "b", points: 3 }, { name: "a", points: 3 }, { name: "d", points: 9 }]), ["d", "a", "b", "c"])`,
    repair: {
      "ranking.js":
        "export function ranking(players) {\n  return players\n    .toSorted((a, b) => b.points - a.points || a.name.localeCompare(b.name))\n    .map(({ name }) => name)\n}\n",
    },
  },
  {
    id: "rename-everywhere",
    prompt: "Rename the function getUsr to getUser in all files, including the documentation.",
    files: {
      "src/users.js":
        'const users = new Map([[1, "Ann"]])\n\nexport function getUsr(id) {\n  return users.get(id)\n}\n',
      "src/greet.js":
        'import { getUsr } from "./users.js"\n\nexport function greet(id) {\n  return `Hello, ${getUsr(id)}`\n}\n',
      "src/main.js": 'import { greet } from "./greet.js"\n\nconsole.log(greet(1))\n',
      "docs/api.md": "# API\n\n`getUsr(id)` returns the name of a user.\n",
    },
    check: `assert.equal(run("src/main.js"), "Hello, Ann\\n")
for (const path of ["src/users.js", "src/greet.js", "docs/api.md"]) {
  assert.doesNotMatch(text(path), /getUsr/)
  assert.match(text(path), /getUser/)
}`,
    repair: {
      "src/users.js":
        'const users = new Map([[1, "Ann"]])\n\nexport function getUser(id) {\n  return users.get(id)\n}\n',
      "src/greet.js":
        'import { getUser } from "./users.js"\n\nexport function greet(id) {\n  return `Hello, ${getUser(id)}`\n}\n',
      "docs/api.md": "# API\n\n`getUser(id)` returns the name of a user.\n",
    },
  },
]
