import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { base, edit, limits, revision, view } from './names.ts'
import { Profile } from './profiles.ts'
import { configurationsTopic } from './topics.ts'

/** What was done to the keys of a profile: `create` also stands for a clone. */
export const ConfigAction = z.enum(['create', 'add', 'change', 'delete', 'import', 'return'])
export type ConfigAction = z.infer<typeof ConfigAction>

/** A revision of a profile that changed its keys. */
export const ConfigRevision = z.object({
  revision: z.number().int(),
  action: ConfigAction,
  /** The first of the changed keys. */
  keys: z.array(z.string()),
  /** The number of changed keys. */
  changes: z.number().int(),
  at: z.string(),
  by: z.string(),
})
export type ConfigRevision = z.infer<typeof ConfigRevision>

/** A key that differs from the revision; a return restores it. */
export const ConfigDifference = z.object({
  key: z.string(),
  secret: z.boolean(),
  /** Null: the key did not exist. Secret values are masked. */
  before: z.string().nullable(),
  now: z.string().nullable(),
})
export type ConfigDifference = z.infer<typeof ConfigDifference>

const ofProfile = z.strictObject({ teamId: id, uuid })
const one = z.strictObject({ teamId: id, uuid, revision: id })
const path = `${base}/profiles/:uuid/revisions` as const

/** Not in the specification. */
export const configHistory = {
  list: endpoint({
    method: 'GET',
    path,
    access: view,
    summary: `The last ${limits.revisions} revisions that changed the keys of a profile, the newest first`,
    params: ofProfile,
    query: listQuery({ pageSize: 10 }),
    data: listOf(ConfigRevision),
    topics: [configurationsTopic],
  }),
  compare: endpoint({
    method: 'GET',
    path: `${path}/:revision`,
    access: view,
    summary: 'The keys that are not what they were at a revision',
    params: one,
    data: z.object({ differences: z.array(ConfigDifference), current: z.number().int() }),
    topics: [configurationsTopic],
  }),
  returnTo: endpoint({
    method: 'POST',
    path: `${path}/:revision`,
    access: edit,
    audit: 'config-profile.return',
    summary: 'Make the keys of a profile what they were at a revision; services that read it are rolled out',
    params: one,
    body: z.strictObject({ current: revision }),
    data: Profile,
    topics: [configurationsTopic],
  }),
}
