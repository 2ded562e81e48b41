import { englishOf } from "@gong/spec"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { knownHosts } from "../packages/app/src/compose/network/known-hosts.ts"
import { sessionNetworkPorts } from "../packages/app/src/compose/network/network-ports.ts"
import { createPolicy } from "../packages/policy/src/policy.ts"
import { autorun } from "../packages/policy/src/sensitive/autorun.ts"
import type { Host } from "../packages/spec/src/index.ts"
import { builtInDeclarations } from "../packages/tools/src/built-in.ts"
import { createGateway } from "../packages/tools/src/host/gateway/index.ts"
import { createLocalHost } from "../packages/tools/src/host/local.ts"
import { probeSandbox, createSandboxedHost, type SandboxOptions } from "../packages/tools/src/host/sandbox/index.ts"

/**
 * node scripts/network-by-host.ts [NAME...]: installs and tests ordinary projects in the sandbox, with the network open and by
 * host, each from an empty state, and prints the differences (docs/decisions/network-by-host.md). Sources come from npm, PyPI and Debian
 * by their own clients. Needs bubblewrap, dpkg-dev, Node, Python 3, Rust, a JDK with junit4, Go and a C compiler with cmake.
 */
interface Project {
  readonly name: string
  readonly language: string
  /** `npm:NAME@VERSION`, `pypi:NAME`, `debian:SOURCE` or, for a crate, `deb:PACKAGE`. */
  readonly source: string
  readonly install: string
  readonly test: string
}

const venv = "python3 -m venv .venv && .venv/bin/pip -q install"
const junit = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:/usr/share/java/hamcrest-all.jar"
/** Compiles main and test sources of Maven's layout, and runs the test classes that have a pattern in their name. */
const javac = (cp = "") =>
  `mkdir -p out && javac -nowarn -encoding UTF-8 -cp ${junit}${cp} -d out $(find src/main/java -name '*.java') $(find src/test/java -name '*.java')`
const runJunit = (pattern: string, resources = "src/test/resources") =>
  `java -cp out:${resources}:${junit} org.junit.runner.JUnitCore $(cd out && find . -path './*${pattern}.class' | sed 's|^./||; s|/|.|g; s|.class$||' | grep -v '[$]' | grep -v Abstract)`

// oxfmt-ignore
const projects: readonly Project[] = [
  { name: "resolve", language: "JavaScript", source: "npm:resolve@1.22.8", install: "npm install", test: "npx tape test/*.js" },
  { name: "body-parser", language: "JavaScript", source: "debian:node-body-parser", install: "npm install", test: "npx mocha --require test/support/env --reporter dot --check-leaks test/" },
  { name: "qs", language: "JavaScript", source: "npm:qs@6.14.0", install: "npm install", test: "npx tape 'test/**/*.js'" },
  { name: "minimist", language: "JavaScript", source: "npm:minimist@1.2.8", install: "npm install", test: "npx tape 'test/**/*.js'" },
  { name: "object-inspect", language: "JavaScript", source: "npm:object-inspect@1.13.4", install: "npm install", test: "npx tape 'test/*.js'" },
  { name: "requests", language: "Python", source: "pypi:requests", install: `${venv} -e '.[socks]' 'pytest<9' pytest-httpbin==2.1.0 httpbin~=0.10.0 trustme pytest-mock`, test: ".venv/bin/python -m pytest -q tests" },
  { name: "flask", language: "Python", source: "pypi:flask", install: `${venv} -e . 'pytest<9'`, test: ".venv/bin/python -m pytest -q tests" },
  { name: "click", language: "Python", source: "pypi:click", install: `${venv} -e . 'pytest<9'`, test: ".venv/bin/python -m pytest -q tests" },
  { name: "simplejson", language: "Python", source: "pypi:simplejson", install: `${venv} -e .`, test: ".venv/bin/python -m unittest simplejson.tests.test_suite_runner 2>&1 || .venv/bin/python -m simplejson.tests" },
  { name: "fnv", language: "Rust", source: "deb:librust-fnv-dev", install: "cargo build --offline", test: "cargo test --offline" },
  { name: "scopeguard", language: "Rust", source: "deb:librust-scopeguard-dev", install: "cargo build --offline", test: "cargo test --offline" },
  { name: "percent-encoding", language: "Rust", source: "deb:librust-percent-encoding-dev", install: "cargo build --offline", test: "cargo test --offline" },
  { name: "junit4", language: "Java", source: "debian:junit4", install: javac(), test: runJunit("org/junit/tests/AllTests") },
  { name: "commons-codec", language: "Java", source: "debian:libcommons-codec-java", install: javac(":/usr/share/java/commons-lang3.jar"), test: runJunit("*Base64*Test", "src/test/resources:/usr/share/java/commons-lang3.jar") },
  { name: "zlib", language: "C", source: "debian:zlib", install: "./configure && make -j2", test: "make test" },
  { name: "jansson", language: "C", source: "debian:jansson", install: "cmake -S . -B build -DJANSSON_BUILD_DOCS=OFF && make -C build -j2", test: "ctest --test-dir build" },
  { name: "hiredis", language: "C", source: "debian:hiredis", install: "make -j2 && make hiredis-test", test: "./test.sh" },
  { name: "cJSON", language: "C", source: "debian:cjson", install: "cmake -S . -B build && make -C build -j2", test: "ctest --test-dir build" },
  { name: "c-ares", language: "C++", source: "debian:c-ares", install: "cmake -S . -B build -DCARES_BUILD_TESTS=OFF && make -C build -j2", test: "./build/bin/ahost localhost" },
  { name: "libuv", language: "C", source: "debian:libuv1", install: "cmake -S . -B build && make -C build -j2 uv_run_tests", test: "ctest --test-dir build -R '^uv_test$' --timeout 170" },
  { name: "uuid", language: "Go", source: "debian:golang-github-google-uuid", install: "go build ./...", test: "go test ./..." },
  { name: "pflag", language: "Go", source: "debian:golang-github-spf13-pflag", install: "go build ./...", test: "go test ." },
]

