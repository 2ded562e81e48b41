import type { ArgsOf } from "../controller/commands.ts"
import { errorOutput, output, type SlashContext, type SlashResult } from "./command.ts"

type Opening = "new_session" | "switch_session" | "fork" | "reload"

/** Opens another session instead of the current one. Asks for confirmation if background jobs would end. */
export async function switchSession<C extends Opening>(
  { t, controller, user }: SlashContext,
  command: C,
  args: ArgsOf<C>,
): Promise<SlashResult> {
  const jobs = controller.current.jobs.running()
  if (jobs.length > 0) {
    const names = jobs.map(({ title }) => title).join(", ")
    const ends =
      jobs.length === 1
        ? t`1 job ends with this session: ${names}.`
        : t`${jobs.length} jobs end with this session: ${names}.`
    if (!(await user.confirm(t`${ends} Continue?`))) return output([t`Nothing has changed.`])
  }
  const opened = await controller.call(command, args)
  return opened.ok ? output([], { session: opened.data.session }) : errorOutput(t, opened)
}
