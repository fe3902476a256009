import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/tables.gen.ts'

/** Objects that the product created for a team; null if deleted. The password of the repository is encrypted. */
export interface SampleRow {
  teamId: number
  state: 'ready' | 'removing'
  password: string
  commits: number
  groupId: number | null
  pipelineId: number | null
  productId: number | null
  stackId: number | null
}

const toSampleRow = (row: Selectable<Tables['sample']>): SampleRow => ({
  teamId: row.team_id,
  state: row.state,
  password: row.password,
  commits: row.commits,
  groupId: row.group_id,
  pipelineId: row.pipeline_id,
  productId: row.product_id,
  stackId: row.stack_id,
})

/** With `lock`, others who create, change or remove this sample wait until the transaction ends. */
export async function findSample(db: Db, teamId: number, { lock = false } = {}): Promise<SampleRow | undefined> {
  const row = await db
    .selectFrom('sample')
    .selectAll()
    .where('team_id', '=', teamId)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && toSampleRow(row)
}

/** False if the team already has one. */
export const insertSample = async (db: Db, teamId: number, password: string): Promise<boolean> =>
  (await db
    .insertInto('sample')
    .values({ team_id: teamId, password })
    .onConflict((c) => c.doNothing())
    .returning('team_id')
    .executeTakeFirst()) !== undefined

export type SampleChange = Partial<Omit<SampleRow, 'teamId' | 'password'>>

export const updateSample = (db: Db, teamId: number, change: SampleChange) =>
  db
    .updateTable('sample')
    .set({
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.commits === undefined ? {} : { commits: change.commits }),
      ...(change.groupId === undefined ? {} : { group_id: change.groupId }),
      ...(change.pipelineId === undefined ? {} : { pipeline_id: change.pipelineId }),
      ...(change.productId === undefined ? {} : { product_id: change.productId }),
      ...(change.stackId === undefined ? {} : { stack_id: change.stackId }),
    })
    .where('team_id', '=', teamId)
    .execute()

export const samplesBeingRemoved = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('sample').select('team_id').where('state', '=', 'removing').execute()).map((row) => row.team_id)

export const deleteSample = (db: Db, teamId: number) => db.deleteFrom('sample').where('team_id', '=', teamId).execute()
