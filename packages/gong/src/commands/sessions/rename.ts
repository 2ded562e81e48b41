import { nameTape } from "@gong/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { openToWrite } from "@gong/app/compose/tapes/tape"
import { ok, type Outcome } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { CommandContext, CommandOutput } from "./output.ts"

/** `gong sessions rename ID NAME`: a session that is open elsewhere is a usage error. */
export async function renameSession(
  { place, cli }: CommandContext,
  wanted: string,
  name: string,
): Promise<Outcome<CommandOutput>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const opened = await openToWrite(place, session.value)
  if (!opened.ok) return opened
  const { tape } = opened.value
  try {
    nameTape(tape, name)
    await tape.settled()
  } finally {
    tape.close()
  }
  const { id } = session.value
  return ok({ text: `${cli.style.line(cli.t`Session ${shortId(id)} is called ${name}.`)}\n`, json: { id, name } })
}
