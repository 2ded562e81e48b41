export { imageType } from "../files/files.ts"
export { fitImage, type FittedImage, type FitOptions } from "./fit.ts"
