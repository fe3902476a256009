import { type Job, job } from '../../kernel/jobs.ts'
import { hostReturns } from './host-returns.queue.ts'
import { returnHosts } from './host-returns.service.ts'

export const jobs: Job[] = [job({ ...hostReturns, every: 30, run: returnHosts })]
