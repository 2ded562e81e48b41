import type { Host } from "@gong/spec"
import { basename, dirname, isInside, join } from "../../../posix-path.ts"
import type { SandboxOptions } from "../options.ts"

/** A folder in which programs keep what is for all projects: what lies there is run by whoever builds or starts something. */
export interface PackageCache {
  /** Where programs look for it; with links followed as far as it is there. */
  readonly path: string
  /** Its name among Gong's own caches. */
  readonly name: string
  /** The program without which a missing one is not wanted; null: one of the temporary folder or of a root, wanted always. */
  readonly program: string | null
  /** What is seen of the user's, as patterns: `*` stands for any name of a folder or file. */
  readonly shown: readonly string[]
}

/** One whose program is a part of the system. */
const anyone = "bash"

interface HomeCache {
  readonly program: string
  /** Settings of the user's, and programs that are too large to be fetched once more for each workspace. */
  readonly shown?: readonly string[]
}

const gradle: HomeCache = {
  program: "gradle",
  // Its lock file is beside the distribution, so the folder around it stays writable.
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

/** Paths from the home. Most others lie in `.cache`: pip, uv, yarn, deno, composer, go-build, ccache, node-gyp, bazel, zig, ... */
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

/** Folders of the temporary folder under names that are known beforehand, from which Node, jest and tsx take code. */
function inTemp(uid: number | null): readonly string[] {
  if (uid === null) return ["node-compile-cache"]
  return ["node-compile-cache", `v8-compile-cache-${uid}`, `tsx-${uid}`, `jest_${uid.toString(36)}`]
}

/** Variables that move a cache, and what is a cache below the folder that they name. */
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
 * All that there may be here. One that a variable moves counts where commands may write, in a root; elsewhere it is
 * read-only as all else. One that is itself a folder of the PATH is left as it is.
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
      // Everybody may make a link there; a folder that one leads to, as the workspace, is no cache.
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

/** With links followed, also where the last names are not there. */
async function realOf(host: Host, path: string): Promise<string> {
  const real = await host.realpath(path).catch(() => null)
  if (real !== null || path === "/") return real ?? path
  return join(await realOf(host, dirname(path)), basename(path))
}

/** Full paths of the folders from which programs are started by name. */
export function pathFolders(host: Host): readonly string[] {
  const folders = (host.env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"))
  return [...new Set(folders.map((folder) => join(folder, ".")))].filter((folder) => folder !== host.home)
}

/** `~/.nvm/versions/node/v24/bin` needs what lies beside it; `~/.local/bin` must not show all of `~/.local`. */
export function installationOf(home: string, folder: string): string {
  const names = folder.slice(home.length + 1).split("/")
  return names.length > 2 && names.at(-1) === "bin" ? join(folder, "..") : folder
}
