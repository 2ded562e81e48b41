import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openPlace, type Place } from "./place.ts"

const hook = (command: string) =>
  JSON.stringify({ hooks: { UserPromptSubmit: [{ matcher: "*", hooks: [{ type: "command", command }] }] } })

/** Targets of links, outside the repository. */
function layOutside(place: Place): string {
  const outside = join(place.root, "outside")
  place.write({
    [join(outside, ".gong/hooks.json")]: hook(place.trip("linked-hooks")),
    [join(outside, ".gong/SYSTEM.md")]: place.mark("linked-system-prompt"),
    [join(outside, ".gong/prompts/linked.md")]: place.mark("linked-template"),
    [join(outside, "claude.json")]: hook(place.trip("linked-claude-settings")),
    [join(outside, "skills/theirs/SKILL.md")]:
      `---\nname: theirs\ndescription: ${place.mark("linked-skill")}\n---\nx\n`,
    [join(outside, "secret.md")]: place.mark("linked-instructions"),
  })
  return outside
}

const links: Readonly<Record<string, string>> = {
  ".gong": ".gong",
  ".claude/settings.json": "claude.json",
  ".agents/skills": "skills",
  "AGENTS.md": "secret.md",
}

test("[SC-13] links out of the repository are not followed, trusted or not (6 attacks with controls)", async (t) => {
  const place = await openPlace(t, { otherwise: { text: "Right." } })
  const outside = layOutside(place)
  for (const [path, to] of Object.entries(links)) place.link(path, join(outside, to))
  for (const trust of [[], ["--trust", "yes"]]) {
    const run = await place.gong([...trust, "-pq", "--no-session", "/linked"])
    assert.equal(run.status, 0, run.err)
  }
  assert.match((await place.gong(["trust"])).out, /\.gong\S* \(new\)\n +leads to \S+outside/)
  assert.deepEqual(place.tripped(), [])
  for (const [path, to] of Object.entries(links)) {
    rmSync(join(place.repo, path))
    renameSync(join(outside, to), join(place.repo, path))
  }
  for (const line of ["hi", "/linked"]) await place.gong(["--trust", "yes", "-pq", "--no-session", line])
  assert.deepEqual(place.tripped(), [
    "linked-claude-settings",
    "linked-hooks",
    "linked-instructions",
    "linked-skill",
    "linked-system-prompt",
    "linked-template",
  ])
})

test("[SC-13] pipes and devices under names that Gong reads do not block it", async (t) => {
  const place = await openPlace(t, { otherwise: { text: "Right." } })
  const names = [
    "AGENTS.md",
    ".gong/settings.json",
    ".gong/hooks.json",
    ".gong/SYSTEM.md",
    ".gong/prompts/p.md",
    ".gong/skills/x/SKILL.md",
    ".gong/skills/.gitignore",
    ".claude/settings.json",
    ".gitmodules",
  ]
  for (const name of names) {
    mkdirSync(join(place.repo, name, ".."), { recursive: true })
    execFileSync("mkfifo", [join(place.repo, name)])
  }
  place.link(".pi/settings.json", "/dev/zero")
  for (const args of [
    ["-pq", "--no-session", "hi"],
    ["--trust", "yes", "-pq", "--no-session", "hi"],
    ["trust"],
    ["doctor", "--trust", "yes"],
  ])
    assert.equal((await place.gong(args)).status, 0, args.join(" "))
  // And where git's own folder is one.
  for (const file of ["HEAD", "config"]) {
    rmSync(join(place.repo, ".git", file))
    execFileSync("mkfifo", [join(place.repo, ".git", file)])
  }
  place.server.begin([{ calls: [{ name: "bash", args: { command: "git status" } }] }, { text: "Right." }])
  assert.equal((await place.gong(["-pq", "--no-session", "hi"])).status, 0)
  rmSync(join(place.repo, ".git"), { recursive: true })
  execFileSync("mkfifo", [join(place.repo, ".git")])
  assert.equal((await place.gong(["-pq", "--no-session", "hi"])).status, 0)
})

/** Peak bytes of a run; the files decode to gigabytes. */
const most = 400 * 1024 * 1024

test("[SC-13] files of gigabytes under names that Gong reads are not read completely", async (t) => {
  const place = await openPlace(t, { otherwise: { text: "Right." } })
  const gauge = join(place.root, "gauge.cjs")
  const peak = join(place.root, "peak")
  const bytes = "String(process.resourceUsage().maxRSS * 1024)"
  place.write({
    [gauge]: `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, ${bytes}))`,
  })
  const ofGong = ["settings.json", "hooks.json", "SYSTEM.md", "prompts/p.md", "skills/x/SKILL.md"]
  const names = ["AGENTS.md", "CLAUDE.md", ".gitignore", ".gitmodules", ".mcp.json", ".claude/settings.json"]
  for (const name of [...names, ...ofGong.map((one) => `.gong/${one}`)]) {
    place.write({ [name]: "" })
    truncateSync(join(place.repo, name), 2e9)
  }
  for (const args of [["-pq", "--no-session", "hi"], ["--trust", "yes", "-pq", "--no-session", "hi"], ["trust"]]) {
    const run = await place.gong(args, { env: { NODE_OPTIONS: `--require=${gauge}` } })
    assert.equal(run.status, 0, `${args.join(" ")}: ${run.err}`)
    assert.ok(Number(readFileSync(peak)) < most, `${args.join(" ")}: ${readFileSync(peak, "utf8")} bytes`)
  }
})

test("[SC-13] file names cannot inject escape sequences or lines", async (t) => {
  const place = await openPlace(t, { otherwise: { text: "Right." } })
  const evil = "a\u001B]52;c;ZXZpbA==\u0007\u202E\u009B31m"
  place.write({
    [`.gong/hooks/${evil}.sh`]: "x",
    [`.gong/prompts/${evil}.md`]: evil,
    [`.gong/skills/${evil}/SKILL.md`]: `---\nname: "x"\ndescription: "${evil.replaceAll("\u001B", "\\e").replaceAll("\u0007", "\\a")}"\n---\n`,
    "AGENTS.md": `See @/etc/${evil}\n`,
  })
  const trust = await place.gong(["trust"])
  assert.match(trust.out, /␛\]52;c;ZXZpbA==␇<U\+202E><U\+009B>31m/)
  for (const acting of ["\u0007", "\u001B", "\u009B", "\u202E"]) assert.ok(!trust.out.includes(acting))
})
