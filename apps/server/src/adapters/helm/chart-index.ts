import type { IndexedChart, IndexedVersion } from '@gantry/contract/helm/charts'
import { CORE_SCHEMA, load } from 'js-yaml'
import { isObject } from '../../kernel/json.ts'
import { compareVersions, isPreRelease, isVersion } from './versions.ts'

export const indexLimits = { bytes: 48 * 1_048_576, charts: 5_000, versions: 50_000 } as const

/** Why an index or archive is refused. `key` is the end of a phrase key. */
export class ChartProblem extends Error {
  readonly key: ProblemKey
  readonly vars: Record<string, string | number>
  constructor(key: ProblemKey, vars: Record<string, string | number> = {}) {
    super(key)
    this.key = key
    this.vars = vars
  }
}
export type ProblemKey = 'index-invalid' | 'index-too-many' | 'archive-invalid' | 'archive-too-large' | 'archive-links'

const textIn = (from: Record<string, unknown>, key: string, most: number): string => {
  const value = from[key]
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  return text.replaceAll('\0', '').slice(0, most)
}

const momentOf = (text: string): string | null => {
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** Whether a chart's name is safe as a part of a path. */
export const isChartName = (name: string): boolean =>
  name.length <= 250 && /^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/.test(name) && !/\.\.|\/\//.test(name)

/** Undefined for entries that cannot be deployed: these are left out. */
function versionOf(entry: unknown): IndexedVersion | undefined {
  if (!isObject(entry)) return undefined
  const version = textIn(entry, 'version', 129)
  const urls = entry['urls']
  const url: unknown = Array.isArray(urls) ? urls[0] : undefined
  if (!isVersion(version) || typeof url !== 'string' || url === '' || url.length > 2000) return undefined
  const digest = textIn(entry, 'digest', 100).replace(/^sha256:/, '')
  return {
    version,
    appVersion: textIn(entry, 'appVersion', 100),
    description: textIn(entry, 'description', 500),
    icon: textIn(entry, 'icon', 2000),
    created: momentOf(textIn(entry, 'created', 60)),
    digest: /^[0-9a-f]{64}$/.test(digest) ? digest : '',
    url,
    deprecated: entry['deprecated'] === true,
  }
}

/** A library chart cannot be deployed. */
const isLibrary = (entry: unknown): boolean => isObject(entry) && entry['type'] === 'library'

function parsed(text: string): unknown {
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : load(text, { schema: CORE_SCHEMA })
  } catch {
    throw new ChartProblem('index-invalid')
  }
}

/** The charts of an index.yaml, which may also be written as JSON. Throws ChartProblem. */
export function readIndex(text: string): IndexedChart[] {
  const root = parsed(text)
  const entries = isObject(root) ? root['entries'] : undefined
  if (!isObject(root) || typeof root['apiVersion'] !== 'string' || !(isObject(entries) || entries === null))
    throw new ChartProblem('index-invalid')
  const names = Object.keys(entries ?? {})
  if (names.length > indexLimits.charts)
    throw new ChartProblem('index-too-many', { charts: indexLimits.charts, versions: indexLimits.versions })
  let count = 0
  return names.flatMap((name) => {
    const listed = (entries ?? {})[name]
    if (!isChartName(name) || !Array.isArray(listed)) return []
    count += listed.length
    if (count > indexLimits.versions)
      throw new ChartProblem('index-too-many', { charts: indexLimits.charts, versions: indexLimits.versions })
    const versions = listed.filter((entry) => !isLibrary(entry)).flatMap((entry) => versionOf(entry) ?? [])
    const once = new Map(versions.map((version) => [version.version, version]))
    return chartOf(name, [...once.values()].sort(newestFirst))
  })
}

const newestFirst = (a: IndexedVersion, b: IndexedVersion): number => compareVersions(b.version, a.version)

/** A chart as lists show it: by its newest version that is not a pre-release, or else by the newest one. */
export function chartOf(name: string, versions: readonly IndexedVersion[]): IndexedChart[] {
  const shown = versions.find(({ version }) => !isPreRelease(version)) ?? versions[0]
  return shown === undefined ? [] : [{ name, versions, shown }]
}
