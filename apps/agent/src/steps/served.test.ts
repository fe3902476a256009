import { randomUUID } from 'node:crypto'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'

let server: FakeServer
let agent: AgentProcess

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

test('a mail that contains a secret is not sent', async () => {
  const mail = (text: string): StepInput => ({ type: 'mail', name: 'tell', to: ['robin'], subject: 'a', text })
  const served: Record<string, string>[] = []
  server.on.serve = (texts) => {
    served.push(texts)
    return { state: 'success', log: [], reason: null, outputs: {} }
  }
  const environment = [{ name: 'TOKEN', value: 'secret-token' }]
  const given = { environment, masked: ['secret-token'] }
  const refused = server.give(work([mail('with ${variables.TOKEN}')], given))
  expect((await refused.ended).reason?.key).toBe('agents-mail-secret')
  const sent = server.give(work([mail('version ${variables.VERSION}.')], given))
  expect((await sent.ended).state).toBe('success')
  expect(served).toEqual([{ subject: 'a', text: 'version .' }])
})

test('the server gets the texts with outputs and variables filled in, is polled until it ends, and returns outputs', async () => {
  const call: StepInput = {
    type: 'http',
    name: 'call',
    url: 'https://hooks.example.org/${outputs.made.PLACE}',
    headers: [
      { name: 'authorization', value: 'Bearer ${variables.TOKEN}' },
      { name: 'x-trap', value: '${outputs.made.TRAP}' },
    ],
    body: '${variables.GONE}!',
  }
  const served: Record<string, string>[] = []
  server.on.serve = (texts) => {
    served.push(texts)
    const running = served.length < 2
    return {
      state: running ? 'running' : 'success',
      log: ['told', 'secret-token'],
      reason: null,
      outputs: running ? {} : { STATUS: '201' },
    }
  }
  const environment = [{ name: 'TOKEN', value: 'secret-token' }]
  const before = script(String.raw`printf 'PLACE=here\nTRAP=%s\n' '${'$'}{variables.TOKEN}' > "$GANTRY_OUTPUT"`, {
    name: 'made',
  })
  const after = script('echo "status $GANTRY_OUTPUT_CALL_STATUS"')
  const build = server.give(work([before, call, after], { environment, masked: ['secret-token'] }))
  await build.ended
  expect(served).toHaveLength(2)
  expect(served[0]).toEqual({
    url: 'https://hooks.example.org/here',
    'headers.0': 'Bearer secret-token',
    'headers.1': '${variables.TOKEN}',
    body: '!',
  })
  expect(build.log(1)).toContain('told')
  expect(build.log(1)).not.toContain('secret-token')
  expect(build.log(2)).toContain('status 201')
})

test('values of a chart and inputs of a blueprint are filled in as well', async () => {
  const served: Record<string, string>[] = []
  server.on.serve = (texts) => {
    served.push(texts)
    return { state: 'success', log: [], reason: null, outputs: {} }
  }
  const stackUuid = randomUUID()
  const build = server.give(
    work(
      [
        script('echo TAG=1.2 >> "$GANTRY_OUTPUT"', { name: 'made' }),
        {
          type: 'helm',
          name: 'chart',
          stackUuid,
          release: 'web',
          repositoryId: 1,
          chart: 'web',
          version: '1.0.0',
          values: 'tag: "${outputs.made.TAG}"\nzone: ${variables.ZONE}',
        },
        {
          type: 'blueprint',
          name: 'all',
          stackUuid,
          blueprintId: 1,
          inputs: { TAG: '${outputs.made.TAG}', ZONE: '${variables.ZONE}' },
        },
      ],
      { environment: [{ name: 'ZONE', value: 'b' }] },
    ),
  )
  expect((await build.ended).state).toBe('success')
  expect(served).toEqual([{ values: 'tag: "1.2"\nzone: b' }, { TAG: '1.2', ZONE: 'b' }])
})

test('the server learns which inputs of a blueprint contain a secret', async () => {
  const served: (readonly string[])[] = []
  server.on.serve = (_, masked) => {
    served.push(masked)
    return { state: 'success', log: [], reason: null, outputs: {} }
  }
  const inputs = { URL: 'https://me:${variables.TOKEN}@example.org', ZONE: '${variables.ZONE}' }
  const step: StepInput = { type: 'blueprint', name: 'all', stackUuid: randomUUID(), blueprintId: 1, inputs }
  const environment = [
    { name: 'ZONE', value: 'b' },
    { name: 'TOKEN', value: 'secret-token' },
  ]
  const build = server.give(work([step], { environment, masked: ['secret-token'] }))
  expect((await build.ended).state).toBe('success')
  expect(served).toEqual([['URL']])
})
