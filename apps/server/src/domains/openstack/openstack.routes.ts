import { openstack } from '@gantry/contract/openstack/openstack'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import {
  allOpenStacks,
  choicesOf,
  countZones,
  createOpenStack,
  readOpenStack,
  removeOpenStack,
} from './openstack.service.ts'

export const routes: Routes = (route) => {
  route(openstack.list, (ctx, { params, query }) => allOpenStacks(ctx, params.env, page({ pageSize: query.limit })))
  route(openstack.create, (ctx, { params, body }) => createOpenStack(ctx, params.env, body))
  route(openstack.get, (ctx, { params }) => readOpenStack(ctx, params.env, params.uuid))
  route(openstack.remove, (ctx, { params }) => removeOpenStack(ctx, params.env, params.uuid))
  route(openstack.check, (ctx, { params }) => countZones(ctx, params.env, params.uuid))
  route(openstack.choices, (ctx, { params, query }) => choicesOf(ctx, params.env, params.uuid, query.project))
}
