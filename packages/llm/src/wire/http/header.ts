/** The name of a header (RFC 9110, 5.1). */
export const token = /^[\w!#$%&'*+.^`|~-]+$/

/** A header without its line end: its name, and its value without the space around it (RFC 9112, 5). */
export const headerLine = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/
