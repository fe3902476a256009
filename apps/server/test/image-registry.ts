import { createServer, type IncomingMessage } from 'node:http'
import { digestOf } from '@gantry/oci/names'

/** Images of a repository by tag; tags with the same value share an image. */
type Repositories = Record<string, Record<string, string>>

interface Settings {
  /** False for one of the many registries that list no repositories. */
  catalogue?: boolean
  /** When its images were created. */
  createdAt?: string
}

const mediaType = 'application/vnd.oci.image.manifest.v1+json'

/** A registry over HTTP without authentication: lists, manifests, and deletion, which deletes all tags of an image. */
export function imageRegistry(
  given: Repositories,
  { catalogue = true, createdAt = '2026-01-02T03:04:05Z' }: Settings = {},
) {
  const repositories = structuredClone(given)
  const config = JSON.stringify({
    created: createdAt,
    os: 'linux',
    architecture: 'amd64',
    history: [{ created_by: 'COPY app /' }, { created_by: 'CMD ["/app"]', empty_layer: true }],
  })
  const manifestOf = (image: string): string =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: digestOf(image), size: 3_000_000 }],
    })

  function manifest(repository: string, reference: string, method: string): string | undefined {
    const tags = repositories[repository] ?? {}
    const image = tags[reference] ?? Object.values(tags).find((name) => digestOf(manifestOf(name)) === reference)
    if (image === undefined) return undefined
    if (method === 'DELETE') for (const [tag, name] of Object.entries(tags)) if (name === image) delete tags[tag]
    return manifestOf(image)
  }

  function answerTo({ method = '', url = '/' }: IncomingMessage): string | undefined {
    const { pathname } = new URL(url, 'http://x')
    if (pathname === '/v2/') return '{}'
    if (pathname === '/v2/_catalog')
      return catalogue ? JSON.stringify({ repositories: Object.keys(repositories).sort() }) : undefined
    const [, repository = '', what, last = ''] = /^\/v2\/(.+)\/(tags|manifests|blobs)\/([^/]+)$/.exec(pathname) ?? []
    if (repositories[repository] === undefined) return undefined
    if (what === 'tags') return JSON.stringify({ name: repository, tags: Object.keys(repositories[repository]).sort() })
    return what === 'blobs' ? config : manifest(repository, last, method)
  }

  return createServer((request, response) => {
    const answer = answerTo(request)
    response
      .writeHead(answer === undefined ? 404 : request.method === 'DELETE' ? 202 : 200, {
        'content-type': request.url?.includes('/manifests/') ? mediaType : 'application/json',
        'docker-distribution-api-version': 'registry/2.0',
      })
      .end(request.method === 'HEAD' ? undefined : (answer ?? '{}'))
  })
}
