import { isRepository, parseImageName } from '@gantry/oci/names'

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

const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?$/

const hub = 'docker.io'

/** Whether a first part names a host, by Docker's rule: it has a dot or a port, or is localhost. */
const namesHost = (part: string): boolean => /[.:[]/.test(part) || part === 'localhost' || part !== part.toLowerCase()

/** A host is the same in either case; one that nothing but a capital letter tells from a repository keeps it. */
const lowered = (host: string): string => (namesHost(host.toLowerCase()) ? host.toLowerCase() : host)

/** Undefined for anything that is no reference. */
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

/** Where the registry of a reference's host answers. Plain http has to be said by the registry's own URL. */
export const registryUrl = (host: string): string => (host === hub ? 'https://registry-1.docker.io' : `https://${host}`)
