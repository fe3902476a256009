import type { Ctx } from '../../kernel/context.ts'
import { findExports } from '../../kernel/find.ts'

/**
 * What a domain ends when users are deleted, before they are gone and in the same transaction:
 * `domains/<domain>/<thing>.leaving.ts` exports one as `leaving`. What goes by a foreign key (sessions, API tokens) needs none.
 */
export interface Leaving {
  end: (ctx: Ctx, userIds: number[]) => Promise<void>
}

export async function endWhatIsTheirs(ctx: Ctx, userIds: number[]): Promise<void> {
  for (const { value } of await findExports<Leaving>('leaving', 'leaving')) await value.end(ctx, userIds)
}
