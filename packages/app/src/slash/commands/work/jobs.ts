import { errorOutput, output, type SlashCommand, type SlashContext, type SlashResult } from "../../command.ts"

export const jobs: SlashCommand = {
  name: "jobs",
  aliases: ["bashes"],
  about: "background commands: their output, or end one",
  value: "[N [stop]]",
  complete: async ({ controller }) =>
    controller.current.jobs.running().map(({ number, title }) => ({ value: `${number}`, about: title })),
  async run(context, rest) {
    const { t, controller, user } = context
    const [, typed = "", stop = ""] = /^(\d*)\s*(stop)?$/.exec(rest.normalize("NFKC")) ?? []
    if (rest !== "" && typed === "") return output([t`/jobs N shows the output of a job, /jobs N stop ends it.`])
    if (stop !== "") return end(context, Number(typed))
    if (typed !== "") return show(context, Number(typed))
    const running = controller.current.jobs.running()
    if (running.length === 0) return output([t`No job is running.`], { jobs: running })
    const picked = await user.choose(
      t`Which job?`,
      running.map(({ number, title }) => `${number}  ${title}`),
    )
    const job = picked === null ? undefined : running[picked]
    return job === undefined ? output([], { jobs: running }) : show(context, job.number)
  },
}

async function show({ t, controller }: SlashContext, job: number): Promise<SlashResult> {
  const read = await controller.call("read_job", { job })
  if (!read.ok) return errorOutput(t, read)
  const text = read.data.output.trimEnd()
  const lines = text === "" ? [t`It has written nothing.`] : text.split("\n")
  return output([...lines, t`/jobs ${job} stop ends it.`], { job, ...read.data })
}

async function end({ t, controller }: SlashContext, job: number): Promise<SlashResult> {
  const stopped = await controller.call("stop_job", { job })
  return stopped.ok ? output([t`Job ${job} has ended.`], { job }) : errorOutput(t, stopped)
}
