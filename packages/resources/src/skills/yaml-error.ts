import { phrase, type Phrase } from "@gong/spec"
/** Why a header is invalid YAML, with the remedy. `column` from 1. Errors of unknown kind keep the parser's text. */
export function yamlError({ code, message }: { readonly code: string; readonly message: string }, column: number) {
  const what = kinds[code] ?? phrase`the parser says "${message}". Quote the value.`
  return phrase`the header is no YAML at column ${column}: ${what}`
}

/** By the parser's error codes. */
const kinds: Readonly<Record<string, Phrase>> = {
  BAD_ALIAS: phrase`* and & begin names of YAML's own. Quote the value.`,
  ALIAS_PROPS: phrase`* begins a name of YAML's own, and nothing may stand before it. Quote the value.`,
  MULTIPLE_ANCHORS: phrase`a value can have one name (&...). Quote the value.`,
  TAG_RESOLVE_FAILED: phrase`! begins a type that is not known. Quote the value.`,
  MULTIPLE_TAGS: phrase`a value can have one type (!...). Quote the value.`,
  BAD_PROP_ORDER: phrase`names (&...) and types (!...) stand behind the sign, before the value. Quote the value.`,
  BAD_DIRECTIVE: phrase`% begins an instruction to the parser. Quote the value.`,
  BAD_DQ_ESCAPE: phrase`there is no such escape. Put the value into single quotes.`,
  BAD_SCALAR_START: phrase`no value begins with this character. Quote the value.`,
  BLOCK_AS_IMPLICIT_KEY: phrase`a colon inside a value makes a second key of it. Quote the value.`,
  BLOCK_IN_FLOW: phrase`this does not fit between brackets. Close them, or quote the value.`,
  DUPLICATE_KEY: phrase`this key stands here twice. Leave one of them out.`,
  BAD_INDENT: phrase`this line is not indented as those around it. Indent them alike, or quote the value.`,
  TAB_AS_INDENT: phrase`a tab indents this line. Use blanks.`,
  MISSING_CHAR: phrase`a quote, bracket, comma, colon or blank is missing. Add it, or quote the value.`,
  MULTILINE_IMPLICIT_KEY: phrase`a key and its colon stand on one line. Add the colon, or quote the value.`,
  KEY_OVER_1024_CHARS: phrase`a key is longer than 1024 characters. Close its quote, or shorten it.`,
  UNEXPECTED_TOKEN: phrase`this does not belong here. Remove it, or quote the value.`,
}
