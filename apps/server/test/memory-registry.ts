import { createHash } from 'node:crypto'
import type { ImageDetails } from '../src/adapters/registry/image.ts'
import type { Registry } from '../src/adapters/registry/registry.ts'
import { Fault } from '../src/kernel/fault.ts'
import { fakePorts } from './fake-ports.ts'

export const digestNamed = (name: string): string => `sha256:${createHash('sha256').update(name).digest('hex')}`

/** A pushed image; its digest is derived from its name. */
interface Pushed {
  createdAt?: string | null
  /** For an index, the names of its images. */
  parts?: string[]
}

/**
 * A registry in memory that counts its calls. `before` runs before each deletion, to do something at that moment;
 * `refuse` makes a host fail.
 */
export function memoryRegistry() {
  const repositories = new Map<string, Map<string, string>>()
  const images = new Map<string, Pushed>()
  const asked = { lists: 0, manifests: 0, digests: 0, images: 0, removed: [] as string[], actions: [] as string[] }
  const hooks: { before?: () => void; refuse?: (host: string) => Fault | undefined } = {}
  const unknown = () => new Fault('missing', 'registry-image-unknown', { host: 'h', image: 'i' })
  const reach = (url: string): void => {
    const fault = hooks.refuse?.(new URL(url).host)
    if (fault) throw fault
  }
  const found = (repository: string, reference: string): string => {
    const digest = reference.startsWith('sha256:') ? reference : repositories.get(repository)?.get(reference)
    if (digest === undefined || !images.has(digest)) throw unknown()
    return digest
  }
  const page = (all: string[], { after, limit = 100 }: { after?: string; limit?: number } = {}) => {
    const from = after === undefined ? 0 : all.indexOf(after) + 1
    const names = all.slice(from, from + limit)
    return { names, next: from + limit < all.length ? (names.at(-1) ?? null) : null }
  }
  const registry: Registry = {
    ...fakePorts().registry,
    verify: async () => undefined,
    repositories: async ({ url }, options) => {
      asked.lists++
      reach(url)
      return page([...repositories.keys()].sort(), options)
    },
    tags: async ({ url }, repository, options) => {
      asked.lists++
      reach(url)
      const tags = repositories.get(repository)
      if (!tags) throw unknown()
      return page([...tags.keys()].sort(), options)
    },
    manifest: async ({ url }, repository, reference) => {
      asked.manifests++
      reach(url)
      const digest = found(repository, reference)
      const { parts } = images.get(digest) ?? {}
      const manifests = parts?.map((name) => ({ digest: digestNamed(name), size: 1 }))
      return { digest, mediaType: '', size: 1, text: '', manifest: manifests ? { manifests } : {} }
    },
    digest: async (_access, repository, reference) => {
      asked.digests++
      const digest = repositories.get(repository)?.get(reference)
      return digest !== undefined && images.has(digest) ? digest : null
    },
    image: async (_access, repository, reference): Promise<ImageDetails> => {
      asked.images++
      const digest = found(repository, reference)
      const { createdAt = '2026-01-02T03:04:05.000Z', parts = [] } = images.get(digest) ?? {}
      const platforms = parts.length > 0 ? parts : [digest]
      return {
        digest,
        type: 'image',
        size: 30,
        createdAt,
        platform: 'linux/amd64',
        platforms: platforms.map((name) => ({
          name: 'linux/amd64',
          digest: name.startsWith('sha256:') ? name : digestNamed(name),
        })),
        layers: [
          { digest: digestNamed('layer'), size: 30, createdBy: 'COPY app /' },
          { digest: '', size: 0, createdBy: 'CMD app' },
        ],
      }
    },
    remove: async (_access, repository, digest) => {
      hooks.before?.()
      const tags = repositories.get(repository)
      if (!images.has(digest)) return false
      asked.removed.push(digest)
      for (const [tag, named] of tags ?? []) if (named === digest) tags?.delete(tag)
      return true
    },
  }
  return {
    registry,
    asked,
    hooks,
    /** Pushes an image of this name under the tags; returns its digest. */
    push: (repository: string, name: string, tags: readonly string[], image: Pushed = {}): string => {
      const digest = digestNamed(name)
      images.set(digest, image)
      const there = repositories.get(repository) ?? new Map<string, string>()
      repositories.set(repository, there)
      for (const tag of tags) there.set(tag, digest)
      return digest
    },
    /** Removes the manifest of a digest and keeps its tags. */
    lose: (digest: string) => void images.delete(digest),
    tagsOf: (repository: string): string[] => [...(repositories.get(repository)?.keys() ?? [])].sort(),
  }
}
