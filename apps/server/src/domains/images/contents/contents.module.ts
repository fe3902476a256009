import { contents } from '@gantry/contract/images/contents'
import { repositoryOfId } from '@gantry/contract/images/keys'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getImage, listExternal, listRepositories, listTags } from './contents.service.ts'
import { checkDeletion, removeTag, removeTags, removeTeamTag } from './deletion.service.ts'
import { contentsTeams } from './place.ts'
import { listUnused } from './unused.service.ts'

export const module = defineModule({
  routes(route) {
    route(contents.repositories, (ctx, { params, query }) => listRepositories(ctx, params.id, query, page(query)))
    route(contents.tags, (ctx, { params, query }) => listTags(ctx, params.id, query, page(query)))
    route(contents.external, (ctx, { params, query }) => listExternal(ctx, params.teamId, query, page(query)))
    route(contents.image, (ctx, { params, query }) => getImage(ctx, params, query.platform))
    route(contents.removeTag, (ctx, { params, query }) => removeTag(ctx, params, query))
    route(contents.removeTeamTag, (ctx, { params, query }) => removeTeamTag(ctx, params, query))
    route(contents.check, (ctx, { params, body }) => checkDeletion(ctx, params.repoId, body.tags))
    route(contents.removeTags, (ctx, { params, body }) => removeTags(ctx, params.repoId, body.tags))
    route(contents.unused, (ctx, { params, query }) => listUnused(ctx, params.repoId, query, page(query)))
  },
  owners: [
    { kind: 'registry-contents', teamsOf: (db, id) => contentsTeams(db, Number(id)) },
    {
      kind: 'image-repository',
      teamsOf: async (db, id) => contentsTeams(db, repositoryOfId(id)?.registryId ?? 0),
    },
  ],
})
