import type { Db } from '../../../db/tables.gen.ts'

/** Stores how many fields of a generation others changed; false if this was known, or if the generation is outdated. */
export async function noteDrift(
  db: Db,
  { id, generation }: { id: number; generation: number },
  drift: number,
): Promise<boolean> {
  const done = await db
    .updateTable('service')
    .set({ drift })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('drift', '!=', drift)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}
