import type { Db } from '../../../db/tables.gen.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** A stack, as shown with its pods in a cluster. */
export interface StackThere {
  id: number
  uuid: string
  name: string
  teamId: number
  /** Names of its services by id. */
  services: ReadonlyMap<number, string>
}

/** The stacks of a cluster by their namespaces: only in these namespaces, only of this team, or all. */
export async function stacksThere(
  db: Db,
  clusterId: string,
  { namespaces, teamId }: { namespaces?: readonly string[]; teamId?: number } = {},
): Promise<Map<string, StackThere>> {
  if (namespaces?.length === 0) return new Map()
  const rows = await db
    .selectFrom(stackRows.as('stack'))
    .innerJoin('environment_namespace as given', (join) =>
      join
        .onRef('given.environment', '=', 'stack.environment')
        .onRef('given.namespace', '=', 'stack.namespace')
        .onRef('given.stack_uuid', '=', 'stack.uuid'),
    )
    .leftJoin(serviceRows.as('service'), 'service.stack_id', 'stack.id')
    .select(['stack.id', 'stack.uuid', 'stack.name', 'stack.namespace', 'stack.team_id as teamId'])
    .select(['service.id as serviceId', 'service.name as serviceName'])
    .where('stack.environment', '=', clusterId)
    .where('given.held', '=', true)
    .$if(namespaces !== undefined, (query) => query.where('stack.namespace', 'in', namespaces ?? []))
    .$if(teamId !== undefined, (query) => query.where('stack.team_id', '=', teamId ?? 0))
    .execute()
  const found = new Map<string, StackThere & { services: Map<number, string> }>()
  for (const { namespace, serviceId, serviceName, ...stack } of rows) {
    const one = found.get(namespace) ?? { ...stack, services: new Map<number, string>() }
    if (serviceId !== null && serviceName !== null) one.services.set(serviceId, serviceName)
    found.set(namespace, one)
  }
  return found
}
