/** `customType` of the message for a command that the user ran. */
export const userCommandType = "user-command"

/** Its text for the model; `output` also says how it ended. */
export function userCommandText(command: string, output: string): string {
  return `The user ran a command:\n$ ${command}\n\n${output}`
}
