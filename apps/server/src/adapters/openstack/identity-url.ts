/** The URL of the identity API: `/v3` is added if it is missing. */
export function identityUrl(authUrl: string): URL {
  const url = new URL(authUrl)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v2\.0$/, '')
  return new URL(`${path.endsWith('/v3') ? path : `${path}/v3`}/`, url.origin)
}
