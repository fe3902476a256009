import { defineModule } from '../../../module.ts'
import { leaveReconciler } from './leave.service.ts'

export const module = defineModule({ reconcilers: [leaveReconciler] })
