import { createHash } from 'node:crypto'
import * as storage from '../registry/storage.ts'
import type { Storage } from '../registry/storage.ts'
import { type Exchange, fits, HarborError, notFound, pageOf, reply, type Route, termsOf } from './exchange.ts'
import { immutableTags, placeOf, projectsOf, type State } from './state.ts'

export const repositoriesOf = (store: Storage, project: string): string[] =>
  storage.listRepositories(store).filter((name) => placeOf(name)?.project === project)

interface Manifest {
  mediaType?: string
  config?: { digest: string; size: number }
  layers?: { digest: string; size: number }[]
  manifests?: { digest: string; platform?: { os?: string; architecture?: string; variant?: string } }[]
}

interface Image {
  digest: string
  mediaType: string
  manifest: Manifest
  size: number
  tags: string[]
  pushed: Date
}

/** All manifests of a repository, the newest first. */
function imagesOf(store: Storage, name: string): Image[] {
  const tags = new Map<string, string[]>()
  for (const tag of storage.listTags(store, name)) {
    const digest = storage.readManifest(store, name, tag)?.digest ?? ''
    tags.set(digest, [...(tags.get(digest) ?? []), tag])
  }
  return storage
    .listManifests(store, name)
    .flatMap(({ digest, pushed }) => {
      const found = storage.readManifest(store, name, digest)
      if (!found) return []
      const manifest = JSON.parse(found.content.toString('utf8')) as Manifest
      const parts = [manifest.config, ...(manifest.layers ?? [])]
      const size = found.content.length + parts.reduce((sum, part) => sum + (part?.size ?? 0), 0)
      return [{ digest, mediaType: found.mediaType, manifest, size, tags: tags.get(digest) ?? [], pushed }]
    })
    .toSorted((a, b) => b.pushed.getTime() - a.pushed.getTime() || (a.digest < b.digest ? -1 : 1))
}

export const sizeOf = (store: Storage, project: string): number =>
  repositoriesOf(store, project)
    .flatMap((name) => imagesOf(store, name))
    .reduce((sum, { size }) => sum + size, 0)

/** A numeric id for an object that only has a name. */
const numberOf = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 7), 16)

function repositoryIn({ storage: store, names }: Exchange): string {
  const [project = '', repository = ''] = names
  const name = `${project}/${repository}`
  if (!storage.isName(name) || !storage.hasRepository(store, name)) throw notFound(`repository ${name}`)
  return name
}

function imageIn(exchange: Exchange, reference: string): { name: string; image: Image } {
  const name = repositoryIn(exchange)
  const image = imagesOf(exchange.storage, name).find(
    ({ digest, tags }) => digest === reference || tags.includes(reference),
  )
  if (!image) throw notFound(`artifact ${name}:${reference}`)
  return { name, image }
}

const severities = ['Critical', 'High', 'Medium', 'Low'] as const

/** Findings of each severity in a scan, derived from the digest so that they are always the same. */
const foundIn = (digest: string): (readonly [severity: (typeof severities)[number], count: number])[] =>
  severities.map((severity, at) => {
    const count = Number.parseInt(digest.slice(7 + at, 8 + at), 16) % (at + 2)
    return [severity, severity === 'Low' ? count + 1 : count]
  })

const reportType = 'application/vnd.security.vulnerability.report; version=1.1'
const scanner = { name: 'simulated', vendor: 'Gantry sandbox', version: '1' }
const scanMs = 1500

function scanOf({ scans }: State, digest: string): object {
  const began = scans.get(digest)
  if (began !== undefined && Date.now() < began + scanMs)
    return { [reportType]: { report_id: digest.slice(7, 19), scan_status: 'Running', complete_percent: 50, scanner } }
  const found = foundIn(digest).filter(([, count]) => count > 0)
  const total = found.reduce((sum, [, count]) => sum + count, 0)
  return {
    [reportType]: {
      report_id: digest.slice(7, 19),
      scan_status: 'Success',
      severity: found[0]?.[0] ?? 'None',
      complete_percent: 100,
      scanner,
      ...(began !== undefined && { end_time: new Date(began + scanMs).toISOString() }),
      summary: { total, fixable: Math.floor(total / 2), summary: Object.fromEntries(found) },
    },
  }
}

const packages = ['openssl', 'zlib', 'busybox', 'curl', 'expat', 'sqlite']

function scan(exchange: Exchange): void {
  const { image } = imageIn(exchange, exchange.names[2] ?? '')
  exchange.state.scans.set(image.digest, Date.now())
  reply(exchange, 202)
}

function report(exchange: Exchange): void {
  const { digest } = imageIn(exchange, exchange.names[2] ?? '').image
  const all = foundIn(digest).flatMap(([severity, count]) => Array.from({ length: count }, () => severity))
  reply(exchange, 200, {
    [reportType]: {
      generated_at: new Date(exchange.state.scans.get(digest) ?? 0).toISOString(),
      scanner,
      severity: all[0] ?? 'None',
      vulnerabilities: all.map((severity, at) => {
        const id = `CVE-2026-${10_000 + (numberOf(`${digest} ${at}`) % 90_000)}`
        return {
          id,
          package: packages[at % packages.length],
          version: `1.${at}.0`,
          fix_version: at < Math.floor(all.length / 2) ? `1.${at}.1` : '',
          severity,
          description: 'Made up by the sandbox, to show what a report looks like',
          links: [`https://cve.example.org/${id}`],
        }
      }),
    },
  })
}

