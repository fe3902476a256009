import { defineModule } from '../../../module.ts'
import { scalingReconciler } from './scaling.service.ts'

export const module = defineModule({ reconcilers: [scalingReconciler] })
