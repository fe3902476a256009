import { type RawBuilder, sql } from 'kysely'

/**
 * What a step of a build deploys is found again by a key: one deployment per step and attempt, however often its agent
 * asks.
 */
const laterAttempt = (key: string): string => `${key} attempt `

/** The key of one attempt at a deployment; that of the first is the one that the previous release reads. */
export const attemptKey = (key: string, attempt: number): string =>
  attempt === 1 ? key : `${laterAttempt(key)}${attempt}`

/** Whether the column `deploy_key` is of an attempt at the deployment. */
export const isAttemptAt = (key: string): RawBuilder<boolean> =>
  sql`(deploy_key = ${key} or starts_with(deploy_key, ${laterAttempt(key)}))`
