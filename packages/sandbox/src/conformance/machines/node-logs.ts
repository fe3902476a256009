/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Client, Json } from '../trial/client.ts'
import { must, type Case } from '../trial/trial.ts'

const logsOf = (node: string): string => `/api/v1/nodes/${node}/proxy/logs/`

const anything = { accept: '*/*' }

async function runningNode(kube: Client): Promise<string> {
  const { items } = must(await kube.call('GET', '/api/v1/nodes'), 200)
  const ready = ({ status }: Json): boolean =>
    status.conditions?.some((one: Json) => one.type === 'Ready' && one.status === 'True')
  return items.find(ready).metadata.name
}

/** Cases that hold whether or not a kubelet is configured to answer log queries. */
export const nodeLogCases: Case[] = [
  {
    title: 'the folder of a node’s logs',
    async run({ kube }) {
      const answer = await kube.call('GET', logsOf(await runningNode(kube)), { headers: anything })
      expect([answer.code, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.text).toMatch(
        /^<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="/,
      )
    },
  },
  {
    title: 'a query of a node’s log: text, or the folder if the kubelet has no queries',
    async run({ kube }) {
      const query = { query: 'kubelet', tailLines: 3, sinceTime: new Date(Date.now() - 3_600_000).toISOString() }
      const answer = await kube.call('GET', logsOf(await runningNode(kube)), { query, headers: anything })
      expect(answer.code).toBe(200)
      if (answer.headers['content-type'] === 'text/html; charset=utf-8') expect(answer.text).toContain('<pre>')
      else expect(answer.text.trimEnd().split('\n').length).toBeLessThanOrEqual(3)
    },
  },
  {
    title: 'refuses logs that do not exist',
    async run({ kube, name }) {
      const file = await kube.call('GET', `${logsOf(await runningNode(kube))}nothing.log`, { headers: anything })
      expect([file.code, file.text]).toEqual([404, '404 page not found\n'])
      const node = await kube.call('GET', logsOf('nothing'))
      expect(node.body).toMatchObject({ code: 404, reason: 'NotFound', message: 'nodes "nothing" not found' })
      const metadata = { name: name('machine') }
      must(await kube.call('POST', '/api/v1/nodes', { body: { metadata } }), 201)
      const silent = await kube.call('GET', logsOf(metadata.name))
      expect(silent.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'no preferred addresses found; known addresses: []',
        code: 500,
      })
      must(await kube.call('DELETE', `/api/v1/nodes/${metadata.name}`), 200)
    },
  },
  {
    title: 'node logs have no type: only a client that accepts any type gets them',
    async run({ kube }) {
      for (const accept of ['application/json', 'text/plain']) {
        const answer = await kube.call('GET', logsOf(await runningNode(kube)), { headers: { accept } })
        expect([answer.code, answer.text]).toEqual([406, '406: Not Acceptable\n\nAvailable representations: '])
      }
    },
  },
  {
    title: 'permission to read pods does not include the logs of nodes',
    async run({ kube }) {
      const node = await runningNode(kube)
      const headers = { 'impersonate-user': 'someone', 'impersonate-group': ['gantry:team:7'] }
      const answer = await kube.call('GET', logsOf(node), { headers, query: { query: 'kubelet' } })
      expect(answer.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `nodes "${node}" is forbidden: User "someone" cannot get resource "nodes/proxy" in API group "" at the cluster scope`,
      })
    },
  },
]