const work = mkdtempSync(join(tmpdir(), "gong-network-by-host-"))
const bwrap = "/usr/bin/bwrap"
const uid = process.getuid?.() ?? null
const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Record<
  string,
  string
>
/** Milliseconds for one step of a project. */
const STEP_MAX_MS = 240_000

function shell(cwd: string, command: string): void {
  execFileSync("/bin/bash", ["-c", command], { cwd, stdio: ["ignore", "ignore", "pipe"] })
}

/** An own list of Debian's sources, beside the machine's. */
function debianSources(): string {
  const apt = join(work, "apt")
  mkdirSync(join(apt, "lists/partial"), { recursive: true })
  const list = `. /etc/os-release; echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" >sources.list`
  const options = `-o Dir::Etc::sourcelist=${apt}/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=${apt}/lists`
  if (!readdirSync(apt).includes("sources.list")) shell(apt, `${list}; apt-get -q ${options} update`)
  return options
}

/** Unpacks a project's source and returns its folder. */
function fetched({ name, source }: Project): string {
  const folder = join(work, "sources", name)
  mkdirSync(folder, { recursive: true })
  const [kind = "", what = ""] = source.split(":")
  const ways: Readonly<Record<string, string>> = {
    npm: `tar xzf "$(npm pack --silent ${what})" --strip-components=1 && rm -f *.tgz`,
    pypi: `pip -q download --no-deps --no-binary :all: ${what} && tar xzf *.tar.gz --strip-components=1`,
    deb: `apt-get -q download ${what} && dpkg -x *.deb x && cp -r x/usr/share/cargo/registry/*/. . && rm -rf x .cargo-checksum.json`,
    debian: `apt-get -q ${kind === "debian" ? debianSources() : ""} source --download-only ${what} && dpkg-source -x *.dsc tree && rm -f *.tar.* *.dsc`,
  }
  shell(folder, ways[kind] ?? "false")
  return kind === "debian" ? join(folder, "tree") : folder
}

interface Outcome {
  readonly code: number | null
  readonly seconds: number
  readonly counts: string
  readonly note: string
}

