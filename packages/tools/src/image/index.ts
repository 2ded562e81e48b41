export { imageType } from "../files.ts"
export { fitImage, type FittedImage, type FitOptions } from "./fit.ts"
