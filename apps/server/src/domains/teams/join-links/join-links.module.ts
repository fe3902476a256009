import { joinHeader } from '@gantry/contract/envelope'
import { joinLinks } from '@gantry/contract/teams/join-links'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { createLink, join, openLinksOf, readLink, revokeLink, takeLink } from './join-links.service.ts'
import { forgetExpired } from './join-links.store.ts'

export const module = defineModule({
  routes(route) {
    route(joinLinks.list, (ctx, { params }) => openLinksOf(ctx, params.id))
    route(joinLinks.create, (ctx, { params, body }) => createLink(ctx, params.id, body))
    route(joinLinks.revoke, (ctx, { params }) => revokeLink(ctx, params.id, params.linkId))
    route(joinLinks.open, (ctx, { header }) => readLink(ctx, header(joinHeader) ?? ''))
    route(joinLinks.join, (ctx, { body }) => join(ctx, body.token))
  },
  onJoin: takeLink,
  jobs: [
    scheduled({
      name: 'teams-forget-join-links',
      every: 3600,
      run: ({ db }) => forgetExpired(db),
    }),
  ],
})
