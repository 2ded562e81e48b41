/** What refusals ask of the model, at the end of their texts. */
export const noWayAround = "Do not try another way around; go on without it, or stop and say what you need."
export const sayThePlan = "Read what you need and say what you would do."

/** A refusal as people are told of it: without what it asks of the model. */
export function refusalForPeople(text: string): string {
  return [noWayAround, sayThePlan].reduce((said, forModel) => said.replace(` ${forModel}`, ""), text)
}
