import { accessSync, constants, existsSync } from "node:fs"
import { keyVariables } from "@gong/llm"
import { openImageCodec } from "@gong/tools/host/image-codec"
import { createLocalHost } from "@gong/tools/host/local"
import { type Config, readConfig } from "../build/config.ts"
import { availableSandbox } from "../build/sandbox.ts"
import { storedSessions } from "../build/tape.ts"
import { createCredentials } from "../config/credentials.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, type Outcome } from "../config/usage.ts"
import type { World } from "../world.ts"
import { ripgrep } from "./version.ts"

/** `gong doctor`: what works on this machine, and what to do about what does not. */
export function doctor(world: World, options: Options): Promise<Outcome<string>> {
  return attempt(async () => {
    const config = must(await readConfig(world, options))
    const rg = await ripgrep(world)
    const rows: readonly (readonly [string, string])[] = [
      ["gong", world.version],
      ["node", `${world.node} on ${world.platform}`],
      ["ripgrep", rg ? `${rg.version} (${rg.path})` : "not found: grep and find will not work. Run npm ci again."],
      ["images", await imagesText()],
      ["home", homeText(config.home)],
      ["sessions", `${storedSessions(config.home).length} in ${config.home}/sessions`],
      ["workspace", `${config.workspace.folder}${config.workspace.git ? "" : " (no git repository)"}`],
      [
        "trusted",
        config.trusted ? "yes: what this folder brings is loaded" : "no: what this folder brings is not loaded",
      ],
      ["sandbox", await sandboxText(world, options, config)],
      ["model", config.settings.values.model ?? "none set (-m, GONG_MODEL or the setting model)"],
      ["keys", await keysText(world, config.auth)],
      ["proxy", proxyText(world.env)],
    ]
    const lines = rows.map(([name, text]) => `${name.padEnd(11)}${text}`)
    return `${[...lines, ...config.lines].join("\n")}\n`
  })
}

async function imagesText(): Promise<string> {
  const codec = await openImageCodec()
  if (codec === null) return "no library: large images are not shown to the model. Run npm ci again."
  const slow = codec.name === "sharp" ? "" : ", five times slower than sharp, which npm could not bring"
  return `large ones are made smaller by ${codec.name}${slow}`
}

/** Tried now, whatever was found out before. */
async function sandboxText(world: World, options: Options, config: Config): Promise<string> {
  const host = async () => createLocalHost({ cwd: config.workspace.cwd, env: world.env })
  const place = { world, config, keeps: options.noSession !== true && existsSync(config.home), host }
  const { bwrap, reason } = await availableSandbox(place, { fresh: true })
  if (bwrap !== null) return `${bwrap} works: commands may write only in the workspace, temp and package caches`
  return `none: ${reason}${adviceFor(reason)}. Without it commands off the list ask, or are refused headless.`
}

function adviceFor(reason: string): string {
  if (reason.includes("not installed")) return " (apt install bubblewrap, dnf install bubblewrap)"
  if (reason.includes("AppArmor"))
    return " (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap)"
  if (reason.includes("user namespaces")) return " (a container must be started so that it may make them)"
  return ""
}

function homeText(home: string): string {
  if (!existsSync(home)) return `${home} (made when first needed)`
  try {
    accessSync(home, constants.W_OK)
    return home
  } catch {
    return `${home} cannot be written to. Set GONG_HOME to a folder you can write to, or use --no-session.`
  }
}

/** Which providers have a key, and where it is from; never the key. */
async function keysText(world: World, auth: Parameters<typeof createCredentials>[0]["auth"]): Promise<string> {
  const variables = keyVariables()
  const credentials = must(createCredentials({ env: world.env, variables, auth }))
  // A key that is there for no provider in particular goes to whichever is asked.
  const any = await credentials.get("", "")
  if (any) return `${any.from}, for whichever provider is asked`
  const found: string[] = []
  for (const provider of Object.keys(variables)) {
    const origin = auth?.keys.get(provider)?.origin ?? ""
    const credential = await credentials.get(provider, origin)
    if (credential) found.push(`${provider} (${credential.from})`)
  }
  return found.length === 0
    ? "none. Give one, e.g. export ANTHROPIC_API_KEY=...; or look first: gong demo"
    : found.join(", ")
}

function proxyText(env: World["env"]): string {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
  const set = names.filter((name) => env[name])
  return set.length === 0 ? "none" : set.join(", ")
}
