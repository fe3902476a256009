import { isRepository, parseImageName } from '@gantry/oci/names'

/** A reference to an image: `host[:port]/path[:tag][@digest]`. */
export interface ImageRef {
  /** Always given: `docker.io` if the text names none. */
  host: string
  /** The repository's path; `library/…` for Docker Hub's own. */
  repository: string
  /** Undefined if only a digest is given; `latest` if neither is. */
  tag?: string
  digest?: string
}

const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?$/

const hub = 'docker.io'

/** Whether the first part is a host, by Docker's rule: it has a dot or a port, or is localhost. */
const namesHost = (part: string): boolean => /[.:[]/.test(part) || part === 'localhost' || part !== part.toLowerCase()

/** Hosts are case-insensitive; one that only a capital letter distinguishes from a repository keeps the letter. */
const lowered = (host: string): string => (namesHost(host.toLowerCase()) ? host.toLowerCase() : host)

/** Undefined if the text is not a reference. */
export function parseImageRef(text: string): ImageRef | undefined {
  if (text.length > 1024) return undefined
  const slash = text.indexOf('/')
  const first = slash === -1 ? '' : text.slice(0, slash)
  const host = namesHost(first) ? lowered(first) : hub
  const name = parseImageName(namesHost(first) ? text.slice(slash + 1) : text)
  if (name === undefined || !hostPattern.test(host)) return undefined
  const official = ['index.docker.io', 'registry-1.docker.io', hub].includes(host)
  const repository = official && !name.repository.includes('/') ? `library/${name.repository}` : name.repository
  if (!isRepository(repository)) return undefined
  const latest = name.tag === undefined && name.digest === undefined
  return { ...name, host: official ? hub : host, repository, ...(latest && { tag: 'latest' }) }
}

export const formatImageRef = ({ host, repository, tag, digest }: ImageRef): string =>
  `${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`

/** The URL of the registry with this host. Plain http is only used if the registry's own URL says so. */
export const registryUrl = (host: string): string => (host === hub ? 'https://registry-1.docker.io' : `https://${host}`)
