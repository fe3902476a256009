import { zones } from '@gantry/contract/openstack/zones'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import { allZones, createZone, nameIsFree, readZone, removeZone } from './zones.service.ts'

export const routes: Routes = (route) => {
  route(zones.list, (ctx, { params, query }) => allZones(ctx, params.env, page({ pageSize: query.limit })))
  route(zones.create, (ctx, { params, body }) => createZone(ctx, params.env, body))
  route(zones.check, (ctx, { params, query }) => nameIsFree(ctx, params.env, query.name))
  route(zones.get, (ctx, { params }) => readZone(ctx, params.env, params.uuid))
  route(zones.remove, (ctx, { params }) => removeZone(ctx, params.env, params.uuid))
}
