import type { Kysely } from 'kysely'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Tables } from '../../db/tables.gen.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { findExports } from '../../kernel/find.ts'
import { say } from '../../kernel/phrase.ts'

/**
 * What a team cannot be deleted with: `domains/<domain>/<thing>.owned.ts` exports one as `owned`. A domain whose rows go
 * with the team has none.
 */
export interface Owned {
  /** Names the things, with their number as `{count}`: "{count} pipelines". */
  phrase: PhraseKey
  count: (db: Kysely<Tables>, teamId: number) => Promise<number>
}

/** Names everything that the team still owns, so that whoever wants it gone can clear it in one round. */
export async function mustOwnNothing(ctx: Ctx, team: { id: number; name: string }): Promise<void> {
  const things: string[] = []
  for (const { value: owned } of await findExports<Owned>('owned', 'owned')) {
    const count = await owned.count(ctx.db, team.id)
    if (count > 0) things.push(say(ctx.lang, owned.phrase, { count }))
  }
  if (things.length === 0) return
  throw new Fault('conflict', 'team-owns', { name: team.name, things: things.join(ctx.lang === 'zh' ? '、' : ', ') })
}
