import { defineModule } from '../../../module.ts'
import { drainReconciler } from './drains.service.ts'

export const module = defineModule({ reconcilers: [drainReconciler] })
