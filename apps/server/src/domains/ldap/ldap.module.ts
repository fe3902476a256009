import { session } from '@gantry/contract/auth/session'
import { ldap } from '@gantry/contract/ldap/ldap'
import { defineModule } from '../../module.ts'
import { jobs } from './check.jobs.ts'
import { importEntries, searchEntries } from './import.service.ts'
import { changeServer, createServer, listServers, removeServer, validateServer } from './servers.service.ts'
import { offeredServers } from './servers.store.ts'
import { signIn } from './sign-in.service.ts'

export const module = defineModule({
  routes(route) {
    route(session.ldaps, (ctx) => offeredServers(ctx.db))
    route(ldap.list, (ctx) => listServers(ctx))
    route(ldap.create, (ctx, { body }) => createServer(ctx, body))
    route(ldap.validate, (ctx, { body }) => validateServer(ctx, body))
    route(ldap.update, (ctx, { params, body }) => changeServer(ctx, params.id, body))
    route(ldap.remove, (ctx, { params, query }) => removeServer(ctx, params.id, query.force === 'true'))
    route(ldap.search, (ctx, { params, query }) => searchEntries(ctx, params.id, query))
    route(ldap.importEntries, (ctx, { params, body }) => importEntries(ctx, params.id, body))
  },
  jobs,
  identityProvider: { type: 'LDAP', signIn },
})