async function run(host: Host, cwd: string, command: string): Promise<Outcome> {
  let out = ""
  const began = performance.now()
  const { code, note = "" } = await host.exec(command, {
    cwd,
    env,
    signal: AbortSignal.timeout(STEP_MAX_MS),
    onData: (bytes) => void (out = (out + Buffer.from(bytes).toString()).slice(-20_000)),
  })
  const counts = out
    .split("\n")
    .filter((line) =>
      /\d+ (?:passing|failing|passed|failed|tests?\b)|^# (?:pass|fail)|OK \(|Tests run|^ok\b|^FAIL|test result|tests passed|ALL TESTS|not ok|test OK/.test(
        line,
      ),
    )
    .slice(-3)
    .map((line) => line.replace(/[\d.]+ ?m?s\b|in [\d.:]+s?|\(cached\)|\t/g, " ").trim())
    .join(" | ")
  if (code !== 0) console.error(`--- ${command}\n${out.split("\n").slice(-15).join("\n")}\n${note}`)
  return { code, seconds: (performance.now() - began) / 1000, counts, note }
}

async function hostFor(mode: "on" | "hosts", folder: string): Promise<Host> {
  const local = createLocalHost({ cwd: folder, env })
  const probed = await probeSandbox(local, bwrap, uid)
  if (!probed.works) throw new Error(englishOf(probed.reason))
  const place = (name: string) => mkdtempSync(join(work, `${name}-`))
  const options: SandboxOptions = {
    tier: "workspace",
    bwrap,
    roots: [folder, tmpdir()],
    kept: [],
    hidden: [],
    secrets: [],
    revealed: [],
    variables: [],
    autorun: autorun.flatMap(({ names }) => names),
    caches: place("caches"),
    network: true,
    features: probed.features,
    uid,
  }
  if (mode === "on") return createSandboxedHost(local, options)
  const known = knownHosts({ env, home: homedir(), repository: folder })
  const policy = createPolicy({ ...nothingElse(folder), declared: builtInDeclarations, knownHosts: known })
  const hosts = sessionNetworkPorts({ env }, { values: { "tls.systemCa": false } } as Parameters<
    typeof sessionNetworkPorts
  >[1])
  hosts.attach({ policy, session: { permit: null } })
  const names = { bwrap, nsenter: "/usr/bin/nsenter", uid, network: hosts.ports, folder: place("names"), env }
  return createSandboxedHost(local, { ...options, gateway: createGateway(names) })
}

function nothingElse(folder: string) {
  const none = async () => null
  return {
    level: "auto" as const,
    cwd: folder,
    workspace: folder,
    roots: [folder],
    home: homedir(),
    env: process.env,
    gongHome: join(homedir(), ".gong"),
    interactive: false,
    sandbox: "workspace" as const,
    allow: [],
    deny: [],
    reads: "anywhere" as const,
    locate: async (path: string) => ({ path, real: path }),
    exists: async () => false,
    hasEscapingLinks: async () => true,
    queryGit: none,
    findProgram: none,
    rulesFile: join(homedir(), ".gong/permissions.json"),
    storeRule: async () => undefined,
  }
}

const wanted = process.argv.slice(2)
console.log(
  "| project | language | install: on, hosts | tests: on, hosts | what the tests say | differs |\n| --- | --- | --- | --- | --- | --- |",
)
for (const project of projects.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const source = fetched(project)
  const outcomes: Outcome[] = []
  for (const mode of ["on", "hosts"] as const) {
    const folder = mkdtempSync(join(work, `${project.name}-${mode}-`))
    shell(folder, `cp -r "${source}/." .`)
    const host = await hostFor(mode, folder)
    for (const step of [project.install, project.test]) outcomes.push(await run(host, folder, step))
    await host.endJobs()
    rmSync(folder, { recursive: true, force: true })
  }
  const [installOn, testOn, installHosts, testHosts] = outcomes
  const both = (a?: Outcome, b?: Outcome) =>
    `${a?.code} ${a?.seconds.toFixed(0)} s, ${b?.code} ${b?.seconds.toFixed(0)} s`
  const same =
    installOn?.code === installHosts?.code && testOn?.code === testHosts?.code && testOn?.counts === testHosts?.counts
  const says = same ? (testOn?.counts ?? "") : `${testOn?.counts} / ${testHosts?.counts}`
  console.log(
    `| ${project.name} | ${project.language} | ${both(installOn, installHosts)} | ${both(testOn, testHosts)} | ${says} | ${same ? "no" : "yes"} |`,
  )
}
rmSync(work, { recursive: true, force: true })
