import { afterCommit, type Ctx } from '../../../kernel/context.ts'
import { unsettledPulls } from './pulling.ts'
import { want, wantAll } from './pulls.store.ts'

/** In the transaction of the change: another right is wanted of a team in a Harbor. */
export async function wantRight(ctx: Ctx, harborId: number, teamId: number): Promise<void> {
  await want(ctx.db, harborId, teamId)
  afterCommit(ctx, unsettledPulls.wake)
}

/** The Harbor itself has changed: its address, or what is known of its projects. */
export async function wantAgain(ctx: Ctx, harborId: number): Promise<void> {
  await wantAll(ctx.db, harborId)
  afterCommit(ctx, unsettledPulls.wake)
}
