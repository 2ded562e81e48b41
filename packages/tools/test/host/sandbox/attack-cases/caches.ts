import type { SandboxPlace } from "../sandbox-fixture.ts"

const uid = process.getuid?.() ?? 0

/** Cache files that are run or compiled in by others; each exists, as left by the user's program. */
// oxfmt-ignore
export const poisonable: Readonly<Record<string, string>> = {
  "a package that npx has unpacked": "home/.npm/_npx/0123456789abcdef/node_modules/.bin/tool",
  "npm's content by hash": "home/.npm/_cacache/content-v2/sha512/aa/bb/cc",
  "the prompt of a shell": "home/.cache/p10k-instant-prompt-me.zsh",
  "a folder of .cache that is in no list": "home/.cache/some-tool/plugin.so",
  "the source of a crate": "home/.cargo/registry/src/index/serde-1.0.0/build.rs",
  "a checkout of cargo's": "home/.cargo/git/checkouts/dep/abc/build.rs",
  "a module of Go": "home/go/pkg/mod/example.com/dep@v1.0.0/dep.go",
  "what Go has built": "home/.cache/go-build/00/0000-d",
  "a distribution of Gradle": "home/.gradle/wrapper/dists/gradle-8.5-bin/hash/gradle-8.5/bin/gradle",
  "a script that every build of Gradle runs": "home/.gradle/init.d/all.gradle",
  "Gradle's own settings": "home/.gradle/gradle.properties",
  "a plugin of Maven": "home/.m2/repository/org/plugin/1/plugin-1.jar",
  "a distribution of Maven": "home/.m2/wrapper/dists/apache-maven-3.9/hash/bin/mvn",
  "a wheel that pip has built": "home/.cache/pip/wheels/aa/bb/cc/dep-1-py3-none-any.whl",
  "a wheel of uv": "home/.cache/uv/archive-v0/abc/dep/__init__.py",
  "headers for native modules": "home/.cache/node-gyp/24.0.0/include/node/node.h",
  "an object file of ccache": "home/.cache/ccache/0/0/abcR",
  "a package manager that corepack runs": "home/.cache/node/corepack/v1/pnpm/9.0.0/bin/pnpm.cjs",
  "a browser for tests": "home/.cache/ms-playwright/chromium-1/chrome",
  "an environment of Poetry": "home/.cache/pypoetry/virtualenvs/app/bin/python",
  "pnpm's store": "home/.local/share/pnpm/store/v3/files/00/abc",
  "a cached package of yarn": "home/.yarn/berry/cache/dep.zip",
  "a package of bun's global folder": "home/.bun/install/global/node_modules/tool/index.js",
  "a cached package of bun": "home/.bun/install/cache/dep@1/index.js",
  "a package of NuGet": "home/.nuget/packages/dep/1/build/dep.targets",
  "a gem of bundler's": "home/.bundle/cache/dep.gem",
  "a package of Dart": "home/.pub-cache/hosted/pub.dev/dep/lib/dep.dart",
  "a program of Dart's": "home/.pub-cache/bin/tool",
  "what Node has compiled, in the temporary folder": "temp/node-compile-cache/v24/abc",
  "what jest has compiled": `temp/jest_${uid.toString(36)}/haste-map`,
  "what tsx has compiled": `temp/tsx-${uid}/abc`,
}

/** Fills all caches as their programs would. */
export function filled(here: SandboxPlace): void {
  for (const path of Object.values(poisonable)) here.put(path, "mine\n")
}
