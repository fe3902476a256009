import type { UseCount } from '@gantry/contract/images/contents'
import { parseImageRef } from '../../../adapters/registry/image-ref.ts'
import type { UseRow } from './uses.read.ts'

/*
 * Decides whether a service uses an image, by what the service names: the host of the registry, the repository, and
 * then the digest, or the tag unless its pods are pinned to a digest.
 */

/** The properties of a registry, or of a Harbor (no id), by which services name its images. */
export interface Home {
  id: number | null
  url: string
  sandbox: boolean
}

const hub = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io'])

/** The host in the names of a registry's images: as `new URL` writes it, without a default port. */
export const imageHost = ({ url }: Pick<Home, 'url'>): string => {
  const { host } = new URL(url)
  return hub.has(host) ? 'docker.io' : host
}

/** `host/repository`, as a service would name it. */
export const imageName = (registry: Home, repository: string): string => `${imageHost(registry)}/${repository}`

/** The ways to write the repository in a service, without its host. */
export const pathsOf = (registry: Home, repository: string): string[] =>
  imageHost(registry) === 'docker.io' && repository.startsWith('library/')
    ? [repository, repository.slice('library/'.length)]
    : [repository]

function isIn(registry: Home, host: string, registryId: number | null): boolean {
  const own = new URL(registry.url)
  if (registry.sandbox) {
    // its port may have changed since, and any name of this machine leads to it
    const [name = '', port] = host.split(/:(?=\d+$)/)
    const isNamed = registryId !== null && registryId === registry.id
    return isNamed || (port === own.port && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(name))
  }
  const there = `${own.protocol}//${host}`
  return host === imageHost(registry) || (URL.canParse(there) && new URL(there).host === own.host)
}

/** An image to look for: its digest and those of its platforms, and its tags. */
export interface Wanted {
  repository: string
  digests: ReadonlySet<string>
  tags: ReadonlySet<string>
}

/** Whether a use refers to this image of the repository. */
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

/** Whether it names the repository, with any image. */
export const names = (use: UseRow, registry: Home, repository: string): boolean =>
  use.refs.some((text) => {
    const ref = parseImageRef(text)
    return ref !== undefined && ref.repository === repository && isIn(registry, ref.host, use.registryId)
  })

/** Whether a use may be named to the caller. */
export type Visible = (use: UseRow) => boolean

/** Identifies a user of images; services and releases are numbered separately. */
export const userOf = ({ type, serviceId }: UseRow): string => `${type === 'helm' ? 'release' : 'service'} ${serviceId}`

export const serviceOf = ({ stackName, serviceName }: UseRow): string => `${stackName}/${serviceName}`

const maxNames = 3

/** A summary of uses for a row of a list, each service and release counted once. */
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
    services: [...running.values()].sort().slice(0, maxNames),
    running: running.size,
    back: [...back].filter((id) => !running.has(id)).length,
    others: others.size,
  }
}
