import type { AgentJob } from '@gantry/contract/agents/agents'
import type { List } from '@gantry/contract/paging'
import type { Db } from '../../db/tables.gen.ts'
import { mustExist } from '../../kernel/fault.ts'
import type { Page } from '../../kernel/paging.ts'
import { jobsQueuedFor, jobsRanOn, jobsRunningOn } from '../pipelines/public.ts'
import { findClaimer } from './agents.store.ts'

async function knownAgent(db: Db, id: number) {
  return mustExist(await findClaimer(db, id))
}

export const historyOf = async (db: Db, id: number, at: Page): Promise<List<AgentJob>> =>
  jobsRanOn(db, (await knownAgent(db, id)).id, at)

export const queueOf = async (db: Db, id: number, at: Page): Promise<List<AgentJob>> =>
  jobsQueuedFor(db, await knownAgent(db, id), at)

export const jobsOf = async (db: Db, id: number): Promise<AgentJob[]> =>
  jobsRunningOn(db, (await knownAgent(db, id)).id)
