import { defineModule } from '../../../module.ts'
import { jobs } from './missing.jobs.ts'
import { serviceReconciler, stackReconciler } from './reconcile.service.ts'

export const module = defineModule({
  jobs,
  reconcilers: [stackReconciler, serviceReconciler],
})
