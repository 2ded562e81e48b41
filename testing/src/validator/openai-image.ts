import { isBase64, isImageType, type Problems } from "./check.ts"

/** The URL of an image, in the form of both OpenAI formats. */
export function checkImageUrl(url: unknown, where: string): Problems {
  if (typeof url !== "string") return [`${where}: the url of the image is missing`]
  if (/^https?:\/\//.test(url)) return []
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  if (data === null) return [`${where}: the url must be http or data`]
  const problems = isImageType(data[1]) ? [] : [`${where}: images of type ${data[1]} are not taken`]
  return isBase64(data[2]) ? problems : [...problems, `${where}: the image is not base64`]
}
