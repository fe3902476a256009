/** A reference to an image: `host[:port]/path[:tag][@digest]`. */
export interface ImageRef {
  /** Always spelt out: `docker.io` where the text names none. */
  host: string
  /** The repository's path; `library/…` for Docker Hub's own. */
  repository: string
  /** Undefined where only a digest was named; `latest` where nothing was. */
  tag?: string
  digest?: string
}

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repositoryPattern = new RegExp(`^${component}(?:/${component})*$`)
const tagPattern = /^\w[\w.-]{0,127}$/
const digestPattern = /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/
const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?$/

const hub = 'docker.io'

export const isRepository = (text: string): boolean => text.length <= 255 && repositoryPattern.test(text)
export const isTag = (text: string): boolean => tagPattern.test(text)
export const isDigest = (text: string): boolean => digestPattern.test(text)

/** Whether a first part names a host, by Docker's rule: it has a dot or a port, or is localhost. */
const namesHost = (part: string): boolean => /[.:[]/.test(part) || part === 'localhost' || part !== part.toLowerCase()

/** Undefined for anything that is no reference. */
export function parseImageRef(text: string): ImageRef | undefined {
  if (text.length > 1024) return undefined
  const [named = '', digest, ...more] = text.split('@')
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) return undefined
  const slash = named.indexOf('/')
  const first = slash === -1 ? '' : named.slice(0, slash)
  const host = namesHost(first) ? first.toLowerCase() : hub
  const rest = namesHost(first) ? named.slice(slash + 1) : named
  const colon = rest.lastIndexOf(':')
  const tag = colon === -1 ? undefined : rest.slice(colon + 1)
  const path = colon === -1 ? rest : rest.slice(0, colon)
  const official = ['index.docker.io', 'registry-1.docker.io', hub].includes(host)
  const repository = official && !path.includes('/') ? `library/${path}` : path
  if (!hostPattern.test(host) || !isRepository(repository) || (tag !== undefined && !isTag(tag))) return undefined
  return {
    host: official ? hub : host,
    repository,
    ...(tag !== undefined ? { tag } : digest === undefined && { tag: 'latest' }),
    ...(digest !== undefined && { digest }),
  }
}

export const formatImageRef = ({ host, repository, tag, digest }: ImageRef): string =>
  `${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`

/** Where the registry of a reference's host answers. Plain http has to be said by the registry's own URL. */
export const registryUrl = (host: string): string => (host === hub ? 'https://registry-1.docker.io' : `https://${host}`)
