import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { search } from './namespaces.search.ts'
import {
  listNamespaces,
  listTeamRepositories,
  namespacesInHarbor,
  removeNamespace,
  syncNamespaces,
} from './namespaces.service.ts'
import { teamsOfHarbor } from './namespaces.store.ts'
import { assignProject, createProject, listProjects, removeProject, setPublicity } from './projects.service.ts'

export const module = defineModule({
  routes(route) {
    route(harborProjects.list, (ctx, { params, query }) =>
      listProjects(ctx, params.id, query.keyword ?? '', page(query)),
    )
    route(harborProjects.create, (ctx, { params, body }) => createProject(ctx, params.id, body))
    route(harborProjects.remove, (ctx, { params }) => removeProject(ctx, params.id, params.projectId))
    route(harborProjects.publicity, (ctx, { params, query }) =>
      setPublicity(ctx, params.id, params.projectId, query.public === 'true'),
    )
    route(harborProjects.assign, (ctx, { params, body }) => assignProject(ctx, params.id, body))
    route(harborProjects.ofTeam, (ctx, { params }) => namespacesInHarbor(ctx, params.teamId, params.id))
    route(namespaces.list, (ctx, { params, query }) => listNamespaces(ctx, params.tenantId, query, page(query)))
    route(namespaces.remove, (ctx, { params }) => removeNamespace(ctx, params.tenantId, params.namespaceId))
    route(namespaces.sync, (ctx, { params }) => syncNamespaces(ctx, params.team, params.harbor))
    route(namespaces.repos, (ctx, { params, query }) =>
      listTeamRepositories(ctx, params.teamId, query.keyword ?? '', page(query)),
    )
  },
  owners: [{ kind: 'harbor', teamsOf: (db, id) => teamsOfHarbor(db, Number(id)) }],
  search: [search],
})
