import { sql } from 'kysely'
import { brokenConstraint } from '../../../db/constraint.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** Name of another environment with this cluster, other than `except`. */
export const joinedAs = async (db: Db, cluster: string, except?: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('environment')
      .select('name')
      .where('cluster', '=', cluster)
      .$if(except !== undefined, (q) => q.where('uuid', '!=', except ?? ''))
      .orderBy('shares_cluster')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
  )?.name

class Taken extends Error {}

/** An environment and the address at which its identity was read: the answer does not apply to a later address. */
interface IdentityOf {
  uuid: string
  address: string
}

/**
 * Assigns the cluster to the environment alone; false if another one has it. The unique index decides between
 * concurrent calls, so this must not be part of a larger transaction.
 */
export const takeCluster = (db: Db, { uuid, address }: IdentityOf, cluster: string): Promise<boolean> =>
  db
    .updateTable('environment')
    .set({ cluster, shares_cluster: false, answers: null })
    .where('uuid', '=', uuid)
    .where('address', '=', address)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('environment as other')
            .select('other.uuid')
            .where('other.cluster', '=', cluster)
            .where('other.uuid', '!=', uuid)
            .where('other.shares_cluster', '=', false),
        ),
      ),
    )
    .executeTakeFirst()
    .then(({ numUpdatedRows }) => numUpdatedRows > 0n)
    .catch(brokenConstraint('environment_cluster', new Taken()))
    .catch((error: unknown) => {
      if (error instanceof Taken) return false
      throw error
    })

/** Assigns the cluster to an environment of earlier releases that shares it with another one. */
export const shareCluster = (db: Db, { uuid, address }: IdentityOf, cluster: string) =>
  db
    .updateTable('environment')
    .set({ cluster })
    .where('uuid', '=', uuid)
    .where('address', '=', address)
    .where('cluster', 'is', null)
    .where('shares_cluster', '=', true)
    .execute()

/** Stores which other cluster answers at the address; null if its own does again. */
export const noteAnswers = (db: Db, { uuid, address }: IdentityOf, answers: string | null) =>
  db
    .updateTable('environment')
    .set({ answers, answers_at: answers === null ? null : sql`now()` })
    .where('uuid', '=', uuid)
    .where('address', '=', address)
    .where(sql<boolean>`answers is distinct from ${answers}::text`)
    .execute()

/** Changes the cluster of the environment; its stacks hold no namespace there yet. */
export async function acceptCluster(db: Db, uuid: string, cluster: string): Promise<void> {
  await db
    .updateTable('environment')
    .set({ cluster, answers: null, shares_cluster: false })
    .where('uuid', '=', uuid)
    .execute()
  await db
    .updateTable('environment_namespace')
    .set({ cluster, held: false, uid: null })
    .where('environment', '=', uuid)
    .where('stack_uuid', 'in', (q) =>
      q.selectFrom(stackRows.as('stack')).select('stack.uuid').where('stack.environment', '=', uuid),
    )
    .execute()
}
