import type { Host } from "@gong/spec"
import { basename, dirname, isInside, join } from "../../../posix-path.ts"
import type { SandboxOptions } from "../options.ts"

/** A cache shared by all projects. Its content is run by whichever build or program uses it. */
export interface PackageCache {
  /** Its path, with links resolved as far as it exists. */
  readonly path: string
  /** Its name among Gong's own caches. */
  readonly name: string
  /**
   * A missing cache is created only if this program is installed; null for caches in the temp folder or in a root,
   * which are always created.
   */
  readonly program: string | null
  /** Parts of the user's cache that stay visible: patterns in which `*` stands for any name. */
  readonly shown: readonly string[]
}

/** A program that every system has. */
const anyone = "bash"

interface HomeCache {
  readonly program: string
  /** Settings of the user, and programs too large to download again for each workspace. */
  readonly shown?: readonly string[]
}

const gradle: HomeCache = {
  program: "gradle",
  // Its lock file is beside the distribution, so the folder around it must be writable.
  shown: ["gradle.properties", "init.gradle", "init.gradle.kts", "init.d", "jdks/*", "wrapper/dists/*/*/*"],
}

const general: HomeCache = {
  program: anyone,
  shown: [
    "ms-playwright/*",
    "puppeteer/*/*",
    "Cypress/*",
    "node/corepack/v1/*/*",
    "pypoetry/virtualenvs/*",
    "huggingface/hub/*",
    "torch/hub/*",
  ],
}

/**
 * Relative to the home. Most others are in `.cache`: pip, uv, yarn, deno, composer, go-build, ccache, node-gyp, bazel,
 * zig, ...
 */
const inHome: Readonly<Record<string, HomeCache>> = {
  ".npm": { program: "npm" },
  ".cache": general,
  ".cargo/registry": { program: "cargo" },
  ".cargo/git": { program: "cargo" },
  "go/pkg": { program: "go" },
  ".gradle": gradle,
  ".m2/repository": { program: "mvn" },
  ".m2/wrapper": { program: "mvn", shown: ["dists/*/*"] },
  ".local/share/pnpm/store": { program: "pnpm" },
  ".local/share/pnpm/.tools": { program: "pnpm", shown: ["*/*"] },
  ".yarn/berry": { program: "yarn" },
  ".bun/install/cache": { program: "bun" },
  ".nuget/packages": { program: "dotnet" },
  ".local/share/NuGet": { program: "dotnet" },
  ".bundle/cache": { program: "bundle" },
  ".pub-cache": { program: "dart", shown: ["bin", "global_packages"] },
  ".composer/cache": { program: "composer" },
}

/** Folders with predictable names in the temp folder, from which Node, jest and tsx load code. */
function inTemp(uid: number | null): readonly string[] {
  if (uid === null) return ["node-compile-cache"]
  return ["node-compile-cache", `v8-compile-cache-${uid}`, `tsx-${uid}`, `jest_${uid.toString(36)}`]
}

/** Variables that relocate a cache, and the path of the cache below the named folder. */
const moved: readonly (readonly [variable: string, below: string, shown?: readonly string[]])[] = [
  ["npm_config_cache", ""],
  ["NPM_CONFIG_CACHE", ""],
  ["XDG_CACHE_HOME", "", general.shown ?? []],
  ["CARGO_HOME", "registry"],
  ["CARGO_HOME", "git"],
  ["GOPATH", "pkg"],
  ["GOMODCACHE", ""],
  ["GOCACHE", ""],
  ["GRADLE_USER_HOME", "", gradle.shown ?? []],
  ["PIP_CACHE_DIR", ""],
  ["UV_CACHE_DIR", ""],
  ["POETRY_CACHE_DIR", "", ["virtualenvs/*"]],
  ["YARN_CACHE_FOLDER", ""],
  ["YARN_GLOBAL_FOLDER", ""],
  ["BUN_INSTALL_CACHE_DIR", ""],
  ["DENO_DIR", ""],
  ["NUGET_PACKAGES", ""],
  ["COMPOSER_CACHE_DIR", ""],
  ["BUNDLE_USER_CACHE", ""],
  ["PUB_CACHE", "", ["bin", "global_packages"]],
  ["CCACHE_DIR", ""],
  ["SCCACHE_DIR", ""],
  ["NODE_COMPILE_CACHE", ""],
  ["npm_config_devdir", ""],
]

/**
 * All caches that may exist. A relocated cache counts only inside a root, since other paths are read-only anyway. A
 * cache that is itself a folder of the PATH is skipped.
 */
export async function packageCaches(
  host: Host,
  { roots, kept, uid }: Pick<SandboxOptions, "roots" | "kept" | "uid">,
): Promise<readonly PackageCache[]> {
  const home = await host.realpath(host.home).catch(() => null)
  const temp = await realOf(host, host.tmp)
  const all: PackageCache[] = []
  const add = async (path: string, place: Omit<PackageCache, "path">): Promise<void> => {
    const real = await realOf(host, path)
    const known = all.some((one) => one.path === real) || pathFolders(host).includes(path)
    if (!known) all.push({ ...place, path: real })
  }
  for (const [path, { program, shown = [] }] of Object.entries(home === null ? {} : inHome))
    await add(join(host.home, path), { name: `home/${path}`, program, shown })
  if (roots.includes(temp))
    for (const name of inTemp(uid)) {
      const path = join(temp, name)
      // Any user can create a link there. A link, for example to the workspace, is not a cache.
      const found = await host.stat(path, { link: true }).catch(() => null)
      if (found === null || found.kind === "directory")
        await add(path, { name: `temp/${name}`, program: null, shown: [] })
    }
  for (const [variable, below, shown = []] of moved) {
    const folder = host.env[variable] ?? ""
    if (!folder.startsWith("/")) continue
    const path = await realOf(host, join(folder, below))
    const isKept = kept.some((folder) => isInside(folder, path))
    const isInRoot = !isKept && roots.some((root) => root !== path && isInside(root, path))
    const holdsRoot = roots.some((root) => isInside(path, root))
    if (isInRoot && !holdsRoot) await add(path, { name: join(`moved/${variable}`, below), program: null, shown })
  }
  return all
}

/** Resolves links, even if the last names do not exist. */
async function realOf(host: Host, path: string): Promise<string> {
  const real = await host.realpath(path).catch(() => null)
  if (real !== null || path === "/") return real ?? path
  return join(await realOf(host, dirname(path)), basename(path))
}

/** Full paths of the folders in the PATH. */
export function pathFolders(host: Host): readonly string[] {
  const folders = (host.env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"))
  return [...new Set(folders.map((folder) => join(folder, ".")))].filter((folder) => folder !== host.home)
}

/** `~/.nvm/versions/node/v24/bin` needs the files beside it; `~/.local/bin` must not reveal all of `~/.local`. */
export function installationOf(home: string, folder: string): string {
  const names = folder.slice(home.length + 1).split("/")
  return names.length > 2 && names.at(-1) === "bin" ? join(folder, "..") : folder
}
