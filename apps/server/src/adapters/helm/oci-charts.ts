import type { IndexedChart, IndexedVersion } from '@gantry/contract/helm/charts'
import { isRepository } from '@gantry/oci/names'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { everyName } from '../../kernel/paging.ts'
import type { PageOptions, Registry } from '../registry/registry.ts'
import type { RegistryAccess } from '../registry/session.ts'
import { archiveLimits } from './archive.ts'
import { answering, type RepositoryAccess } from './access.ts'
import { chartOf, isChartName } from './chart-index.ts'
import { compareVersions, isVersion } from './versions.ts'

const types = {
  config: 'application/vnd.cncf.helm.config.v1+json',
  content: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
}
/** The charts of a registry are read one by one, with a few calls each. */
const most = { repositories: 10_000, charts: 300, tags: 1_000, atOnce: 4, config: 1_048_576 }

const text = (max: number) =>
  z
    .union([z.string(), z.number()])
    .catch('')
    .transform((value) => String(value).slice(0, max))
    .default('')
const Metadata = z.object({
  appVersion: text(100),
  description: text(500),
  icon: text(2000),
  type: text(20),
  deprecated: z.boolean().catch(false).default(false),
})

/** Splits `oci://host/path` into the registry and the path of its charts; `oci+http` means without encryption. */
function placeOf(access: RepositoryAccess): { registry: RegistryAccess; host: string; prefix: string } {
  const plain = access.url.startsWith('oci+http:')
  const url = new URL(access.url.replace(/^oci(\+http)?:/, plain ? 'http:' : 'https:'))
  const { username, password, ca } = access
  return {
    registry: { url: url.origin, username, password, ca },
    host: url.host,
    prefix: url.pathname.replaceAll(/^\/+|\/+$/g, ''),
  }
}

/** Tags cannot contain a plus, so helm writes an underscore. */
const versionOfTag = (tag: string): string => tag.replaceAll('_', '+')

/** The repositories below the path; if the registry cannot list them, the path itself is taken as the chart. */
async function namesIn(registry: Registry, place: ReturnType<typeof placeOf>, signal: AbortSignal): Promise<string[]> {
  const { prefix } = place
  try {
    const read = (page: PageOptions) => registry.repositories(place.registry, { ...page, signal })
    const { names } = await everyName(read, most.repositories)
    return names.filter((name) => prefix === '' || name === prefix || name.startsWith(`${prefix}/`))
  } catch (error) {
    if (!(error instanceof Fault) || error.key !== 'registry-no-catalogue' || prefix === '') throw error
    return [prefix]
  }
}

async function chartIn(
  registry: Registry,
  { registry: access, prefix }: ReturnType<typeof placeOf>,
  repository: string,
  signal: AbortSignal,
): Promise<IndexedChart[]> {
  const short = prefix === '' || repository === prefix ? repository : repository.slice(prefix.length + 1)
  const name = repository === prefix ? (repository.split('/').at(-1) ?? '') : short
  if (!isRepository(repository) || !isChartName(name)) return []
  const { names } = await registry.tags(access, repository, { limit: most.tags, signal })
  const tags = names
    .filter((tag) => isVersion(versionOfTag(tag)))
    .sort((a, b) => compareVersions(versionOfTag(b), versionOfTag(a)))
  const [newest] = tags
  if (newest === undefined) return []
  const { manifest } = await registry.manifest(access, repository, newest, { signal })
  if (manifest.config?.mediaType !== types.config) return []
  const config = await registry.blob(access, repository, manifest.config.digest, { maxBytes: most.config, signal })
  const metadata = Metadata.safeParse(parsedJson(config))
  if (!metadata.success || metadata.data.type === 'library') return []
  const { appVersion, description, icon, deprecated } = metadata.data
  const versions = tags.map((tag): IndexedVersion => ({
    version: versionOfTag(tag),
    appVersion: tag === newest ? appVersion : '',
    description,
    icon,
    created: null,
    digest: '',
    url: `${repository}:${tag}`,
    deprecated,
  }))
  return chartOf(name, versions)
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The charts among the artifacts of a registry. */
export async function readRegistry(
  registry: Registry,
  access: RepositoryAccess,
  signal: AbortSignal,
): Promise<IndexedChart[]> {
  const place = placeOf(access)
  const patience = answering(signal, place.host)
  try {
    await registry.verify(place.registry, patience.signal)
  } finally {
    patience.answered()
  }
  const names = (await namesIn(registry, place, signal)).slice(0, most.charts)
  const found: IndexedChart[] = []
  for (let at = 0; at < names.length; at += most.atOnce) {
    const some = names.slice(at, at + most.atOnce)
    const charts = await Promise.all(some.map((name) => chartIn(registry, place, name, signal)))
    found.push(...charts.flat())
  }
  return found
}

export async function ociArchive(
  registry: Registry,
  access: RepositoryAccess,
  { url }: Pick<IndexedVersion, 'url'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const { registry: place } = placeOf(access)
  const [repository = '', tag = ''] = url.split(':')
  const { manifest } = await registry.manifest(place, repository, tag, { signal })
  const layer = manifest.layers?.find(({ mediaType }) => mediaType === types.content)
  if (!layer) throw new Fault('invalid', 'helm-archive-invalid', { name: access.name })
  return registry.blob(place, repository, layer.digest, { maxBytes: archiveLimits.bytes, signal })
}
