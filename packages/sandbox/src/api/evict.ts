import { badRequest, type Status } from '../objects/status.ts'
import { isRecord } from '../objects/record.ts'
import type { ResourceCall } from './call.ts'
import { send } from './call.ts'
import { deleteObject, deleteOptions } from './delete.ts'
import { isDryRun } from './request.ts'
import { readObject } from './resources.ts'
import { found } from './write.ts'

/** `POST …/pods/{name}/eviction`. There are no disruption budgets here, so that every eviction is granted. */
export async function serveEviction({ cluster, target, query, request, response }: ResourceCall): Promise<void> {
  const body = await readObject(request)
  if (!isRecord(body) || body['kind'] !== 'Eviction')
    throw badRequest('the object provided is unrecognized (must be of type Eviction)')
  const name = target.name ?? ''
  found(cluster, target.kind, target.namespace, name)
  deleteObject(
    cluster,
    target.kind,
    target.namespace,
    name,
    deleteOptions(body['deleteOptions'], query, isDryRun(query)),
  )
  const done: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  send(response, 201, done)
}
