import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** One of the compared agents. */
export interface Agent {
  readonly name: string
  /** Arguments for node. */
  command(url: string, prompt: string, goOn: boolean): string[]
  environment(url: string, home: string): Record<string, string>
}

const floorScript = join(root, "bench/floor.mjs")
const gongScript = join(root, "packages/gong/bin/gong.js")

export const floor: Agent = {
  name: "floor",
  command: (_, prompt, goOn) => [floorScript, ...(goOn ? ["-c"] : []), prompt],
  environment: (url, home) => ({ FLOOR_URL: `${url}/v1`, FLOOR_SESSION: join(home, "session.jsonl") }),
}

export const cachedFloor: Agent = {
  ...floor,
  name: "cached floor",
  environment: (url, home) => ({ ...floor.environment(url, home), FLOOR_CACHE: "1" }),
}

/** The published bundle. */
export const gong: Agent = {
  name: "gong",
  command: (url, prompt, goOn) => {
    const model = ["--api", "openai-completions", "--base-url", `${url}/v1`, "--api-key", "mock", "-m", "mock"]
    return [gongScript, "-p", "--yolo", "--max-turns", "5000", ...(goOn ? ["-c"] : []), ...model, prompt]
  },
  environment: (_, home) => ({ GONG_DIST: "1", GONG_HOME: join(home, ".gong") }),
}
