import { type Job, job } from '../../kernel/jobs.ts'
import { leave } from './leave.queue.ts'
import { leaveCluster } from './leave.service.ts'

export const jobs: Job[] = [job({ ...leave, run: leaveCluster })]
