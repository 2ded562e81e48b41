import type { Task } from "../task.ts"

/** Tasks about dates, waiting and errors. */
export const time: readonly Task[] = [
  {
    id: "leap-year",
    prompt: "isLeapYear in calendar.js says that 1900 is a leap year: repair it.",
    files: { "calendar.js": "export function isLeapYear(year) {\n  return year % 4 === 0\n}\n" },
    check: `const { isLeapYear } = await load("calendar.js")
assert.deepEqual([1900, 2000, 2023, 2024].map(isLeapYear), [false, true, false, true])`,
    repair: {
      "calendar.js":
        "export function isLeapYear(year) {\n  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0\n}\n",
    },
  },
  {
    id: "month-index",
    prompt: "format.js prints every date one month early: repair it, always with two digits for month and day.",
    files: {
      "format.js":
        "/** `2026-03-09` in UTC. */\nexport function isoDay(date) {\n  return `${date.getUTCFullYear()}-${date.getUTCMonth()}-${date.getUTCDate()}`\n}\n",
    },
    check: `const { isoDay } = await load("format.js")
assert.equal(isoDay(new Date("2026-03-09T23:59:00Z")), "2026-03-09")
assert.equal(isoDay(new Date("2026-12-31T00:00:00Z")), "2026-12-31")`,
    repair: {
      "format.js":
        "/** `2026-03-09` in UTC. */\nexport function isoDay(date) {\n  return date.toISOString().slice(0, 10)\n}\n",
    },
  },
  {
    id: "missing-await",
    prompt: "saveAll in save.js returns before everything is saved, and loses errors: repair it.",
    files: {
      "save.js":
        "/** Saves the items in order with `save(item)`, and returns how many were saved. */\nexport async function saveAll(items, save) {\n  let saved = 0\n  items.forEach(async (item) => {\n    await save(item)\n    saved++\n  })\n  return saved\n}\n",
    },
    check: `const { saveAll } = await load("save.js")
const order = []
const slow = (item) => new Promise((resolve) => setTimeout(() => resolve(order.push(item)), 5 - item))
assert.equal(await saveAll([1, 2, 3], slow), 3)
assert.deepEqual(order, [1, 2, 3])
await assert.rejects(saveAll([1], async () => { throw new Error("full") }), /full/)`,
    repair: {
      "save.js":
        "/** Saves the items in order with `save(item)`, and returns how many were saved. */\nexport async function saveAll(items, save) {\n  let saved = 0\n  for (const item of items) {\n    await save(item)\n    saved++\n  }\n  return saved\n}\n",
    },
  },
  {
    id: "retry-limit",
    prompt: "retry in retry.js never gives up: it must try at most `times` times and then throw the last error.",
    files: {
      "retry.js":
        "/** Calls `work()` until it succeeds. */\nexport async function retry(work, times) {\n  for (;;) {\n    try {\n      return await work()\n    } catch {\n      // again\n    }\n  }\n}\n",
    },
    check: `const { retry } = await load("retry.js")
let calls = 0
const fails = async () => { calls++; if (calls > 50) process.exit(1); throw new Error("no " + calls) }
await assert.rejects(retry(fails, 3), /no 3/)
assert.equal(calls, 3)
let left = 2
assert.equal(await retry(async () => { if (left-- > 0) throw new Error("x"); return "ok" }, 5), "ok")`,
    repair: {
      "retry.js":
        "/** Calls `work()` until it succeeds, at most `times` times; then throws the last error. */\nexport async function retry(work, times) {\n  for (let tried = 1; ; tried++) {\n    try {\n      return await work()\n    } catch (error) {\n      if (tried >= times) throw error\n    }\n  }\n}\n",
    },
  },
]
