import type { GroupMapping } from '@gantry/contract/ldap/ldap'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { missingOf } from './mappings.read.ts'

/** Refuses settings of a directory or provider that map a group to a team or role that is not there. */
export async function mustBeMappable(ctx: Ctx, mappings: GroupMapping[]): Promise<void> {
  const missing = await missingOf(ctx.db, mappings)
  const at = missing.findIndex((what) => what !== undefined)
  if (at < 0) return
  const [path, key] =
    missing[at] === 'team' ? (['teamId', 'ldap-mapping-team'] as const) : (['roleId', 'ldap-mapping-role'] as const)
  throw new Fault('invalid', key, {}, [{ path: `mappings.${at}.${path}`, key, text: say(ctx.lang, key) }])
}
