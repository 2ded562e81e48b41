import { renameStored } from "@gong/app/administration/stored-sessions"
import { ok, type Outcome } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { CommandContext, CommandOutput } from "./output.ts"

/** `gong sessions rename ID NAME`: a session that is open elsewhere is a usage error. */
export async function renameSession(
  { place, cli }: CommandContext,
  wanted: string,
  name: string,
): Promise<Outcome<CommandOutput>> {
  const renamed = await renameStored(place, wanted, name)
  if (!renamed.ok) return renamed
  const { id } = renamed.value
  return ok({ text: `${cli.style.line(cli.t`Session ${shortId(id)} is called ${name}.`)}\n`, json: { id, name } })
}
