import { environments } from '@gantry/contract/clusters/environments'
import type { Routes } from '../../http/route.ts'
import { rechecked } from './check.service.ts'
import {
  allEnvironments,
  changeEnvironment,
  checkCredentials,
  createEnvironment,
  emptyEnvironment,
  readEnvironment,
  removeEnvironment,
  setAssigned,
  teamEnvironments,
} from './environments.service.ts'

export const routes: Routes = (route) => {
  route(environments.list, (ctx, { query }) => allEnvironments(ctx, query))
  route(environments.ofTeam, (ctx, { params }) => teamEnvironments(ctx, params.teamId))
  route(environments.create, (ctx, { body }) => createEnvironment(ctx, body))
  route(environments.check, (ctx, { body }) => checkCredentials(ctx, body))
  route(environments.recheck, (ctx, { params }) => rechecked(ctx, params.uuid))
  route(environments.get, (ctx, { params }) => readEnvironment(ctx, params.uuid))
  route(environments.update, (ctx, { params, body }) => changeEnvironment(ctx, params.uuid, body))
  route(environments.remove, (ctx, { params, query }) =>
    query.action === 'complete' ? emptyEnvironment(ctx, params.uuid) : removeEnvironment(ctx, params.uuid),
  )
  route(environments.assign, (ctx, { params, query }) =>
    setAssigned(ctx, params.env, query.tenant, query.assigned === 'true'),
  )
}
