import type { Account } from '../../adapters/openstack/openstack.ts'
import type { Ctx } from '../../kernel/context.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import type { OpenStackRow } from './openstack.store.ts'

/** With the password in the open: for OpenStack, and for the Secret of a zone. */
export const accountOf = (ctx: Pick<Ctx, 'keys' | 'secrets'>, row: OpenStackRow): Account => ({
  authUrl: row.authUrl,
  username: row.username,
  password: open(ctx, row.password),
  projectName: row.projectName,
  projectDomainName: row.projectDomainName,
  userDomainName: row.userDomainName,
})
