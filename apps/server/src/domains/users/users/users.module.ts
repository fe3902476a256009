import { Readable } from 'node:stream'
import { users } from '@gantry/contract/users/users'
import { stream } from '../../../http/reply.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { importUsers } from '../import/import.service.ts'
import { readAvatar, removeAvatar, setAvatar } from './avatar.service.ts'
import { makeFirstUser } from './first-user.service.ts'
import { removeUsers } from './removal.service.ts'
import { renewPassword, setUserStatus } from './user-status.service.ts'
import { listUsers } from './users.read.ts'
import { createUser, getUser, updateUser } from './users.service.ts'
import { search } from './users.search.ts'

export const module = defineModule({
  routes(route) {
    // the specification's page=true is a flag, not a page number
    route(users.list, (ctx, { query: { page: _flag, ...query } }) => listUsers(ctx.db, query, page(query)))
    route(users.create, (ctx, { body }) => createUser(ctx, body))
    route(users.get, (ctx, { params, caller }) => getUser(ctx, params.id, caller))
    route(users.update, (ctx, { params, body, caller }) => updateUser(ctx, params.id, body, caller))
    route(users.remove, (ctx, { params }) => removeUsers(ctx, [params.id]))
    route(users.removeMany, (ctx, { body }) => removeUsers(ctx, body))
    route(users.approve, (ctx, { params, query }) => setUserStatus(ctx, params.id, query.enable === 'true'))
    route(users.resetPassword, (ctx, { params }) => renewPassword(ctx, params.id))
    route(users.importUsers, (ctx, { query, upload }) =>
      importUsers(ctx, upload, { ...query, check: query.check === 'true' }),
    )
    route(users.setAvatar, (ctx, { params, upload }) => setAvatar(ctx, params.id, upload))
    route(users.removeAvatar, (ctx, { params }) => removeAvatar(ctx, params.id))
    route(users.avatar, async (ctx, { params, query }) => {
      const { image, version } = await readAvatar(ctx, params.id)
      return stream(Readable.from([image]), {
        'content-length': String(image.length),
        // a version's picture never changes
        ...(query.v === version ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
      })
    })
  },
  search: [search],
  /** first of all, because other domains' initial objects belong to the first user's team */
  onStart: { order: 0, run: makeFirstUser },
})
