import { id } from '@gantry/contract/ids'
import { teams } from '@gantry/contract/teams/teams'
import { teamTopic } from '@gantry/contract/teams/topics'
import { serve } from '../../../http/push/sources.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { addMembers, assignRole, removeMember } from '../members/members.service.ts'
import { listMembers } from './teams.read.ts'
import { findTeamName } from './teams.store.ts'
import { candidates, changeTeam, createTeam, getTeam, removeTeam, visibleTeamsOf } from './teams.service.ts'
import { search } from './teams.search.ts'

export const module = defineModule({
  routes(route) {
    route(teams.list, (ctx, { query }) => visibleTeamsOf(ctx, query))
    route(teams.brief, (ctx, { query }) => visibleTeamsOf(ctx, query))
    route(teams.create, (ctx, { body }) => createTeam(ctx, body))
    route(teams.get, (ctx, { params }) => getTeam(ctx, params.id))
    route(teams.update, (ctx, { params, body }) => changeTeam(ctx, params.id, body))
    route(teams.remove, (ctx, { params, query }) => removeTeam(ctx, params.id, query.confirm))
    route(teams.members, (ctx, { params, query }) => listMembers(ctx.db, params.id, query, page(query)))
    route(teams.others, (ctx, { params, query }) => candidates(ctx, params.id, query))
    route(teams.addMembers, (ctx, { params, query, body }) => addMembers(ctx, params.id, body, query.roleId ?? null))
    route(teams.removeMember, (ctx, { params }) => removeMember(ctx, params.id, params.userId))
    route(teams.assignRole, (ctx, { params, body }) => assignRole(ctx, params.id, params.userId, body))
  },
  owners: [
    {
      kind: 'team',
      teamOf: async (db, text) => {
        const key = id.safeParse(text)
        return key.success && (await findTeamName(db, key.data)) ? key.data : undefined
      },
    },
  ],
  topics: [serve(teamTopic)],
  search: [search],
})
