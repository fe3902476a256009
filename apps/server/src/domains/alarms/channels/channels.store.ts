import { type AlarmChannelInput, ChannelKind, hasAddress } from '@gantry/contract/alarms/channels'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import type { Page } from '../../../kernel/paging.ts'
import { memberRows } from '../../teams/public.read.ts'
import { webhookDeliveryRows } from '../../webhooks/public.read.ts'

const users = sql<number[]>`array(select account_id from alarm_channel_user as one
  where one.channel_id = channel.id order by account_id)`.as('users')

/** What it takes to send a message to a channel. */
export interface NotifiedChannel {
  id: number
  teamId: number
  name: string
  kind: ChannelKind
  addresses: string[]
  users: number[]
  members: boolean
  language: Lang
}

const recipientColumns = [
  'channel.id',
  'channel.team_id as teamId',
  'channel.name',
  'channel.kind',
  'channel.addresses',
  'channel.members',
  'channel.language',
] as const

export async function channelsOfRules(db: Db, ruleIds: readonly number[]): Promise<Map<number, NotifiedChannel[]>> {
  const rows = await db
    .selectFrom('alarm_rule_channel as given')
    .innerJoin('alarm_channel as channel', 'channel.id', 'given.channel_id')
    .select(recipientColumns)
    .select(users)
    .select('given.rule_id as ruleId')
    .where(sql<boolean>`given.rule_id = any(${[...ruleIds]}::int[])`)
    .orderBy('channel.id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ ruleId }) => ruleId)].map(([rule, all]) => [
      rule,
      all.map(({ ruleId: _, ...one }) => one),
    ]),
  )
}

const rows = (db: Db, teamId: number) => db.selectFrom('alarm_channel as channel').where('channel.team_id', '=', teamId)

const selectChannels = (of: ReturnType<typeof rows>) =>
  of
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom(webhookDeliveryRows.as('newest'))
          .whereRef('newest.alarm_channel_id', '=', 'channel.id')
          .select(['newest.state', 'newest.created_at', 'newest.problem'])
          .orderBy('newest.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(recipientColumns)
    .select(users)
    .select(['channel.url', 'channel.secret', 'channel.revision', 'channel.updated_at as updatedAt'])
    .select(['last.state as lastState', 'last.created_at as lastAt', 'last.problem as lastProblem'])
    .select(
      sql<number>`(select count(*) from alarm_rule_channel as given where given.channel_id = channel.id)`.as('used'),
    )

export async function listChannels(db: Db, teamId: number, keyword: string, at: Page) {
  const of = rows(db, teamId).$if(keyword !== '', (q) => q.where(anyContains(['channel.name', 'channel.url'], keyword)))
  const items = await selectChannels(of).orderBy(byName('channel.name')).limit(at.limit).offset(at.offset).execute()
  return { items, total: await countMatches(db, of) }
}

const receivers = ChannelKind.options.filter(hasAddress)

/** Those of the given channels that belong to the team and send to a URL. */
export const receiversOf = async (db: Db, teamId: number, ids: readonly number[]): Promise<number[]> =>
  ids.length === 0
    ? []
    : (await rows(db, teamId).select('id').where('id', 'in', ids).where('kind', 'in', receivers).execute()).map(
        ({ id }) => id,
      )

/** With `lock` the row stays locked until the transaction ends. */
export const findChannel = (db: Db, teamId: number, id: number, { lock = false } = {}) =>
  selectChannels(rows(db, teamId))
    .where('channel.id', '=', id)
    .$if(lock, (q) => q.forUpdate('channel'))
    .executeTakeFirst()
export type StoredChannel = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** `secret` is encrypted; null if there is none. */
type SealedChannel = Omit<AlarmChannelInput, 'secret'> & { secret: string | null }

const values = ({ name, kind, addresses, members, url, secret, language }: SealedChannel) => ({
  name,
  kind,
  addresses: [...new Set(addresses)],
  members,
  url,
  secret,
  language,
})

export const insertChannel = async (db: Db, teamId: number, input: SealedChannel): Promise<number> =>
  (
    await db
      .insertInto('alarm_channel')
      .values({ team_id: teamId, ...values(input) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateChannel = (db: Db, id: number, input: SealedChannel) =>
  db
    .updateTable('alarm_channel')
    .set({ ...values(input), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** Keeps only members of the team; returns how many. */
export async function setUsers(db: Db, teamId: number, channelId: number, userIds: readonly number[]): Promise<number> {
  await db.deleteFrom('alarm_channel_user').where('channel_id', '=', channelId).execute()
  const { numAffectedRows } = await sql`
    insert into alarm_channel_user (channel_id, account_id)
    select ${channelId}::int, account_id from ${memberRows} team_member
    where team_id = ${teamId} and account_id = any(${[...userIds]}::int[])
    order by account_id`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The first enabled rule that notifies this channel. */
export const enabledRuleOf = (db: Db, channelId: number) =>
  db
    .selectFrom('alarm_rule_channel as given')
    .innerJoin('alarm_rule as rule', 'rule.id', 'given.rule_id')
    .select('rule.name')
    .where('given.channel_id', '=', channelId)
    .where('rule.enabled', '=', true)
    .orderBy(byName('rule.name'))
    .limit(1)
    .executeTakeFirst()

export const deleteChannel = (db: Db, id: number) => db.deleteFrom('alarm_channel').where('id', '=', id).execute()
