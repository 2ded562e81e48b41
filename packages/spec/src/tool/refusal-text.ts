/** The final sentences of refusals, addressed to the model. */
export const noWayAround = "Do not try another way around; go on without it, or stop and say what you need."
export const sayThePlan = "Read what you need and say what you would do."

/** A refusal for people: without the sentences for the model. */
export function refusalForPeople(text: string): string {
  return [noWayAround, sayThePlan].reduce((short, forModel) => short.replace(` ${forModel}`, ""), text)
}
