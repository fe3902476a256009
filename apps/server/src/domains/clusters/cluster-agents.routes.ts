import { environments } from '@gantry/contract/clusters/environments'
import type { Routes } from '../../http/route.ts'
import { makeManifest } from './cluster-agents.service.ts'

export const routes: Routes = (route) => {
  route(environments.manifest, (ctx, { params }) => makeManifest(ctx, params.env))
}
