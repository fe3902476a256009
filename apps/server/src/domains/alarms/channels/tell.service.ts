import { hasAddress } from '@gantry/contract/alarms/channels'
import type { Condition } from '@gantry/contract/alarms/conditions'
import type { Tone } from '@gantry/contract/notifications/notifications'
import { membersHolding } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type Reason, sayReason } from '../../../kernel/phrase.ts'
import { notify } from '../../notifications/public.ts'
import { publicUrl, sendMail } from '../../settings/public.ts'
import { pathOfService } from '../../stacks/public.ts'
import { tellAlarmChannel } from '../../webhooks/public.ts'
import type { BlindReason, Named } from '../evaluation/evaluate.store.ts'
import type { Message } from '../evaluation/machine.ts'
import { channelsOfRules, receiversOf, type ToldChannel } from './channels.store.ts'
import { nameOfTeam } from '../../teams/public.read.ts'

/** What a channel is told of one condition about one service. */
export interface Alarm {
  message: Message
  ruleId: number
  ruleName: string
  teamId: number
  service: Named
  condition: Condition
  value: number | null
  since: string
}

/** So many alarms of a rule are told one by one in a round; of the rest, that there are more. */
const mostAtOnce = 5

interface Letter {
  tone: Tone
  text: Reason
  target: { route: 'containers' | 'monitorRule'; params: Record<string, string | number> }
  path: string
  event: string
  /** What a program reads beside the text. */
  content: object
  key: string
}

const rounded = (value: number | null): number => Math.round((value ?? 0) * 10) / 10

const targetOf = (service: Named): Letter['target'] => ({
  route: 'containers',
  params: {
    team_id: service.teamId,
    env_id: service.envId,
    stack_id: service.stackId,
    stack_uuid: service.stackUuid,
    stack_name: service.stackName,
    service_id: service.id,
    service_name: service.name,
    service_type: service.type,
    from: 'appcenter',
  },
})

const rulesPath = (teamId: number): string => `/teams/${teamId}/rule`

function letterOf(alarm: Alarm, round: string, link: string): Letter {
  const { message, ruleId, ruleName, service, condition, value, since } = alarm
  const { metric, operator, threshold, severity } = condition
  return {
    tone: message === 'resolved' ? 'ok' : severity === 'critical' ? 'bad' : 'warn',
    text: {
      key: message === 'resolved' ? 'alarms-told-resolved' : `alarms-told-${message}-${severity}`,
      vars: { service: service.name, stack: service.stackName, cluster: service.cluster, rule: ruleName },
      cause: { key: `alarms-told-${metric}`, vars: { value: rounded(value), operator, threshold } },
    },
    target: targetOf(service),
    path: pathOfService(service),
    event: `alarm.${message}`,
    content: {
      rule: { id: ruleId, name: ruleName },
      service: { id: service.id, name: service.name, stack: service.stackName, cluster: service.cluster },
      condition,
      value,
      since,
      url: `${link}${pathOfService(service)}`,
    },
    key: `${round}:${ruleId}:${service.id}:${metric}:${operator}:${threshold}:${severity}`,
  }
}

/** Those beyond what is told one by one. */
const restOf = (alarm: Alarm, count: number, round: string, link: string): Letter => ({
  tone: alarm.message === 'resolved' ? 'ok' : 'bad',
  text: {
    key: alarm.message === 'resolved' ? 'alarms-told-more-resolved' : 'alarms-told-more',
    vars: { count, rule: alarm.ruleName },
  },
  target: { route: 'monitorRule', params: { team_id: alarm.teamId } },
  path: rulesPath(alarm.teamId),
  event: `alarm.${alarm.message}`,
  content: {
    rule: { id: alarm.ruleId, name: alarm.ruleName },
    more: count,
    url: `${link}${rulesPath(alarm.teamId)}`,
  },
  key: `${round}:${alarm.ruleId}:${alarm.message}:more`,
})

/** Whom a channel means now: who has left, or may not see alarms any more, is not told. */
async function peopleOf(ctx: Ctx, { teamId, users, members }: ToldChannel): Promise<number[]> {
  const may = await membersHolding(ctx.db, teamId, 'monitor_alarm_view')
  return may.map(({ id }) => id).filter((id) => members || users.includes(id))
}

