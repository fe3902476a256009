import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { reconciler } from '../../../kernel/reconcile.ts'
import { defineModule } from '../../../module.ts'
import { unsettledPulls } from './pulling.ts'
import { wantOfMissingTeams } from './pulls.store.ts'
import { reconcilePull } from './settle.service.ts'

/** the database deletes the projects of a deleted team; its robots remain to be deleted */
const sweep = scheduled({
  name: 'harbor-sweep',
  every: 60,
  async run(ctx) {
    await wantOfMissingTeams(ctx.db)
    unsettledPulls.wake()
  },
})

export const module = defineModule({
  reconcilers: [reconciler(unsettledPulls, reconcilePull)],
  jobs: [sweep],
})
