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
import { channelsOfRules, receiversOf, type NotifiedChannel } from './channels.store.ts'
import { nameOfTeam } from '../../teams/public.read.ts'

/** A message about one condition of one service. */
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

/** Each round sends at most this many alarms of a rule one by one; the others are summed up in one message. */
const maxAtOnce = 5

interface Letter {
  tone: Tone
  text: Reason
  target: { route: 'containers' | 'monitorRule'; params: Record<string, string | number> }
  path: string
  event: string
  /** What programs read besides the text. */
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

/** Sums up the alarms beyond `maxAtOnce`. */
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

/** The users that a channel reaches now: without those who left the team or may no longer see alarms. */
async function peopleOf(ctx: Ctx, { teamId, users, members }: NotifiedChannel): Promise<number[]> {
  const may = await membersHolding(ctx.db, teamId, 'monitor_alarm_view')
  return may.map(({ id }) => id).filter((id) => members || users.includes(id))
}

/** Runs in the transaction of what it reports, so the message is sent exactly if that commits. */
async function send(ctx: Ctx, channel: NotifiedChannel, letter: Letter): Promise<void> {
  const { text, tone, target, path } = letter
  const key = `${channel.id}:${letter.key}`
  switch (channel.kind) {
    case 'push': {
      const notification = {
        kind: 'alarm',
        tone,
        text,
        teamId: channel.teamId,
        permission: 'monitor_alarm_view',
        target,
      }
      return notify(ctx, await peopleOf(ctx, channel), notification)
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

/** Sends each alarm to the channels of its rule; returns the names of the channels by rule. */
export async function sendAlarms(ctx: Ctx, round: string, alarms: readonly Alarm[]): Promise<Map<number, string[]>> {
  const channels = await channelsOfRules(ctx.db, [...new Set(alarms.map(({ ruleId }) => ruleId))])
  const link = await publicUrl(ctx)
  for (const some of Map.groupBy(alarms, ({ ruleId, message }) => `${ruleId} ${message}`).values()) {
    const [first] = some
    const letters = some.slice(0, maxAtOnce).map((alarm) => letterOf(alarm, round, link))
    if (first && some.length > maxAtOnce) letters.push(restOf(first, some.length - maxAtOnce, round, link))
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
  /** Rules that watch something there and are not silenced. */
  rules: readonly number[]
}

/** Notifies each channel of these rules once that a cluster delivers no figures, or delivers them again. */
export async function sendGap(ctx: Ctx, blind: Blind): Promise<void> {
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

/** Sends an event other than an alarm to chats and programs of a team, in the transaction of what it reports. */
export async function tellReceivers(
  ctx: Ctx,
  teamId: number,
  ids: readonly number[],
  event: string,
  content: object,
): Promise<void> {
  for (const id of await receiversOf(ctx.db, teamId, ids)) await tellAlarmChannel(ctx, id, event, content)
}

/** Sends a test message; returns how many receivers it has. */
export async function tellTest(ctx: Ctx, channel: NotifiedChannel, by: string): Promise<number> {
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
