import { join } from "node:path"
import type { Stage } from "../program/harness.ts"
import { keys, type SceneGroup, type Scene, type Driver } from "./scene.ts"

const reply = "# Title\n\n`code` and [a link](https://example.com)\n\n```ts\nconst a = 1 // b\n```"

const answered: Scene = { name: "an answer", play: (show) => show.run("go", { text: reply }) }

const withEnv =
  (env: Readonly<Record<string, string>>) =>
  (stage: Stage): Stage => ({ ...stage, env: { ...stage.env, ...env } })

/** Esc and a key that come at once are Alt with this key. */
async function inVi(show: Driver, typed: string): Promise<void> {
  show.type(keys.escape)
  await show.rests()
  show.type(typed)
}

/** Starts that differ; the terminal is that of `shell`. */
export const starts: Readonly<Record<string, SceneGroup>> = {
  "no model": {
    ready: /^Gong/m,
    prepare(stage) {
      const { GONG_API_KEY: _1, GONG_BASE_URL: _2, GONG_MODEL: _3, GONG_API: _4, ...env } = stage.env
      return { ...stage, env }
    },
    scenes: [
      { name: "first contact", play: (show) => show.shows("Esc") },
      { name: "an own endpoint", follows: true, play: async (show) => show.type("\u001b[B\u001b[B\u001b[B\r") },
      { name: "an address", follows: true, play: async (show) => show.type(`${show.stage.server.url}/v1\r`) },
      { name: "a hidden key", follows: true, play: async (show) => show.type("secret") },
    ],
    isLeft: true,
  },
  trust: {
    ready: /^Gong/m,
    prepare(stage) {
      stage.write({ ".gong/prompts/greet.md": "Greet them.\n", ".gong/settings.json": '{ "permission": "auto" }\n' })
      return stage
    },
    scenes: [
      { name: "an untrusted folder", play: (show) => show.shows("[t]") },
      { name: "trusted", follows: true, play: async (show) => show.type("t") },
    ],
  },
  "no colour": { prepare: withEnv({ NO_COLOR: "1" }), scenes: [answered] },
  "24-bit colours": {
    prepare(stage) {
      stage.write({
        [join(stage.gongHome, "themes", "mine.json")]: JSON.stringify({
          colors: { code: "#ff8800", keyword: "#1e90ff" },
        }),
        [join(stage.gongHome, "settings.json")]: JSON.stringify({ theme: "mine" }),
      })
      return withEnv({ COLORTERM: "truecolor" })(stage)
    },
    scenes: [answered],
  },
  vi: {
    args: ["--set", "terminal.vim=true"],
    scenes: [
      { name: "insertion", play: async (show) => show.type("one two") },
      { name: "normal mode", follows: true, play: async (show) => inVi(show, "b") },
      { name: "a pending operator", follows: true, play: async (show) => show.type("2d") },
      {
        name: "visual mode",
        follows: true,
        play: async (show) => inVi(show, "V"),
      },
    ],
    isLeft: true,
  },
  "own status row": {
    args: ["--set", "terminal.statusLine=printf 'own \\033[31mrow\\033[0m of %s' me"],
    scenes: [{ name: "an own status row", play: (show) => show.shows("of me") }],
  },
  "a status row that fails": {
    args: ["--set", "terminal.statusLine=exit 3"],
    scenes: [{ name: "the usual status row", play: (show) => show.shows(/^custom\/mock · ask/m) }],
  },
}
