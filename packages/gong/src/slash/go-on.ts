import { type At, refused, said, type SlashEnd, type Target } from "./command.ts"
import { say } from "../texts/say.ts"

/** Leaves the open session for another one, after a yes where jobs would end with it. */
export async function goOn({ app, asking }: At, target: Target): Promise<SlashEnd> {
  const jobs = app.jobs()
  if (jobs.length > 0) {
    const names = jobs.join(", ")
    const ends =
      jobs.length === 1
        ? say`1 job ends with this session: ${names}.`
        : say`${jobs.length} jobs end with this session: ${names}.`
    if (!(await asking.confirm(say`${ends} Go on?`))) return said([say`Nothing has changed.`])
  }
  const opened = await app.open(target)
  return opened.ok ? said([], { session: opened.value.id }) : refused(opened)
}
