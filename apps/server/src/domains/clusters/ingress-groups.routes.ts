import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import type { Routes } from '../../http/route.ts'
import { listIngressGroups } from './ingress-groups.service.ts'

export const routes: Routes = (route) => {
  route(ingressGroups.list, (ctx, { params }) => listIngressGroups(ctx, params.env))
}
