import { createLocalHost } from "@gong/tools/host/local"

/** This machine, as the files of a test are read. */
export const here = createLocalHost({ cwd: "/" })
