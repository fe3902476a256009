import { podsTopic, type Pod } from '@gantry/contract/clusters/pods'
import { buildTopic } from '@gantry/contract/pipelines/topics'
import type { Content, Topic } from '@gantry/contract/topic'
import { figure, repeat, us } from './figures.ts'

const pod: Pod = {
  uid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  name: 'web-5d9c7b6f4d-x2x7k',
  namespace: 'payments-shop',
  host: 'node-17',
  ip: '10.244.17.3',
  status: 'Running',
  ready: 1,
  containers: 1,
  container: 'web',
  restarts: 0,
  cpu: 0.25,
  memory: 0.5,
  stack: { id: 7, uuid: '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11', name: 'shop', teamId: 3, service: null },
  createdAt: '2026-01-02T03:04:05Z',
}

const messages = 10_000

async function benchTopic<T extends Topic>(name: string, { content }: T, message: Content<T>): Promise<void> {
  const parse = () => {
    const started = performance.now()
    for (let n = 0; n < messages; n++) content.parse(message)
    return Promise.resolve(((performance.now() - started) / messages) * 1000)
  }
  // the first rounds compile the schemas
  await repeat(3, parse)
  figure(`parse a message of ${name}`, await repeat(15, parse), us)
}

/** The server's time to publish a message whose shape is checked; the console takes the same time again to read one. */
export async function benchTopics(): Promise<void> {
  await benchTopic('a build: its state', buildTopic, { state: 'success' })
  await benchTopic('pods: a whole row', podsTopic, { pod })
}
