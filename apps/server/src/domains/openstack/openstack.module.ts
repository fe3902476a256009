import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import {
  allOpenStacks,
  choicesOf,
  countZones,
  createOpenStack,
  readOpenStack,
  removeOpenStack,
} from './openstack.service.ts'
import { jobs } from './settle.jobs.ts'
import { allZones, createZone, nameIsFree, readZone, removeZone } from './zones.service.ts'

export const module = defineModule({
  routes(route) {
    route(openstack.list, (ctx, { params, query }) => allOpenStacks(ctx, params.env, page({ pageSize: query.limit })))
    route(openstack.create, (ctx, { params, body }) => createOpenStack(ctx, params.env, body))
    route(openstack.get, (ctx, { params }) => readOpenStack(ctx, params.env, params.uuid))
    route(openstack.remove, (ctx, { params }) => removeOpenStack(ctx, params.env, params.uuid))
    route(openstack.check, (ctx, { params }) => countZones(ctx, params.env, params.uuid))
    route(openstack.choices, (ctx, { params, query }) => choicesOf(ctx, params.env, params.uuid, query.project))
    route(zones.list, (ctx, { params, query }) => allZones(ctx, params.env, page({ pageSize: query.limit })))
    route(zones.create, (ctx, { params, body }) => createZone(ctx, params.env, body))
    route(zones.check, (ctx, { params, query }) => nameIsFree(ctx, params.env, query.name))
    route(zones.get, (ctx, { params }) => readZone(ctx, params.env, params.uuid))
    route(zones.remove, (ctx, { params }) => removeZone(ctx, params.env, params.uuid))
  },
  jobs,
})
