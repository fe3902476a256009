import { alarmRules } from '@gantry/contract/alarms/rules'
import { id } from '@gantry/contract/ids'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { search } from './rules.search.ts'
import {
  acknowledge,
  bindRule,
  bindService,
  changeRule,
  createRule,
  readHistory,
  readHistoryOfService,
  readRule,
  readRules,
  readRulesOfService,
  removeRule,
  silence,
  unbindService,
} from './rules.service.ts'
import { teamOfRule } from './rules.store.ts'

export const module = defineModule({
  routes(route) {
    route(alarmRules.list, (ctx, { params, query }) => readRules(ctx, params.id, query, page(query)))
    route(alarmRules.get, (ctx, { params }) => readRule(ctx, params.alert_id))
    route(alarmRules.create, (ctx, { params, body }) => createRule(ctx, params.team_id, body))
    route(alarmRules.update, (ctx, { body }) => changeRule(ctx, body))
    route(alarmRules.remove, (ctx, { params }) => removeRule(ctx, params.team_id, params.name))
    route(alarmRules.bind, (ctx, { params, body }) => bindRule(ctx, params.alert_id, body))
    route(alarmRules.silence, (ctx, { params, body }) => silence(ctx, params.alert_id, body.minutes))
    route(alarmRules.acknowledge, (ctx, { params }) => acknowledge(ctx, params.alert_id))
    route(alarmRules.history, (ctx, { params, query }) =>
      readHistory(ctx, params.team_id, query.keyword ?? '', page(query)),
    )
    route(alarmRules.ofService, (ctx, { params }) => readRulesOfService(ctx, params))
    route(alarmRules.bindService, (ctx, { params, body }) => bindService(ctx, params, body))
    route(alarmRules.unbindService, (ctx, { params: { ruleId, ...at } }) => unbindService(ctx, at, ruleId))
    route(alarmRules.serviceHistory, (ctx, { params, query }) => readHistoryOfService(ctx, params, page(query)))
  },
  owners: [
    {
      kind: 'alarm-rule',
      teamOf: async (db, text) => {
        const key = id.safeParse(text)
        return key.success ? teamOfRule(db, key.data) : undefined
      },
    },
  ],
  search: [search],
})
