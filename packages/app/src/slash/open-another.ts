import type { ArgsOf } from "../controller/commands.ts"
import { refusedBy, said, type SlashContext, type SlashEnd } from "./command.ts"

type Opening = "new_session" | "switch_session" | "fork" | "reload"

/** Leaves the open session for another one, after a yes where jobs would end with it. */
export async function openAnother<C extends Opening>(
  { t, controller, person }: SlashContext,
  command: C,
  args: ArgsOf<C>,
): Promise<SlashEnd> {
  const jobs = controller.current.jobs.running()
  if (jobs.length > 0) {
    const names = jobs.map(({ title }) => title).join(", ")
    const ends =
      jobs.length === 1
        ? t`1 job ends with this session: ${names}.`
        : t`${jobs.length} jobs end with this session: ${names}.`
    if (!(await person.confirm(t`${ends} Go on?`))) return said([t`Nothing has changed.`])
  }
  const opened = await controller.call(command, args)
  return opened.ok ? said([], { session: opened.data.session }) : refusedBy(t, opened)
}
