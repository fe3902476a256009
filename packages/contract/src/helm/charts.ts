import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { chartName, chartVersion } from './names.ts'
import { repositoriesTopic } from './topics.ts'

export const Chart = z.object({
  name: z.string(),
  /** The newest version that is not a pre-release; if there is none, the newest. */
  version: z.string(),
  appVersion: z.string(),
  description: z.string(),
  deprecated: z.boolean(),
  versions: z.number().int(),
})
export type Chart = z.infer<typeof Chart>

export const ChartVersion = z.object({
  version: z.string(),
  appVersion: z.string(),
  created: z.string().nullable(),
  deprecated: z.boolean(),
})
export type ChartVersion = z.infer<typeof ChartVersion>

/** The contents of a version's archive. */
export const InspectedChart = z.object({
  name: z.string(),
  version: z.string(),
  appVersion: z.string(),
  description: z.string(),
  home: z.string(),
  /** The icon as a data URL, fetched by the platform; empty if there is none. */
  icon: z.string(),
  /** Plain text; none of it is rendered as HTML. */
  readme: z.string(),
  /** values.yaml, including its comments. */
  values: z.string(),
  /** The text of values.schema.json; empty if there is none. */
  schema: z.string(),
  dependencies: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Names of the custom resource definitions in the chart. */
  definitions: z.array(z.string()),
})
export type InspectedChart = z.infer<typeof InspectedChart>

const access = { team: 'tenantId', permission: 'helm_chart_view' } as const

export const charts = {
  list: endpoint({
    method: 'GET',
    path: '/helm/api/charts/repo/:repoId/tenant/:tenantId',
    access,
    summary: 'Charts of a repository',
    params: z.strictObject({ repoId: id, tenantId: id }),
    query: listQuery({ pageSize: 20 }).extend({ cluster: uuid.optional() }),
    data: listOf(Chart),
    topics: [repositoriesTopic],
  }),
  versions: endpoint({
    method: 'GET',
    path: '/helm/api/charts/:chartName/repo/:repoId/tenant/:tenantId/versions',
    access,
    summary: 'Versions of a chart, the newest first',
    params: z.strictObject({ chartName, repoId: id, tenantId: id }),
    query: listQuery({ pageSize: 20 }),
    data: listOf(ChartVersion),
    topics: [repositoriesTopic],
  }),
  inspect: endpoint({
    method: 'GET',
    path: '/helm/api/charts/:chartName/repo/:repoName/tenant/:tenantId/versions/:version/inspect',
    access,
    summary: 'What a version of a chart holds; the repository is named by its name',
    params: z.strictObject({
      chartName,
      repoName: z.string().min(1, 'name-required').max(60, 'name-too-long'),
      tenantId: id,
      version: chartVersion,
    }),
    data: InspectedChart,
  }),
}

/** A version of a chart, as listed by an index or a registry. */
export interface IndexedVersion {
  version: string
  appVersion: string
  description: string
  icon: string
  created: string | null
  /** SHA-256 of the archive in hexadecimal digits; empty if the index gives none. */
  digest: string
  /** The address of the archive: absolute, or relative to the repository. */
  url: string
  deprecated: boolean
}

export interface IndexedChart {
  name: string
  /** The newest version first. */
  versions: readonly IndexedVersion[]
  /** The version that represents the chart in a list. */
  shown: IndexedVersion
}