function shapeOf({ query, state, storage: store }: Exchange, name: string) {
  const project = projectsOf(state, store).find((one) => one.name === placeOf(name)?.project)
  const flag = (key: string, otherwise: boolean): boolean => (query.get(key) ?? String(otherwise)) === 'true'
  return ({ digest, mediaType, manifest, size, tags, pushed }: Image): object => ({
    id: numberOf(`${name}@${digest}`),
    type: 'IMAGE',
    manifest_media_type: mediaType,
    media_type: manifest.mediaType ?? mediaType,
    digest,
    size,
    project_id: project?.id ?? 0,
    repository_id: numberOf(name),
    repository_name: name,
    push_time: pushed.toISOString(),
    ...(manifest.manifests && {
      references: manifest.manifests.map(({ digest: child, platform }) => ({
        child_id: numberOf(`${name}@${child}`),
        child_digest: child,
        ...(platform && { platform }),
      })),
    }),
    ...(flag('with_tag', true) && {
      tags: tags.map((tag) => ({
        id: numberOf(`${name}:${tag}`),
        name: tag,
        push_time: pushed.toISOString(),
        immutable: tag.startsWith(immutableTags),
      })),
    }),
    ...(flag('with_scan_overview', false) && { scan_overview: scanOf(state, digest) }),
  })
}

function listRepositories(exchange: Exchange): void {
  const { storage: store, names, query, state } = exchange
  const [project = ''] = names
  const found = projectsOf(state, store).find(({ name }) => name === project)
  if (!found) throw notFound(`project ${project}`)
  const terms = termsOf(query)
  const all = repositoriesOf(store, project).filter((name) => fits(terms, 'name', [name]))
  pageOf(exchange, `/projects/${project}/repositories`, all, (name) => {
    const images = imagesOf(store, name)
    const times = images.map(({ pushed }) => pushed.toISOString()).toSorted()
    return {
      id: numberOf(name),
      project_id: found.id,
      name,
      artifact_count: images.length,
      pull_count: 0,
      ...(times.length > 0 && { creation_time: times[0], update_time: times.at(-1) }),
    }
  })
}

function refuseImmutable(tags: readonly string[]): void {
  const kept = tags.find((tag) => tag.startsWith(immutableTags))
  if (kept !== undefined)
    throw new HarborError(412, 'PRECONDITION', `the tag ${kept} is configured as immutable, cannot be deleted`)
}

function removeRepository(exchange: Exchange): void {
  const name = repositoryIn(exchange)
  refuseImmutable(storage.listTags(exchange.storage, name))
  storage.deleteRepository(exchange.storage, name)
  reply(exchange, 200)
}

function listImages(exchange: Exchange): void {
  const name = repositoryIn(exchange)
  const terms = termsOf(exchange.query)
  const all = imagesOf(exchange.storage, name).filter(
    ({ digest, tags }) => fits(terms, 'digest', [digest]) && fits(terms, 'tags', tags),
  )
  const [project = '', repository = ''] = exchange.names
  const path = `/projects/${project}/repositories/${encodeURIComponent(encodeURIComponent(repository))}/artifacts`
  pageOf(exchange, path, all, shapeOf(exchange, name))
}

function removeImage(exchange: Exchange): void {
  const { name, image } = imageIn(exchange, exchange.names[2] ?? '')
  refuseImmutable(image.tags)
  storage.deleteManifest(exchange.storage, name, image.digest)
  reply(exchange, 200)
}

function removeTag(exchange: Exchange): void {
  const [, , reference = '', tag = ''] = exchange.names
  const { name, image } = imageIn(exchange, reference)
  if (!image.tags.includes(tag)) throw notFound(`tag ${tag}`)
  refuseImmutable([tag])
  storage.deleteTag(exchange.storage, name, tag)
  reply(exchange, 200)
}

function history(exchange: Exchange): void {
  const { name, image } = imageIn(exchange, exchange.names[2] ?? '')
  const { config } = image.manifest
  if (!config || !storage.hasBlob(exchange.storage, name, config.digest)) throw notFound(`build history of ${name}`)
  const text = storage.readBlob(exchange.storage, config.digest).toString('utf8')
  const { history: steps = [] } = JSON.parse(text) as { history?: unknown[] }
  reply(exchange, 200, steps)
}

const artifact = String.raw`^/projects/([^/]+)/repositories/([^/]+)/artifacts`
const at = (rest: string): RegExp => new RegExp(`${artifact}${rest}$`)

export const contentRoutes: Route[] = [
  ['GET', /^\/projects\/([^/]+)\/repositories$/, listRepositories],
  ['DELETE', /^\/projects\/([^/]+)\/repositories\/([^/]+)$/, removeRepository],
  ['GET', at(''), listImages],
  [
    'GET',
    at('/([^/]+)'),
    (exchange) => {
      const { name, image } = imageIn(exchange, exchange.names[2] ?? '')
      reply(exchange, 200, shapeOf(exchange, name)(image))
    },
  ],
  ['DELETE', at('/([^/]+)'), removeImage],
  ['DELETE', at('/([^/]+)/tags/([^/]+)'), removeTag],
  ['GET', at('/([^/]+)/additions/build_history'), history],
  ['GET', at('/([^/]+)/additions/vulnerabilities'), report],
  ['POST', at('/([^/]+)/scan'), scan],
]
