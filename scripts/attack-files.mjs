import { testFiles } from "./test-files.mjs"

/** Tests whose guards depend on neither the user's identity, nor modes and owners of files. Parts of a file's path. */
export const sameForAnyone = [
  ...["controls", "endless", "images", "patterns", "sessions", "stderr", "untrusted"].map(inGong),
  "policy/test/guard-attacks.",
  "session/test/attacks/imported.",
  "llm/test/transport/attacks.",
  "llm/test/transport/endless-attacks.",
  "tape/test/exchange/",
]

/** And tests whose guards need no sandbox. */
export const sameWithoutSandbox = [
  ...sameForAnyone,
  ...["others-files", "places", "submodules", "tapes"].map(inGong),
  "policy/test/git-attacks/",
  "tools/test/attacks.",
  "tools/test/confinement/",
]

/** Test files with "attacks" in their path, except those with one of `parts` in it. */
export function attackFiles(parts = []) {
  return testFiles().filter((file) => file.includes("attacks") && !parts.some((part) => file.includes(part)))
}

function inGong(name) {
  return `gong/test/attacks/${name}.`
}
