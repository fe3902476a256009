import type { Blobs } from './adapters/blobs/blobs.ts'
import type { Config } from './config.ts'
import { jsonb } from './db/json.ts'
import type { Db } from './db/tables.gen.ts'
import { StartError } from './kernel/fault.ts'

const setting = 'blob-store'

/**
 * Servers of one database must share one store of logs and artifacts. The first one stores its store's marker in the
 * database; one whose store has another marker would lose what the others wrote, and does not start.
 */
export async function refuseOtherStore(db: Db, blobs: Blobs, config: Pick<Config, 'blobs' | 's3'>): Promise<void> {
  const marker = await blobs.marker()
  await db
    .insertInto('setting')
    .values({ name: setting, value: jsonb(marker) })
    .onConflict((c) => c.column('name').doNothing())
    .execute()
  const row = await db.selectFrom('setting').select('value').where('name', '=', setting).executeTakeFirstOrThrow()
  if (row.value === marker) return
  const where = config.s3 ? 'GANTRY_S3_*: the bucket' : `GANTRY_BLOBS: the folder ${config.blobs}`
  throw new StartError(
    `${where} is not where the other servers of this database keep logs and artifacts: share one folder between them, or use one bucket; to go on with this place, copy theirs into it, or write ${String(row.value)} into its file marker`,
  )
}
