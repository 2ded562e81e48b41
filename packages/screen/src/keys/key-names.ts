export const controlNames: Readonly<Record<number, string>> = {
  0x08: "backspace",
  0x09: "tab",
  0x0d: "enter",
  0x7f: "backspace",
}

export const letters: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "begin",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
}

/** Of rxvt and the application keypad. */
export const padLetters: Readonly<Record<string, string>> = { a: "up", b: "down", c: "right", d: "left" }

export const numbers: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
}

export const kittyNames: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57_414: "enter",
  57_417: "left",
  57_418: "right",
  57_419: "up",
  57_420: "down",
  57_421: "pageup",
  57_422: "pagedown",
  57_423: "home",
  57_424: "end",
  57_425: "insert",
  57_426: "delete",
}
