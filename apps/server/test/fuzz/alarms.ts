import { alarmChannels } from '@gantry/contract/alarms/channels'
import type { Condition } from '@gantry/contract/alarms/conditions'
import { alarmRules } from '@gantry/contract/alarms/rules'
import { alarmTemplates } from '@gantry/contract/alarms/templates'
import type { Thing } from './pool.ts'
import type { Place, Set } from './story.ts'

const busy: Condition = { metric: 'cpu_percent', operator: '>', threshold: 90, for: 5, severity: 'warning' }

/** Rules that watch a service and its stack, their shared conditions, and their channels. */
export async function watch({ run, world }: Set, { side, leader, team }: Place, ofService: Thing): Promise<void> {
  const { stack = 0, service = 0, env = '' } = ofService.values
  const within: Thing = { side, values: { team } }
  const params = { team_id: team }
  const fresh = () => run.fresh(side)
  const saveTemplate = (more: { id?: number } = {}) =>
    run.make(leader, alarmTemplates.save, { params, body: { name: fresh(), rules: [busy], ...more } }, within)
  const saveChannel = (more: { id?: number } = {}) => {
    const body = {
      name: fresh().slice(0, 15),
      kind: 'webhook' as const,
      url: world.outside.registryUrl,
      secret: run.secret(),
      ...more,
    }
    return run.make(leader, alarmChannels.save, { params, body }, within)
  }
  const [template, spareTemplate] = [await saveTemplate(), await saveTemplate()]
  await saveTemplate({ id: template.id })
  await run.make(leader, alarmTemplates.remove, { params: { ...params, ID: spareTemplate.id } }, within)
  const [channel, spareChannel] = [await saveChannel(), await saveChannel()]
  await run.make(leader, alarmChannels.test, { params: { ...params, ID: channel.id } }, within)
  await run.make(leader, alarmChannels.remove, { params: { ...params, ID: spareChannel.id } }, within)
  const ofStack = { resource: 'stack' as const, id: Number(stack) }
  const rule = { rules: [busy], templateId: template.id, maps: [ofStack], channels: [channel.id] }
  const made = await run.make(leader, alarmRules.create, { params, body: { ...rule, name: fresh() } }, within)
  const ofRule: Thing = { side, values: { team, alarmRule: made.id, alarmRuleName: made.name } }
  const one = { params: { alert_id: made.id } }
  await run.make(leader, alarmRules.update, { body: { ...rule, name: made.name, id: made.id } }, ofRule)
  await run.make(leader, alarmRules.bind, { ...one, body: { maps: [ofStack] } }, ofRule)
  await run.make(leader, alarmRules.silence, { ...one, body: { minutes: 5 } }, ofRule)
  const watched = { t: team, e: String(env), s: Number(stack), svc: Number(service) }
  const both: Thing = { side, values: { ...ofService.values, ...ofRule.values } }
  await run.make(leader, alarmRules.bindService, { params: watched, body: { maps: [made.id] } }, both)
  await run.make(leader, alarmRules.unbindService, { params: { ...watched, ruleId: made.id } }, both)
  // kept, so that the effects of random calls are watched
  run.pool.add(both)
  const spare = await run.make(leader, alarmRules.create, { params, body: { ...rule, name: fresh() } }, within)
  await run.make(leader, alarmRules.remove, { params: { ...params, name: spare.name } }, within)
}
