import type { Outward } from '@gantry/contract/stacks/outward'
import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { type ServiceRow, specIn } from '../services/services.store.ts'
import { readCopy, type StoredCopy } from './copy.ts'

export interface WayIn extends Pick<ServiceRow, 'id' | 'name' | 'state'> {
  outward: Outward | undefined
}

/** The services of a stack that open ways in, wherever those lead. Read every second while a copy exists. */
export const waysIn = async (db: Db, stackId: number): Promise<WayIn[]> =>
  (
    await db
      .selectFrom('service')
      .select(['id', 'name', 'type', 'state', 'spec'])
      .where('stack_id', '=', stackId)
      .where('type', 'in', ['lb', 'ingress'])
      .orderBy(byName('name'))
      .execute()
  ).map(({ id, name, type, state, spec }) => ({ id, name, state, outward: specIn(type, spec).outward }))

/** The open copies of a stack, with the names of their services. */
export const openCopies = async (
  db: Db,
  stackId: number,
): Promise<{ name: string; podRevision: number; copy: StoredCopy | null }[]> =>
  (
    await db
      .selectFrom('service')
      .select(['name', 'pod_revision as podRevision', 'copy'])
      .where('stack_id', '=', stackId)
      .where(sql<boolean>`copy is not null and copy->>'ended' is null`)
      .execute()
  ).map(({ copy, ...one }) => ({ ...one, copy: readCopy(copy) }))
