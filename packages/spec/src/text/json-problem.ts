import { phrase, type Phrase } from "./phrase.ts"

/** What is wrong with a text of JSON, by the name of the code of `jsonc-parser`. */
export function jsonProblem(code: string): Phrase {
  return jsonProblems[code] ?? phrase`invalid symbol`
}

/** By the parser's codes. */
const jsonProblems: Readonly<Record<string, Phrase>> = {
  InvalidSymbol: phrase`invalid symbol`,
  InvalidNumberFormat: phrase`invalid number format`,
  PropertyNameExpected: phrase`property name expected`,
  ValueExpected: phrase`value expected`,
  ColonExpected: phrase`colon expected`,
  CommaExpected: phrase`comma expected`,
  CloseBraceExpected: phrase`close brace expected`,
  CloseBracketExpected: phrase`close bracket expected`,
  EndOfFileExpected: phrase`end of file expected`,
  UnexpectedEndOfComment: phrase`unexpected end of comment`,
  UnexpectedEndOfString: phrase`unexpected end of string`,
  UnexpectedEndOfNumber: phrase`unexpected end of number`,
  InvalidUnicode: phrase`invalid unicode`,
  InvalidEscapeCharacter: phrase`invalid escape character`,
  InvalidCharacter: phrase`invalid character`,
}
