import { teams } from '@gantry/contract/teams/teams'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import { addMembers, assignRole, removeMember } from './members.service.ts'
import { listMembers } from './teams.read.ts'
import { candidates, changeTeam, createTeam, getTeam, removeTeam, visibleTeamsOf } from './teams.service.ts'

export const routes: Routes = (route) => {
  route(teams.list, (ctx, { query }) => visibleTeamsOf(ctx, query))
  route(teams.brief, (ctx, { query }) => visibleTeamsOf(ctx, query))
  route(teams.create, (ctx, { body }) => createTeam(ctx, body))
  route(teams.get, (ctx, { params }) => getTeam(ctx, params.id))
  route(teams.update, (ctx, { params, body }) => changeTeam(ctx, params.id, body))
  route(teams.remove, (ctx, { params }) => removeTeam(ctx, params.id))
  route(teams.members, (ctx, { params, query }) => listMembers(ctx.db, params.id, query, page(query)))
  route(teams.others, (ctx, { params, query }) => candidates(ctx, params.id, query))
  route(teams.addMembers, (ctx, { params, body }) => addMembers(ctx, params.id, body))
  route(teams.removeMember, (ctx, { params }) => removeMember(ctx, params.id, params.userId))
  route(teams.assignRole, (ctx, { params, body }) => assignRole(ctx, params.id, params.userId, body))
}
