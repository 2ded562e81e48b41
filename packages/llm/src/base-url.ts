/** Appends a path to a base URL. A query of the base URL is kept, after that of the path. */
export function atBaseUrl(baseUrl: string, path: string): string {
  const { address, query } = splitQuery(baseUrl)
  return `${address}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`
}

/** Without trailing slashes and fragment. */
export function tidyBaseUrl(baseUrl: string): string {
  const { address, query } = splitQuery(baseUrl)
  return query === "" ? address : `${address}?${query}`
}

function splitQuery(baseUrl: string): { readonly address: string; readonly query: string } {
  const [url = ""] = baseUrl.split("#", 1)
  const at = url.indexOf("?")
  const address = at < 0 ? url : url.slice(0, at)
  return { address: address.replace(/\/+$/, ""), query: at < 0 ? "" : url.slice(at + 1) }
}
