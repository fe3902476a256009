import { type RawBuilder, sql } from 'kysely'

/**
 * What a step of a build deploys is found again by a key: one deployment per step and attempt, however often its agent
 * asks. `digest`: of the image, where another one is another deployment.
 */
export const deployKey = (buildId: number, step: number, digest?: string): string =>
  [`build ${buildId} step ${step}`, ...(digest === undefined ? [] : [digest])].join(' ')

/** Whether a column is the key of a deployment of the build. */
export const isOfBuild = (column: string, buildId: number): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like ${`build ${buildId} step %`}`

/** The build of whose deployment a column is the key; null where it is another's. */
export const buildOfKey = (column: string): RawBuilder<number | null> =>
  sql`substring(${sql.ref(column)} from '^build ([0-9]+) ')::int`
/** The step of that build. */
export const stepOfKey = (column: string): RawBuilder<number> => sql`split_part(${sql.ref(column)}, ' ', 4)::int`

const laterAttempt = (key: string): string => `${key} attempt `

/** The key of one attempt at a deployment; that of the first is the one that the previous release reads. */
export const attemptKey = (key: string, attempt: number): string =>
  attempt === 1 ? key : `${laterAttempt(key)}${attempt}`

/** Whether the column `deploy_key` is of an attempt at the deployment. */
export const isAttemptAt = (key: string): RawBuilder<boolean> =>
  sql`(deploy_key = ${key} or starts_with(deploy_key, ${laterAttempt(key)}))`
