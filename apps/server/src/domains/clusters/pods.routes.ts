import { pods } from '@gantry/contract/clusters/pods'
import type { Routes } from '../../http/route.ts'
import { listEvents, listPods } from './pods.service.ts'

export const routes: Routes = (route) => {
  route(pods.list, (ctx, { params, query }) => listPods(ctx, params.env, query))
  route(pods.events, (ctx, { params, query }) => listEvents(ctx, params.env, query))
}
