import type { UseCount } from '@gantry/contract/images/contents'
import { parseImageRef } from '../../../adapters/registry/image-ref.ts'
import type { UseRow } from './uses.read.ts'

/*
 * Whether a service uses an image is decided here, from what the service names: the host of the registry, the repository,
 * and then the digest, or the tag where its pods are not bound to a digest.
 */

/** Where images lie: what of a registry, or of a Harbor (no id), tells that a service names one of them. */
export interface Home {
  id: number | null
  url: string
  sandbox: boolean
}

const hub = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io'])

/** The host by which clusters name images of a registry: as `new URL` spells it, without a port that is the usual one. */
export const imageHost = ({ url }: Pick<Home, 'url'>): string => {
  const { host } = new URL(url)
  return hub.has(host) ? 'docker.io' : host
}

/** `host/repository`, as a service would name it. */
export const imageName = (registry: Home, repository: string): string => `${imageHost(registry)}/${repository}`

/** How the repository may be spelled in a service, without its host. */
export const pathsOf = (registry: Home, repository: string): string[] =>
  imageHost(registry) === 'docker.io' && repository.startsWith('library/')
    ? [repository, repository.slice('library/'.length)]
    : [repository]

function isIn(registry: Home, host: string, registryId: number | null): boolean {
  const own = new URL(registry.url)
  if (registry.sandbox) {
    // Its port may have changed since, and any name of this machine leads to it.
    const [name = '', port] = host.split(/:(?=\d+$)/)
    const isNamed = registryId !== null && registryId === registry.id
    return isNamed || (port === own.port && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(name))
  }
  const there = `${own.protocol}//${host}`
  return host === imageHost(registry) || (URL.canParse(there) && new URL(there).host === own.host)
}

/** An image as it is looked for: what its digest is, also for each platform, and the tags that name it. */
export interface Wanted {
  repository: string
  digests: ReadonlySet<string>
  tags: ReadonlySet<string>
}

/** Whether a use refers to the repository at all, or to this image in it. */
export function refersTo(use: UseRow, registry: Home, { repository, digests, tags }: Wanted): boolean {
  return use.refs.some((text) => {
    const ref = parseImageRef(text)
    if (ref === undefined || ref.repository !== repository || !isIn(registry, ref.host, use.registryId)) return false
    if (ref.digest !== undefined) return digests.has(ref.digest)
    const isMain = text === use.image
    if ((isMain ? use.digests : use.pins).some((digest) => digests.has(digest))) return true
    return !(isMain && use.pinned) && tags.has(ref.tag ?? 'latest')
  })
}

/** Whether it names the repository, whichever of its images. */
export const names = (use: UseRow, registry: Home, repository: string): boolean =>
  use.refs.some((text) => {
    const ref = parseImageRef(text)
    return ref !== undefined && ref.repository === repository && isIn(registry, ref.host, use.registryId)
  })

/** Whose uses are told by name. */
export type Visible = (use: UseRow) => boolean

/** What tells users of images apart: services and releases are numbered each by themselves. */
export const userOf = ({ type, serviceId }: UseRow): string => `${type === 'helm' ? 'release' : 'service'} ${serviceId}`

export const serviceOf = ({ stackName, serviceName }: UseRow): string => `${stackName}/${serviceName}`

const shownNames = 3

/** A summary of uses for a row of a list. Each service and release counts once. */
export function countUses(uses: readonly UseRow[], visible: Visible): UseCount {
  const running = new Map<string, string>()
  const back = new Set<string>()
  const others = new Set<string>()
  for (const use of uses) {
    if (!visible(use)) others.add(userOf(use))
    else if (use.kind === 'runs') running.set(userOf(use), serviceOf(use))
    else back.add(userOf(use))
  }
  return {
    services: [...running.values()].sort().slice(0, shownNames),
    running: running.size,
    back: [...back].filter((id) => !running.has(id)).length,
    others: others.size,
  }
}
