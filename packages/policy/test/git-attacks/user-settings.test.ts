import assert from "node:assert/strict"
import { test } from "node:test"
import { attacks } from "@gong/testing/attacks"
import { gitFixture, repository, type FixtureOptions } from "./fixture.ts"

/** The user's own settings lead to a program of the workspace. */
interface Way extends FixtureOptions {
  readonly settings?: string
  readonly files?: Readonly<Record<string, string>>
  /** Where the program lies, from the root. */
  readonly program: string
}

const filter = (clean: string) => `[filter "f"]\n\tclean = "${clean}"\n`

const cases: Readonly<Record<string, Way>> = {
  "a name that the PATH finds in the workspace": {
    settings: filter("tool clean %f"),
    path: ["work/bin"],
    program: "work/bin/tool",
  },
  "a name behind others": { settings: filter("env A=1 tool"), path: ["work/bin"], program: "work/bin/tool" },
  "a name in a line of a shell": { settings: filter("true; tool"), path: ["work/bin"], program: "work/bin/tool" },
  "a name that a relative folder of the PATH finds": {
    settings: filter("tool"),
    env: { PATH: "./bin:/usr/bin:/bin" },
    program: "work/bin/tool",
  },
  "a relative path": { settings: filter("./tool"), program: "work/tool" },
  "a path from the root": { settings: filter("ROOT/work/tool"), program: "work/tool" },
  "a path from the home through a link": { settings: filter("~/link/tool"), program: "work/tool" },
  "further settings in the workspace": {
    settings: "[include]\n\tpath = ROOT/work/more\n",
    files: { "work/more": filter("ROOT/tool") },
    program: "tool",
  },
  "settings that are a file of the workspace": {
    env: { GIT_CONFIG_GLOBAL: "ROOT/work/more" },
    files: { "work/more": filter("ROOT/tool") },
    program: "tool",
  },
  "a variable that names an external diff": { env: { GIT_EXTERNAL_DIFF: "ROOT/work/tool" }, program: "work/tool" },
  "a variable of settings": {
    env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: "ROOT/work/tool" },
    program: "work/tool",
  },
  "a variable of settings as `git -c` makes it": {
    env: { GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='ROOT/work/tool'" },
    program: "work/tool",
  },
}

function layout({ settings = "", files = {}, program, ...options }: Way) {
  const fixture = gitFixture(options)
  repository(fixture)
  fixture.plain(`ln -s ${fixture.work} ${fixture.home}/link`)
  fixture.write({ "home/.gitconfig": settings, ...files })
  fixture.canary(program)
  return fixture
}

attacks("[SAFE-5] the user's own settings lead to a program of the workspace", Object.keys(cases), async (t, guard) => {
  const reached: string[] = []
  for (const [name, one] of Object.entries(cases)) {
    const fixture = layout(one)
    t.after(() => fixture.remove())
    if (guard === "off") fixture.plain("git status; git diff")
    else for (const command of ["git status", "git diff"]) await fixture.ask(command)
    if (fixture.triggered()) reached.push(name)
  }
  return reached
})

test("[SAFE-5] programs of the user's own settings outside the workspace run, as for the user", async (t) => {
  const fixture = layout({ settings: filter("tool"), path: ["bin"], program: "bin/tool" })
  t.after(() => fixture.remove())
  assert.equal((await fixture.ask("git diff")).verdict, "allow")
  assert.equal(fixture.triggered(), true)
})
