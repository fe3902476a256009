import { eventually as readAgain } from '@gantry/waiting/eventually'
import type { Answer, Client, Json } from './client.ts'

/** The context of a case: a cluster, and a namespace that it shares with the other cases. */
export interface CaseContext {
  kube: Client
  namespace: string
  /** A unique name with this prefix. */
  name(base: string): string
  /** The path of a group in the namespace: `at('apps/v1', 'deployments')`. */
  at(groupVersion: string, plural: string, name?: string): string
  /** Another namespace, which is deleted after the suite. */
  newNamespace(labels?: Record<string, string>): Promise<string>
}

export interface Case {
  title: string
  run(trial: CaseContext): Promise<void>
}

export const root = (groupVersion: string): string => (groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`)

export const pathIn = (namespace: string, groupVersion: string, plural: string, name?: string): string =>
  `${root(groupVersion)}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`

/** Like the wait of every test, but up to a minute, because a real cluster takes its own time. */
export const eventually = <T>(look: () => Promise<T>): Promise<T> =>
  readAgain(look, undefined, { ms: 60_000, everyMs: 100 })

/** The body of an answer; fails unless the answer has this code. */
export function must(answer: Answer, code: number): Json {
  if (answer.code !== code) throw new Error(`expected ${code}, got ${answer.code}: ${answer.text}`)
  return answer.body
}

/** A pod of one container `c` that runs a script in busybox. */
export const podOf = (
  name: string,
  script: string,
  container: object = {},
  spec: object = {},
  meta: object = {},
): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...meta },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'c',
        image: 'localhost/busybox:1',
        imagePullPolicy: 'Never',
        command: ['sh', '-c', script],
        ...container,
      },
    ],
    ...spec,
  },
})

/** The template of a workload whose pods sleep; `marks` make its versions differ. */
export const templateOf = (app: string, container: object = {}, marks: Record<string, string> = {}): Json => ({
  metadata: { labels: { app, ...marks } },
  spec: podOf('', 'sleep 3600', container).spec,
})

export const deploymentOf = (name: string, spec: object = {}, container: object = {}): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: templateOf(name, container), ...spec },
})

export async function makeNamespace(kube: Client, name: string, labels: Record<string, string> = {}): Promise<void> {
  must(await kube.call('POST', '/api/v1/namespaces', { body: { metadata: { name, labels } } }), 201)
  // Pods are refused until the namespace's service account exists.
  await eventually(async () => must(await kube.call('GET', pathIn(name, 'v1', 'serviceaccounts', 'default')), 200))
}

/** Watches until `enough` accepts the events so far, and answers them. */
export async function watched(
  kube: Client,
  path: string,
  query: Record<string, string | number | boolean>,
  enough: (events: Json[]) => boolean,
): Promise<Json[]> {
  const events: Json[] = []
  for await (const line of kube.lines(path, { watch: true, timeoutSeconds: 30, ...query })) {
    events.push(JSON.parse(line))
    if (enough(events)) return events
  }
  return events
}
