/** `customType` of the message that stands for a command which the user ran. */
export const userCommandType = "user-command"

/** What a model reads of it; `output` also says how it ended. */
export function userCommandText(command: string, output: string): string {
  return `The user ran a command:\n$ ${command}\n\n${output}`
}
