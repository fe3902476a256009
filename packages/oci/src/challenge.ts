/** The authentication that a registry requires (WWW-Authenticate of RFC 9110, the distribution token specification). */
export type Challenge = { scheme: 'basic' } | { scheme: 'bearer'; realm: string; service: string; scope: string }

/** The first supported scheme, bearer before basic; undefined if there is none. */
export function parseChallenge(header: string): Challenge | undefined {
  let basic: Challenge | undefined
  for (const [scheme, parameters] of challengesIn(header)) {
    const realm = parameters.get('realm') ?? ''
    if (scheme === 'bearer' && realm !== '') {
      return { scheme, realm, service: parameters.get('service') ?? '', scope: parameters.get('scope') ?? '' }
    }
    if (scheme === 'basic') basic = { scheme }
  }
  return basic
}

/** `Bearer realm="…",service="…", Basic realm="…"`: a word without `=` begins the next challenge. */
function* challengesIn(header: string): Generator<[string, Map<string, string>]> {
  const token = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*)))?/g
  let current: [string, Map<string, string>] | undefined
  for (const [, name = '', quoted, bare] of header.slice(0, 8192).matchAll(token)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? bare
    if (value !== undefined) current?.[1].set(name.toLowerCase(), value)
    else {
      if (current !== undefined) yield current
      current = [name.toLowerCase(), new Map()]
    }
  }
  if (current !== undefined) yield current
}
