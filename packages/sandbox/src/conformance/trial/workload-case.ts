import type { Json } from './client.ts'
import { eventually, must, type Case, type CaseContext } from './trial.ts'

export interface Workload {
  name: string
  path: string
  read(): Promise<Json>
  until(look: (object: Json) => void): Promise<Json>
  merge(body: Json): Promise<Json>
  /** The pods of its label, oldest first. */
  pods(): Promise<Json[]>
  sets(): Promise<Json[]>
  events(): Promise<string[]>
}

export function workloadCase(
  title: string,
  groupVersion: string,
  plural: string,
  body: (name: string) => Json,
  attempt: (one: Workload, trial: CaseContext) => Promise<void>,
): Case {
  return {
    title,
    async run(trial) {
      const { kube, at } = trial
      const name = trial.name('load')
      must(await kube.call('POST', at(groupVersion, plural), { body: body(name) }), 201)
      const path = at(groupVersion, plural, name)
      const read = async (): Promise<Json> => must(await kube.call('GET', path), 200)
      const list = async (version: string, of: string, query: Record<string, string>): Promise<Json[]> =>
        must(await kube.call('GET', at(version, of), { query }), 200).items
      const one: Workload = {
        name,
        path,
        read,
        until: (look) =>
          eventually(async () => {
            const now = await read()
            look(now)
            return now
          }),
        merge: async (change) =>
          must(await kube.call('PATCH', path, { body: change, type: 'application/merge-patch+json' }), 200),
        pods: () => list('v1', 'pods', { labelSelector: `app=${name}` }),
        sets: () => list('apps/v1', 'replicasets', { labelSelector: `app=${name}` }),
        events: async () =>
          (await list('v1', 'events', { fieldSelector: `involvedObject.name=${name}` })).map(
            (event) => `${event.reason}: ${event.message}`,
          ),
      }
      try {
        await attempt(one, trial)
      } finally {
        await kube.call('DELETE', path, { body: { propagationPolicy: 'Background' } })
      }
    },
  }
}

export const conditions = (object: Json): Record<string, [string, string]> =>
  Object.fromEntries((object.status.conditions ?? []).map((one: Json) => [one.type, [one.status, one.reason]]))

export const version = (value: string): Json => ({
  spec: { template: { metadata: { annotations: { version: value } } } },
})
export const versionOf = (object: Json): string | undefined =>
  (object.spec.template ?? object).metadata.annotations?.version
