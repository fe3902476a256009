import type { buildFilters, builds, BuildSummary } from '@gantry/contract/pipelines/builds'
import type { EndedWithin, TeamBuild } from '@gantry/contract/pipelines/builds/team-builds'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import type { z } from 'zod'
import { anyContains, anyOf, onlyPage, withTotal } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { summaries, summary } from './builds.read.ts'

type CommonFilter = Pick<z.infer<typeof builds.list.query>, keyof typeof buildFilters | 'keyword'>

export interface BuildFilter extends CommonFilter {
  /** Limits the end of a build, in epoch milliseconds, with `endTime` excluded; 0 is no limit. */
  startTime: number
  endTime: number
  /** The outcome of the deploy steps. */
  deployment?: 'success' | 'failed' | undefined
}

/** The filters that compare a column for equality. */
const columnsFilter = ({ state = 'all', branch = '', cause = 'all', author = '' }: CommonFilter) => ({
  ...(state !== 'all' && { 'build.state': state }),
  ...(branch !== '' && { 'build.branch': branch }),
  ...(cause !== 'all' && { 'build.cause': cause }),
  ...(author !== '' && { 'build.user_cause': author }),
})

const isNarrowed = (keyword: string, filter: CommonFilter): boolean =>
  keyword !== '' || Object.keys(columnsFilter(filter)).length > 0

/** The columns that a keyword is searched in. */
const searched = ['build.branch', 'build.tag', 'build.commit', 'build.commit_message', 'build.user_cause']

export async function listBuilds(
  db: Db,
  lang: Lang,
  pipelineId: number,
  { keyword = '', ...filter }: BuildFilter,
  at: Page,
): Promise<List<BuildSummary>> {
  const matching = db
    .selectFrom('build')
    .where('build.pipeline_id', '=', pipelineId)
    .where((is) => is.and(columnsFilter(filter)))
    .$if(filter.startTime > 0, (q) => q.where('build.ended_at', '>=', new Date(filter.startTime).toISOString()))
    .$if(filter.endTime > 0, (q) => q.where('build.ended_at', '<', new Date(filter.endTime).toISOString()))
    .$if(filter.deployment !== undefined, (q) => q.where('build.deployment', '=', filter.deployment ?? null))
    .$if(keyword !== '', (q) => q.where(anyContains(searched, keyword)))
  const onPage = matching.select('build.number').orderBy('build.number', 'desc').$call(onlyPage(at))
  const page = summaries(db)
    .where('build.pipeline_id', '=', pipelineId)
    .where(anyOf('build.number', onPage))
    .orderBy('build.number', 'desc')
  const { startTime, endTime, deployment } = filter
  const narrowed = isNarrowed(keyword, filter) || startTime > 0 || endTime > 0 || deployment !== undefined
  const { rows, total } = await withTotal(db, page, matching, at, { narrowed })
  return toList(
    rows.map((row) => summary(lang, row)),
    total,
    at,
  )
}

export interface TeamBuildFilter extends CommonFilter {
  ended?: EndedWithin | undefined
}

/** The builds of all of a team's pipelines; a keyword is also searched in the pipelines' names. */
export async function listTeamBuilds(
  db: Db,
  lang: Lang,
  teamId: number,
  { keyword = '', ended, ...filter }: TeamBuildFilter,
  at: Page,
): Promise<List<TeamBuild>> {
  const matching = db
    .selectFrom('build')
    .where('build.team_id', '=', teamId)
    .where((is) => is.and(columnsFilter(filter)))
    .$if(ended !== undefined, (q) => q.where(sql<boolean>`build.ended_at > now() - ${`1 ${ended ?? ''}`}::interval`))
    .$if(keyword !== '', (q) =>
      q.where((either) =>
        either.or([
          anyContains(searched, keyword),
          either(
            'build.pipeline_id',
            'in',
            either
              .selectFrom('pipeline')
              .select('pipeline.id')
              .where('pipeline.team_id', '=', teamId)
              .where(anyContains(['pipeline.name'], keyword)),
          ),
        ]),
      ),
    )
  const onPage = matching.select('build.id').orderBy('build.id', 'desc').$call(onlyPage(at))
  const page = summaries(db)
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
    .select(['pipeline.name as pipelineName', 'pipeline.group_id as appId', 'pipeline_group.name as groupName'])
    .where(anyOf('build.id', onPage))
    .orderBy('build.id', 'desc')
  const narrowed = isNarrowed(keyword, filter) || ended !== undefined
  const { rows, total } = await withTotal(db, page, matching, at, { narrowed })
  return toList(
    rows.map(({ pipelineName, appId, groupName, ...row }) => ({
      ...summary(lang, row),
      pipelineName,
      appId,
      groupName,
    })),
    total,
    at,
  )
}

/** The branches and users of the newest builds, by name, as choices for the filters of a list. */
export async function buildChoices(
  db: Db,
  teamId: number,
  pipelineId?: number,
): Promise<{ branches: string[]; authors: string[] }> {
  const newest = await db
    .selectFrom('build')
    .select(['branch', 'user_cause as author'])
    .where('team_id', '=', teamId)
    .$if(pipelineId !== undefined, (q) => q.where('pipeline_id', '=', pipelineId ?? 0))
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
  const named = (all: string[]) => [...new Set(all)].filter((name) => name !== '').toSorted()
  return { branches: named(newest.map(({ branch }) => branch)), authors: named(newest.map(({ author }) => author)) }
}
