import { type RawBuilder, sql } from 'kysely'

/**
 * Identifies a deployment by a step of a build: one for each step and attempt, however often its agent calls. `digest`
 * is that of the image, if another image is another deployment.
 */
export const deployKey = (buildId: number, step: number, digest?: string): string =>
  [`build ${buildId} step ${step}`, ...(digest === undefined ? [] : [digest])].join(' ')

/** Whether a column is the key of a deployment of the build. */
export const isOfBuild = (column: string, buildId: number): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like ${`build ${buildId} step %`}`

/** The build in a column with deployment keys; null for other keys. */
export const buildOfKey = (column: string): RawBuilder<number | null> =>
  sql`substring(${sql.ref(column)} from '^build ([0-9]+) ')::int`
/** The step in such a column. */
export const stepOfKey = (column: string): RawBuilder<number> => sql`split_part(${sql.ref(column)}, ' ', 4)::int`

const laterAttempt = (key: string): string => `${key} attempt `

/** The key of one attempt at a deployment; the key of the first is the one that the previous release reads. */
export const attemptKey = (key: string, attempt: number): string =>
  attempt === 1 ? key : `${laterAttempt(key)}${attempt}`

/** Whether the column `deploy_key` is of an attempt at the deployment. */
export const isAttemptAt = (key: string): RawBuilder<boolean> =>
  sql`(deploy_key = ${key} or starts_with(deploy_key, ${laterAttempt(key)}))`
