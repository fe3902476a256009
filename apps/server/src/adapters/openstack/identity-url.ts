/** The identity API: `/v3` is added where the address does not end with it. */
export function identityUrl(authUrl: string): URL {
  const url = new URL(authUrl)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v2\.0$/, '')
  return new URL(`${path.endsWith('/v3') ? path : `${path}/v3`}/`, url.origin)
}
