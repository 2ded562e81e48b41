import { englishOf } from "@gong/spec"
import { test } from "node:test"
import assert from "node:assert/strict"
import { runInNewContext } from "node:vm"
import { attack } from "@gong/testing/attacks"
import { createMemoryHost } from "@gong/tools/host/memory"
import { createFindTool, createGrepTool } from "@gong/tools"
import { covers } from "@gong/import/opencode/opencode-rules"
import { parseHooks } from "@gong/extensions/hooks/parse"
import { destructiveEffect } from "@gong/policy/guard"
import { globMatches } from "@gong/policy/paths"
import { allowsCommand, deniesCommand, parseRule, type Rule } from "@gong/policy/rules"

// Patterns come from rules and texts from a model, or vice versa: no combination may block the program forever.

/** Milliseconds that nothing here needs a hundredth of, and that a regular expression which tries all ways exceeds by far. */
const limit = { on: 30_000, off: 300 }

/** Whether it is still at work when its time is over. */
function isHeld(work: () => unknown, timeout: number): boolean {
  try {
    runInNewContext("work()", { work }, { timeout })
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
    return true
  }
}

const rule = (text: string): Rule => {
  const read = parseRule(text)
  return read.ok ? read.rule : assert.fail(englishOf(read.problem))
}
const words = (text: string) => text.split(" ").map((word) => ({ text: word, literal: true }))
const many = "a".repeat(3000)

/** The operation, and the same with the pattern as a regular expression. */
const cases: Readonly<Record<string, { on(): unknown; off(): unknown }>> = {
  "a rule on paths with stars in a name": {
    on: () => globMatches("/w/*a*a*a*a*.pem", `/w/${many}`),
    off: () => /^\/w\/[^/]*a[^/]*a[^/]*a[^/]*a[^/]*\.pem$/.test(`/w/${many}`),
  },
  "a rule on paths with stars over folders": {
    on: () => globMatches("/w/**/a/**/a/**/a/**/a/**/b", `/w/${"a/".repeat(1500)}`),
    off: () =>
      /^\/w\/(?:[^/]+\/)*a\/(?:[^/]+\/)*a\/(?:[^/]+\/)*a\/(?:[^/]+\/)*a\/(?:[^/]+\/)*b$/.test(
        `/w/${"a/".repeat(1500)}`,
      ),
  },
  "a rule that allows a word with stars": {
    on: () => allowsCommand(rule("bash(x *a*a*a*a*b)"), words(`x ${many}`) as never),
    off: () => /^.*a.*a.*a.*a.*b$/s.test(many),
  },
  "a rule that denies a line with stars": {
    on: () =>
      deniesCommand(
        rule("bash(git * push * --force * x * y)"),
        [words(`git ${"push --force x ".repeat(400)}`)] as never,
        null,
      ),
    off: () => /^git +.* +push +.* +--force +.* +x +.* +y$/s.test(`git ${"push --force x ".repeat(400)}`),
  },
  "a permission that is imported from opencode": {
    on: () => covers(`${"a*".repeat(40)}b`, many),
    off: () => new RegExp(`^${"a.*".repeat(40)}b$`, "s").test(many),
  },
  "what the guard takes off a value": {
    on: () =>
      destructiveEffect(`X=${"a".repeat(200)}; rm -rf "\${X%${"*a".repeat(40)}*b}"`, {
        cwd: "/w",
        home: "/h",
        roots: ["/w"],
        env: {},
      }),
    off: () => new RegExp(`^${"[^]*a".repeat(40)}[^]*b$`).test("a".repeat(200)),
  },
}

for (const [name, work] of Object.entries(cases))
  attack(`${name} does not hold the program`, (_t, guard) => ({ reached: isHeld(work[guard], limit[guard]) }))

const files = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`/w/${"a".repeat(200)}${at}`, "a\n"]))
const globs = {
  stars: `${"*a".repeat(30)}*b`,
  braces: `${"{a,aa,*}".repeat(30)}b`,
  folders: `${"**/".repeat(40)}*a*a*a*a*b`,
  open: "{".repeat(3000),
}

for (const [name, glob] of Object.entries(globs))
  test(`find and grep terminate with a glob of many ${name} over long names`, async () => {
    const host = createMemoryHost({ cwd: "/w", files })
    const context = { signal: new AbortController().signal, onUpdate: () => undefined } as never
    const found = await createFindTool("/w", { host }).execute("c", { pattern: glob }, context)
    const searched = await createGrepTool("/w", { host }).execute("c", { pattern: "a", glob }, context)
    assert.deepEqual([found.isError, searched.isError], [false, false])
  })

test("grep without ripgrep terminates with expressions of exponential backtracking", async () => {
  const host = createMemoryHost({ cwd: "/w", files: { "/w/a": `${"a".repeat(50_000)}\n` } })
  const context = { signal: new AbortController().signal, onUpdate: () => undefined } as never
  for (const pattern of ["(a+)+$x", "(a|aa)+b", "(((a*)*)*)*b", "(.*)*(.*)*c", "a{1,900}{1,900}b", "(".repeat(5000)])
    await createGrepTool("/w", { host }).execute("c", { pattern }, context)
})

/** Of a settings file that is trusted, or was another agent's. */
const matchers = {
  "alternatives that overlap": `${"(.|.|.|.|.|.|.|.)*".repeat(8)}x`,
  "nested repetitions": "((((\\w*)*)*)*)*-",
  "many stars": `${".*".repeat(60)}x`,
}

for (const [name, matcher] of Object.entries(matchers))
  attack(`a hook's matcher of ${name} does not hold the program`, async (_t, guard) => {
    const hooks = { Notification: [{ matcher, hooks: [{ type: "command", command: "true" }] }] }
    const { commands, problems } = await parseHooks({ path: "", hooks, locationOf: async () => "" })
    assert.deepEqual([commands.length, problems], [1, []])
    const names = ["permission_prompt", "an_extension_s_own_tool_with_a_long_name"]
    const pattern = new RegExp(`^(?:${matcher})$`)
    const work = {
      on: () => commands.some(({ isMeant }) => isMeant(names)),
      off: () => names.some((one) => pattern.test(one)),
    }
    return { reached: isHeld(work[guard], limit[guard]) }
  })
