import { harbors } from '@gantry/contract/harbor/servers'
import { supportedVersions } from '@gantry/contract/harbor/versions'
import { defineModule } from '../../../module.ts'
import { search } from './servers.search.ts'
import {
  changeHarbor,
  createHarbor,
  infoOf,
  listHarbors,
  makeDefault,
  offerSandbox,
  readHarbor,
  removeHarbor,
  verifyHarbor,
} from './servers.service.ts'

export const module = defineModule({
  routes(route) {
    route(harbors.list, listHarbors)
    route(harbors.create, (ctx, { body }) => createHarbor(ctx, body))
    route(harbors.verify, (ctx, { body }) => verifyHarbor(ctx, body))
    route(harbors.versions, () => [...supportedVersions])
    route(harbors.get, (ctx, { params }) => readHarbor(ctx, params.id))
    route(harbors.update, (ctx, { params, body }) => changeHarbor(ctx, params.id, body))
    route(harbors.remove, (ctx, { params }) => removeHarbor(ctx, params.id))
    route(harbors.makeDefault, (ctx, { params }) => makeDefault(ctx, params.id))
    route(harbors.info, (ctx, { params }) => infoOf(ctx, params.id))
  },
  search: [search],
  onStart: { order: 20, run: offerSandbox },
})
