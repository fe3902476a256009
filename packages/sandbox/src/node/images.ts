import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Images, PulledImage, RegistryCredential } from '../cluster.ts'
import { blobPath, blobSize, isDigest, readManifest, type Storage } from '../registry/storage.ts'

export interface Reference {
  /** With its port; empty if the image names none. */
  host: string
  repository: string
  tag: string | undefined
  digest: string | undefined
}

export function parseReference(image: string): Reference | undefined {
  const [rest = '', digest] = image.split('@')
  if (digest !== undefined && !isDigest(digest)) return undefined
  const slash = rest.indexOf('/')
  const first = slash < 0 ? '' : rest.slice(0, slash)
  const host = /[.:]/.test(first) || first === 'localhost' ? first : ''
  const path = host === '' ? rest : rest.slice(slash + 1)
  const colon = path.lastIndexOf(':')
  const repository = colon < 0 ? path : path.slice(0, colon)
  const tag = colon < 0 ? undefined : path.slice(colon + 1)
  if (!/^[a-z0-9][a-z0-9._/-]*$/.test(repository) || (tag !== undefined && !/^\w[\w.-]{0,127}$/.test(tag)))
    return undefined
  return { host, repository, tag: tag ?? (digest === undefined ? 'latest' : undefined), digest }
}

interface Config {
  config?: {
    Env?: string[] | null
    Entrypoint?: string[] | null
    Cmd?: string[] | null
    WorkingDir?: string
    Labels?: Record<string, string> | null
  }
}
interface Manifest {
  config?: { digest: string }
  layers?: { size?: number }[]
  manifests?: { digest: string; platform?: { os?: string } }[]
}

/** The prefix of the container runtime's errors for a pull. */
const failed = (image: string, why: string): Error => new Error(`failed to pull and unpack image "${image}": ${why}`)

const madeUp = (image: string): string => `sha256:${createHash('sha256').update(image).digest('hex')}`

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

/**
 * Images as the simulated nodes see them. An image of the sandbox's registry is looked up there and its configuration
 * read; any other is assumed to exist, except on hosts that cannot be reached: other loopback ports and `.invalid`.
 */
export function simulatedImages(
  storage: Storage,
  address: () => { host: string; port: number } | undefined,
  credential: { username: string; password: string } | undefined,
): Images {
  const isOurs = (host: string): boolean => {
    const own = address()
    const [name = '', port] = host.split(/:(?=\d+$)/)
    return own !== undefined && Number(port) === own.port && (name === own.host || loopback.test(name))
  }

  const stored = (image: string, { host, repository, tag, digest }: Reference): PulledImage => {
    const requested = readManifest(storage, repository, digest ?? tag ?? 'latest')
    const parsed = requested && (JSON.parse(requested.content.toString('utf8')) as Manifest)
    const platform = parsed?.manifests?.find((one) => one.platform?.os !== 'unknown')?.digest
    const found = platform === undefined ? requested : readManifest(storage, repository, platform)
    if (!requested || !found) throw failed(image, `failed to resolve reference "${image}": ${image}: not found`)
    const manifest = JSON.parse(found.content.toString('utf8')) as Manifest
    let config: Config['config']
    let size = 0
    if (manifest.config) {
      size = blobSize(storage, manifest.config.digest)
      const text = readFileSync(blobPath(storage, manifest.config.digest), 'utf8')
      try {
        config = (JSON.parse(text) as Config).config
      } catch {
        // An artifact with another kind of configuration, which has no start command.
      }
    }
    for (const layer of manifest.layers ?? []) size += layer.size ?? 0
    return {
      id: `${host}/${repository}@${requested.digest}`,
      digest: requested.digest,
      size,
      env: config?.Env ?? [],
      entrypoint: config?.Entrypoint ?? [],
      command: config?.Cmd ?? [],
      workingDir: config?.WorkingDir || '/',
      labels: config?.Labels ?? {},
    }
  }

  return {
    pull(image, credentials) {
      const reference = parseReference(image)
      if (!reference) throw new Error(`couldn't parse image name "${image}": invalid reference format`)
      const { host } = reference
      if (isOurs(host)) {
        if (credential && !credentials.some((one) => isOurs(one.host) && matches(one, credential)))
          throw failed(
            image,
            `failed to resolve reference "${image}": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
          )
        return stored(image, reference)
      }
      const head = `failed to resolve reference "${image}": failed to do request: Head "https://${host}/v2/${reference.repository}/manifests/${reference.digest ?? reference.tag}"`
      if (/\.invalid(:\d+)?$/.test(host)) throw failed(image, `${head}: dial tcp: lookup ${host}: no such host`)
      if (/:\d+$/.test(host) && loopback.test(host.replace(/:\d+$/, '')))
        throw failed(image, `${head}: dial tcp ${host}: connect: connection refused`)
      const digest = reference.digest ?? madeUp(image)
      const id = `${host || 'docker.io'}/${reference.repository}@${digest}`
      return { id, digest, size: 10_485_760, env: [], entrypoint: [], command: [], workingDir: '/', labels: {} }
    },
  }
}

const matches = (given: RegistryCredential, wanted: { username: string; password: string }): boolean =>
  given.username === wanted.username && given.password === wanted.password