/** In the transaction of what it tells of: it is told exactly if that commits. */
async function send(ctx: Ctx, channel: ToldChannel, letter: Letter): Promise<void> {
  const { text, tone, target, path } = letter
  const key = `${channel.id}:${letter.key}`
  switch (channel.kind) {
    case 'push': {
      const told = { kind: 'alarm', tone, text, teamId: channel.teamId, permission: 'monitor_alarm_view', target }
      return notify(ctx, await peopleOf(ctx, channel), told)
    }
    case 'mail': {
      const order = { template: 'alarm' as const, vars: { text }, path, key }
      for (const to of await peopleOf(ctx, channel)) await sendMail(ctx, { ...order, to })
      for (const address of channel.addresses)
        await sendMail(ctx, { ...order, to: { address, lang: channel.language } })
      return
    }
    default:
      return tellAlarmChannel(ctx, channel.id, letter.event, {
        text: sayReason(channel.language, text),
        team: { id: channel.teamId, name: await nameOfTeam(ctx.db, channel.teamId) },
        ...letter.content,
      })
  }
}

/** Tells each alarm to the channels of its rule; returns their names by rule. */
export async function tellAlarms(ctx: Ctx, round: string, alarms: readonly Alarm[]): Promise<Map<number, string[]>> {
  const channels = await channelsOfRules(ctx.db, [...new Set(alarms.map(({ ruleId }) => ruleId))])
  const link = await publicUrl(ctx)
  for (const some of Map.groupBy(alarms, ({ ruleId, message }) => `${ruleId} ${message}`).values()) {
    const [first] = some
    const letters = some.slice(0, mostAtOnce).map((alarm) => letterOf(alarm, round, link))
    if (first && some.length > mostAtOnce) letters.push(restOf(first, some.length - mostAtOnce, round, link))
    for (const channel of channels.get(first?.ruleId ?? 0) ?? [])
      for (const letter of letters) await send(ctx, channel, letter)
  }
  return new Map([...channels].map(([rule, all]) => [rule, all.map(({ name }) => name)]))
}

interface Blind {
  teamId: number
  environment: string
  cluster: string
  what: BlindReason
  isThere: boolean
  round: string
  /** Those that watch something there and are not silenced. */
  rules: readonly number[]
}

/** Tells each channel of these rules once that a cluster gives no figures, or gives them again. */
export async function tellBlind(ctx: Ctx, blind: Blind): Promise<void> {
  const { teamId, environment, cluster, what, isThere, round, rules } = blind
  const path = rulesPath(teamId)
  const letter: Letter = {
    tone: isThere ? 'ok' : 'warn',
    text: { key: `alarms-told-${what}-${isThere ? 'back' : 'gone'}`, vars: { cluster } },
    target: { route: 'monitorRule', params: { team_id: teamId } },
    path,
    event: isThere ? 'alarm.cluster-back' : 'alarm.cluster-gone',
    content: { cluster: { uuid: environment, name: cluster }, url: `${await publicUrl(ctx)}${path}` },
    key: `${round}:${environment}:${what}:${isThere}`,
  }
  const all = [...(await channelsOfRules(ctx.db, rules)).values()].flat()
  for (const channel of new Map(all.map((one) => [one.id, one])).values()) await send(ctx, channel, letter)
}

/** Tells chats and programs of a team of something else than alarms, in the transaction of what it tells of. */
export async function tellReceivers(
  ctx: Ctx,
  teamId: number,
  ids: readonly number[],
  event: string,
  content: object,
): Promise<void> {
  for (const id of await receiversOf(ctx.db, teamId, ids)) await tellAlarmChannel(ctx, id, event, content)
}

/** A message that says only that it is a test. */
export async function tellTest(ctx: Ctx, channel: ToldChannel, by: string): Promise<number> {
  const path = rulesPath(channel.teamId)
  await send(ctx, channel, {
    tone: 'info',
    text: { key: 'alarms-told-test', vars: { channel: channel.name, by } },
    target: { route: 'monitorRule', params: { team_id: channel.teamId } },
    path,
    event: 'alarm.test',
    content: { url: `${await publicUrl(ctx)}${path}` },
    key: `test:${ctx.requestId}`,
  })
  if (hasAddress(channel.kind)) return 1
  const people = (await peopleOf(ctx, channel)).length
  return channel.kind === 'mail' ? people + channel.addresses.length : people
}
