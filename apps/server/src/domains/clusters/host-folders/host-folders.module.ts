import { hostFolders } from '@gantry/contract/clusters/host-folders'
import { defineModule } from '../../../module.ts'
import { closeFolder, foldersOfTeam, listFolders, openFolder } from './host-folders.service.ts'

export const module = defineModule({
  routes(route) {
    route(hostFolders.list, (ctx, { params }) => listFolders(ctx, params.env))
    route(hostFolders.ofTeam, (ctx, { params }) => foldersOfTeam(ctx, params.env, params.teamId))
    route(hostFolders.open, (ctx, { params, body }) => openFolder(ctx, params.env, body))
    route(hostFolders.close, (ctx, { params }) => closeFolder(ctx, params.env, params.id))
  },
})
