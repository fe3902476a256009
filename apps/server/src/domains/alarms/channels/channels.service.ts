import { type AlarmChannel, type AlarmChannelInput, hasAddress } from '@gantry/contract/alarms/channels'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { maskSealed } from '../../../kernel/secrets/secrets.ts'
import { notedReceiver, sealReceiver } from '../../webhooks/public.ts'
import {
  deleteChannel,
  enabledRuleOf,
  findChannel,
  insertChannel,
  listChannels,
  setUsers,
  type StoredChannel,
  updateChannel,
} from './channels.store.ts'
import { tellTest } from './tell.service.ts'

const toChannel = (ctx: Ctx, { lastState, lastAt, lastProblem, teamId: _, ...row }: StoredChannel): AlarmChannel => ({
  ...row,
  secret: maskSealed(row.secret),
  last:
    lastState === null || lastAt === null
      ? null
      : { state: lastState, at: lastAt, problem: lastState === 'sent' ? '' : sayReason(ctx.lang, lastProblem) },
})

async function found(ctx: Ctx, teamId: number, id: number, how?: { lock: boolean }): Promise<StoredChannel> {
  return mustExist(await findChannel(ctx.db, teamId, id, how))
}

export async function readChannels(ctx: Ctx, teamId: number, keyword: string, at: Page): Promise<List<AlarmChannel>> {
  const { items, total } = await listChannels(ctx.db, teamId, keyword, at)
  return toList(
    items.map((row) => toChannel(ctx, row)),
    total,
    at,
  )
}

/** Only kinds that send to a URL have a URL and a secret. */
const sealedOf = (ctx: Ctx, input: AlarmChannelInput, before?: StoredChannel): { url: string; secret: string | null } =>
  hasAddress(input.kind) ? sealReceiver(ctx, input, before) : { url: '', secret: null }

const noted = ({ id: _, revision: __, ...input }: AlarmChannelInput) => ({ ...input, ...notedReceiver(input) })

const taken = (name: string) =>
  brokenConstraint('alarm_channel_name', new Fault('conflict', 'alarms-channel-name-taken', { name }))

async function write(ctx: Ctx, teamId: number, input: AlarmChannelInput): Promise<number> {
  if (input.id === undefined)
    return insertChannel(ctx.db, teamId, { ...input, ...sealedOf(ctx, input) }).catch(taken(input.name))
  const before = await found(ctx, teamId, input.id, { lock: true })
  note(ctx, { before: toChannel(ctx, before) })
  if (input.revision !== undefined && input.revision !== before.revision)
    throw new Fault('conflict', 'alarms-channel-changed', { name: before.name })
  await updateChannel(ctx.db, before.id, { ...input, ...sealedOf(ctx, input, before) }).catch(taken(input.name))
  return before.id
}

export async function saveChannel(ctx: Ctx, teamId: number, given: AlarmChannelInput): Promise<AlarmChannel> {
  const isSent = hasAddress(given.kind)
  // fields of other kinds are dropped, not kept for a later change of kind
  const input = {
    ...given,
    url: isSent ? given.url : '',
    addresses: given.kind === 'mail' ? given.addresses : [],
    users: isSent ? [] : [...new Set(given.users)],
    members: !isSent && given.members,
  }
  note(ctx, { object: input.name, after: noted(input) })
  if (isSent) await ctx.ports.outbound.admit(input.url)
  return inTx(ctx, async (ctx) => {
    const id = await write(ctx, teamId, input)
    if ((await setUsers(ctx.db, teamId, id, input.users)) !== input.users.length)
      throw new Fault('invalid', 'alarms-channel-strangers')
    return toChannel(ctx, await found(ctx, teamId, id))
  })
}

/** Refused while an enabled rule uses it, which would then notify nobody unnoticed; disabled rules lose it. */
export const removeChannel = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, teamId, id, { lock: true })
    note(ctx, { object: before.name, before: toChannel(ctx, before) })
    const rule = await enabledRuleOf(ctx.db, id)
    if (rule) throw new Fault('conflict', 'alarms-channel-in-use', { name: before.name, rule: rule.name })
    await deleteChannel(ctx.db, id).catch(
      brokenConstraint(
        'notification_rule_method_channel',
        new Fault('conflict', 'alarms-channel-told-builds', { name: before.name }),
      ),
    )
    return null
  })

export const testChannel = (ctx: Ctx, teamId: number, id: number): Promise<{ told: number }> =>
  inTx(ctx, async (ctx) => {
    const channel = await found(ctx, teamId, id)
    note(ctx, { object: channel.name })
    const told = await tellTest(ctx, channel, ctx.actor.name)
    if (told === 0) throw new Fault('conflict', 'alarms-channel-empty', { name: channel.name })
    return { told }
  })
