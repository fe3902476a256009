import { afterCommit, type Ctx } from '../../../kernel/context.ts'
import { unsettledPulls } from './pulling.ts'
import { requestRound, requestAllRounds } from './pulls.store.ts'

/** Called in the transaction that changed a team's projects in a Harbor: its robot is to follow. */
export async function requestPullRight(ctx: Ctx, harborId: number, teamId: number): Promise<void> {
  await requestRound(ctx.db, harborId, teamId)
  afterCommit(ctx, unsettledPulls.wake)
}

/** Called after a change of the Harbor itself: its address, or what is known of its projects. */
export async function wantAgain(ctx: Ctx, harborId: number): Promise<void> {
  await requestAllRounds(ctx.db, harborId)
  afterCommit(ctx, unsettledPulls.wake)
}
