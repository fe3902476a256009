import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CORE_SCHEMA, load, loadAll } from 'js-yaml'
import { extract } from 'tar-stream'
import { isObject } from '../../kernel/json.ts'
import { ChartProblem } from './chart-index.ts'
import { isVersion } from './versions.ts'

export const archiveLimits = {
  bytes: 20 * 1_048_576,
  unpacked: 100 * 1_048_576,
  files: 5_000,
  text: 1_048_576,
} as const

/** The parts of an archive that are shown, and that are checked before it is deployed. */
export interface ChartContents {
  name: string
  version: string
  appVersion: string
  description: string
  home: string
  icon: string
  readme: string
  values: string
  schema: string
  dependencies: { name: string; version: string }[]
  /** Names of custom resource definitions in `crds/` of the chart and of its subcharts. */
  definitions: string[]
  library: boolean
}

type Texts = Map<string, string>

const isUnsafe = (path: string): boolean =>
  path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.includes('\\') || path.split('/').includes('..')

const isWanted = (inner: string): boolean =>
  ['Chart.yaml', 'values.yaml', 'values.schema.json', 'README.md', 'requirements.yaml'].includes(inner) ||
  /(^|\/)crds\/[^/]+\.(ya?ml|json)$/.test(inner)

/**
 * Reads the archive once, without writing anything. Refuses links, paths that leave the chart, and more than the
 * limits, even in files that are not needed: helm unpacks all of them.
 */
async function readTexts(archive: Buffer): Promise<Texts> {
  const texts: Texts = new Map()
  const tar = extract()
  let unpacked = 0
  let files = 0
  const gunzip = createGunzip()
  gunzip.on('data', (chunk: Buffer) => {
    unpacked += chunk.length
    if (unpacked > archiveLimits.unpacked) gunzip.destroy(new ChartProblem('archive-too-large', megabytes))
  })
  tar.on('entry', (header, stream, next) => {
    files += 1
    const refused =
      files > archiveLimits.files
        ? new ChartProblem('archive-too-large', megabytes)
        : header.type === 'symlink' || header.type === 'link'
          ? new ChartProblem('archive-links')
          : isUnsafe(header.name)
            ? new ChartProblem('archive-invalid')
            : undefined
    if (refused) {
      tar.destroy(refused)
      return
    }
    const inner = header.name.replace(/^\.\//, '').split('/').slice(1).join('/')
    const keep = header.type === 'file' && isWanted(inner)
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk) => {
      const bytes = chunk as Buffer
      size += bytes.length
      if (keep && size <= archiveLimits.text) chunks.push(bytes)
    })
    stream.on('end', () => {
      if (keep && size <= archiveLimits.text)
        texts.set(inner, Buffer.concat(chunks).toString('utf8').replaceAll('\0', ''))
      next()
    })
    stream.on('error', next)
  })
  try {
    await pipeline(Readable.from([archive]), gunzip, tar)
  } catch (error) {
    throw error instanceof ChartProblem ? error : new ChartProblem('archive-invalid')
  }
  return texts
}

const megabytes = { limit: archiveLimits.unpacked / 1_048_576, files: archiveLimits.files }

function yamlOf(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA })
  } catch {
    return undefined
  }
}

const textOf = (from: Record<string, unknown>, key: string, most = 2000): string => {
  const value = from[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, most) : ''
}

function definitionsIn(texts: Texts): string[] {
  const names = [...texts].flatMap(([path, text]) => {
    if (!/(^|\/)crds\//.test(path)) return []
    try {
      return loadAll(text, { schema: CORE_SCHEMA }).flatMap((one) => {
        const metadata = isObject(one) ? one['metadata'] : undefined
        return isObject(metadata) && typeof metadata['name'] === 'string' ? [metadata['name'].slice(0, 253)] : []
      })
    } catch {
      return [path.slice(0, 253)]
    }
  })
  return [...new Set(names)]
}

function dependenciesOf(chart: Record<string, unknown>, texts: Texts): ChartContents['dependencies'] {
  const older = yamlOf(texts.get('requirements.yaml') ?? '')
  const listed = chart['dependencies'] ?? (isObject(older) ? older['dependencies'] : undefined)
  if (!Array.isArray(listed)) return []
  return listed
    .filter(isObject)
    .slice(0, 100)
    .map((one) => ({ name: textOf(one, 'name', 250), version: textOf(one, 'version', 100) }))
}

/** Reads a chart's archive (.tgz). Throws ChartProblem. */
export async function readArchive(archive: Buffer): Promise<ChartContents> {
  const texts = await readTexts(archive)
  const chart = yamlOf(texts.get('Chart.yaml') ?? '')
  if (!isObject(chart)) throw new ChartProblem('archive-invalid')
  const [name, version] = [textOf(chart, 'name', 250), textOf(chart, 'version', 129)]
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || !isVersion(version)) throw new ChartProblem('archive-invalid')
  return {
    name,
    version,
    appVersion: textOf(chart, 'appVersion', 100),
    description: textOf(chart, 'description', 500),
    home: textOf(chart, 'home'),
    icon: textOf(chart, 'icon'),
    readme: texts.get('README.md') ?? '',
    values: texts.get('values.yaml') ?? '',
    schema: texts.get('values.schema.json') ?? '',
    dependencies: dependenciesOf(chart, texts),
    definitions: definitionsIn(texts),
    library: chart['type'] === 'library',
  }
}
