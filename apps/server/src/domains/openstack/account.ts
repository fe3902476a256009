import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Account } from '../../adapters/openstack/openstack.ts'
import type { Ctx, Lang } from '../../kernel/context.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { Fault, type FaultKind, type Vars } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import type { OpenStackRow } from './openstack.store.ts'

/** With the decrypted password, for OpenStack and for the Secret of a zone. */
export const accountOf = (ctx: Pick<Ctx, 'keys' | 'secrets'>, row: OpenStackRow): Account => ({
  authUrl: row.authUrl,
  username: row.username,
  password: open(ctx, row.password),
  projectName: row.projectName,
  projectDomainName: row.projectDomainName,
  userDomainName: row.userDomainName,
})

/** A fault that the form shows at one of its fields. */
export const atField = (lang: Lang, path: string, kind: FaultKind, key: PhraseKey, vars: Vars = {}): Fault =>
  new Fault(kind, key, vars, [{ path, key, text: say(lang, key, vars) }])
