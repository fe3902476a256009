import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** The uuid of a stack, and its namespace. */
interface HeldNamespace {
  namespace: string
  uuid: string
  envId: string
}

const given = ({ namespace, uuid, envId }: HeldNamespace) =>
  sql<boolean>`(environment, namespace, stack_uuid) = (${envId}, ${namespace}, ${uuid})`

/** The cluster has confirmed that the namespace with this uid is the stack's: its team may see what is in it. */
export const holdNamespace = (db: Db, stack: HeldNamespace, uid: string | undefined) =>
  db
    .updateTable('environment_namespace')
    .set({ held: true, uid: uid ?? null })
    .where(given(stack))
    .where(sql<boolean>`(held, uid) is distinct from (true, ${uid ?? null}::text)`)
    .execute()

/** Whether the stack held the very namespace that has this uid. */
export const isHeld = async (db: Db, stack: HeldNamespace, uid: string): Promise<boolean> =>
  (await db
    .selectFrom('environment_namespace')
    .select('namespace')
    .where(given(stack))
    .where('held', '=', true)
    .where('uid', '=', uid)
    .executeTakeFirst()) !== undefined

/** The stack gives up the namespace; a name that it has held stays reserved for its team. */
export async function giveUpNamespace(db: Db, stack: HeldNamespace): Promise<void> {
  await db.deleteFrom('environment_namespace').where(given(stack)).where('held', '=', false).execute()
  await db.updateTable('environment_namespace').set({ held: false }).where(given(stack)).execute()
}

/** Sets the cluster of namespaces that were allocated before it was known. */
export const placeNamespaces = (db: Db, uuid: string, cluster: string) =>
  db
    .updateTable('environment_namespace')
    .set({ cluster })
    .where('environment', '=', uuid)
    .where('cluster', 'is', null)
    .execute()

/** Namespaces of deleted stacks, each with the stack id in its label. */
export const leftNamespaces = (db: Db, uuid: string): Promise<{ namespace: string; stackUuid: string }[]> =>
  db
    .selectFrom('environment_namespace as given')
    .select(['given.namespace', 'given.stack_uuid as stackUuid'])
    .where('given.environment', '=', uuid)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(stackRows.as('stack'))
            .innerJoin('environment', 'environment.uuid', 'stack.environment')
            .select('stack.id')
            .whereRef('stack.namespace', '=', 'given.namespace')
            .where(sql<boolean>`(stack.environment = given.environment or environment.cluster = given.cluster)`),
        ),
      ),
    )
    .orderBy('given.namespace')
    .execute()
