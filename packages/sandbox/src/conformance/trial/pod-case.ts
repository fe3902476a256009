/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Answer, Json } from './client.ts'
import { eventually, must, podOf, type Case, type CaseContext } from './trial.ts'

/** Creates a pod, and deletes it when `attempt` is done. */
export function podCase(
  title: string,
  pod: (name: string) => Json,
  attempt: (one: Pod, trial: CaseContext) => Promise<void>,
): Case {
  return {
    title,
    async run(trial) {
      const { kube, at } = trial
      const name = trial.name('pod')
      must(await kube.call('POST', at('v1', 'pods'), { body: pod(name) }), 201)
      const path = at('v1', 'pods', name)
      const read = async (): Promise<Json> => must(await kube.call('GET', path), 200)
      const one: Pod = {
        name,
        path,
        read,
        until: (look) =>
          eventually(async () => {
            const now = await read()
            look(now)
            return now
          }),
        log: (query = {}) => kube.call('GET', `${path}/log`, { query }),
        exec: (command, query = {}) => ({ command, stdout: true, stderr: true, ...query }),
        events: async () => {
          const query = { fieldSelector: `involvedObject.name=${name}` }
          return must(await kube.call('GET', at('v1', 'events'), { query }), 200).items
        },
      }
      try {
        await attempt(one, trial)
      } finally {
        await kube.call('DELETE', path, { body: { gracePeriodSeconds: 0 } })
      }
    },
  }
}

export interface Pod {
  name: string
  path: string
  read(): Promise<Json>
  /** Waits until the pod passes `look`, and answers it. */
  until(look: (pod: Json) => void): Promise<Json>
  log(query?: Record<string, string | number | boolean>): Promise<Answer>
  exec(command: string[], query?: Record<string, boolean | string>): Record<string, string | boolean | string[]>
  events(): Promise<Json[]>
}

export const condition = (pod: Json, type: string): string | undefined =>
  pod.status.conditions?.find((one: Json) => one.type === type)?.status
export const status = (pod: Json, n = 0): Json => pod.status.containerStatuses?.[n] ?? {}
export const isReady = (pod: Json): void => {
  expect(condition(pod, 'Ready')).toBe('True')
}
export const isRunning = (pod: Json): void => {
  expect(status(pod).state?.running).toBeTruthy()
}
export const isOver = (pod: Json): void => {
  expect(['Succeeded', 'Failed']).toContain(pod.status.phase)
}
export const sleeper = (name: string): Json => podOf(name, 'echo up; sleep 3600')
