import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Host } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { defaults } from "../host/sandbox-place.ts"

/** This machine, with its commands confined or not. */
export function hostOf(confined: boolean, folder: string): Host {
  const host = createLocalHost({ cwd: folder })
  return confined ? sandboxed(host, defaults([folder, tmpdir()], join(folder, "blank"))) : host
}
