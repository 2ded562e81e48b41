import { englishOf, type Phrase, phrase, type PreviewOutcome } from "@gong/spec"
import { openSite } from "../options.ts"
import { titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"
import { createJobs } from "./background/jobs.ts"
import type { BashDetails } from "./result.ts"
import { commandForm, fromCommandForm } from "./hook-form.ts"
import { render, summary } from "./render.ts"
import { parameters, withSandbox, type Bash, type BashArgs, DEFAULT_TIMEOUT_S, type BashOptions } from "./schema.ts"

export const bashDeclaration = {
  name: "bash",
  effect: "execute",
  command: "command",
  aliases: ["Bash"],
  toHook: commandForm,
  fromHook: fromCommandForm,
  ownTitle,
  summary,
  render,
} as const satisfies OwnDeclaration

export type BashTool = ToolOf<BashArgs, BashDetails>

export function createBashTool(cwd: string, options: BashOptions = {}): BashTool {
  const site = openSite(cwd, options)
  const jobs = options.jobs ?? createJobs()
  const bash: Bash = { site, options, jobs, blocked: new Map() }
  return {
    ...bashDeclaration,
    label: "Bash",
    description: `Run a bash command in the working directory; stdin is closed. The end of long output is shown, all of it is in a file that is named.${limitText(options)}`,
    parameters: options.sandboxed === true ? withSandbox : parameters,
    promptSnippet: "Run shell commands",
    promptGuidelines: [],
    readOnly: false,
    interruptible: true,
    keepsTime: true,
    mapArguments: withoutEmptyCommand,
    title: (args) => {
      const own = ownTitle(args)
      return own === null ? titleOf(args.command) : englishOf(own)
    },
    preview: async (args) => preview(bash, args),
    execute: async (callId, args, context) => (await import("./work.ts")).bash(bash, callId, args, context),
  }
}

function preview({ site, blocked }: Bash, { command = "" }: BashArgs): PreviewOutcome {
  const denied = blocked.get(command)
  if (command.trim() === "") return { ok: true, preview: null }
  const run = { kind: "run", command, cwd: site.place.cwd, ...(denied !== undefined && { blocked: denied }) } as const
  return { ok: true, preview: run }
}

function ownTitle({ job, stop }: Readonly<Record<string, unknown>>): Phrase | null {
  if (typeof job !== "number") return null
  return stop === true ? phrase`end job ${job}` : phrase`job ${job}`
}

function limitText({ defaultTimeout = DEFAULT_TIMEOUT_S, background = true }: BashOptions): string {
  if (defaultTimeout === 0) return ""
  const after = background ? "Goes on in the background, as a job," : "Killed"
  return ` ${after} after ${defaultTimeout} s unless timeout is given.`
}

/** Models that fill in every parameter send an empty command together with a job. */
function withoutEmptyCommand(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { command, ...rest } = args
  return command === "" && args["job"] !== undefined ? rest : { ...args }
}
