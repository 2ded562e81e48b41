import { type At, refused, said, type SlashCommand, type SlashEnd } from "../command.ts"

export const model: SlashCommand = {
  name: "model",
  about: "ask another model from now on",
  value: "[PROVIDER/ID[:THINKING]]",
  async run(at, wanted) {
    const models = await at.app.models()
    if (models.includes(wanted) || wanted.includes(":")) return choose(at, wanted)
    const fitting = models.filter((one) => one.toLowerCase().includes(wanted.toLowerCase()))
    // A model that no list knows can be asked all the same, where its provider is named.
    if (fitting.length === 0) return choose(at, wanted)
    if (fitting.length === 1 && wanted !== "") return choose(at, fitting[0] ?? wanted)
    const now = nameOf(at)
    const rows = fitting.map((one) => (one === now ? at.t`${one} (in use)` : one))
    const picked = await at.asking.choose(at.t`Which model?`, rows)
    const one = picked === null ? undefined : fitting[picked]
    return one === undefined ? said([at.t`${now} is asked.`], { model: now }) : choose(at, one)
  },
}

async function choose(at: At, name: string): Promise<SlashEnd> {
  const chosen = await at.app.chooseModel(name)
  if (!chosen.ok) return refused(at.t, chosen)
  const { thinking } = at.session.selection
  return said([at.t`${nameOf(at)} is asked from now on; thinking: ${thinking}.`], { model: nameOf(at), thinking })
}

function nameOf({ session }: At): string {
  const { provider, id } = session.selection.provider.model
  return `${provider}/${id}`
}
