/** The API of extensions, for the editor of their authors: types only. */
export type * from "@gong/extensions/api"
