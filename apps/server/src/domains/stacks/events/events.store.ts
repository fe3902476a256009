import type { Db } from '../../../db/tables.gen.ts'

/** The place of a service: its stack, namespace and cluster. */
export const servicePlace = (db: Db, id: number) =>
  db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .select(['service.id', 'service.name', 'stack.id as stackId', 'stack.environment', 'stack.namespace'])
    .where('service.id', '=', id)
    .executeTakeFirst()

export const serviceNames = async (db: Db, stackId: number): Promise<string[]> =>
  (await db.selectFrom('service').select('name').where('stack_id', '=', stackId).execute()).map(({ name }) => name)
