import type { ServerResponse } from 'node:http'
import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import { zh } from '@gantry/phrases/zh.gen'
import { afterEach, expect, test } from 'vitest'
import { admitLocal, type Answer, reply } from '../../../../test/kube-api.ts'
import { failure, get, keep, pair } from '../../../../test/transport-to.ts'
import { watchedApi } from '../../../../test/watched-api.ts'
import { Fault } from '../../../kernel/fault.ts'
import { kubeFault } from '../faults.ts'
import type { LogLine } from '../operations/logs.ts'
import { openKube } from './pool.ts'
import type { Health } from './transport.ts'

const following: AsyncGenerator<LogLine>[] = []
afterEach(async () => {
  await Promise.all(following.splice(0).map((log) => log.return(undefined)))
})

const named = (name: string) => ({ metadata: { name, namespace: 'n' }, spec: { containers: [] } })
const pod = { namespace: 'n', name: 'p' }
const team = (id: number) => ({ user: `gantry:user:u${id}`, groups: [`gantry:team:${id}`] })

/** A cluster whose logs return one line and stay open, unless `logs` does something else. */
async function cluster(logs: (response: ServerResponse) => unknown = (response) => response.write('one\n')) {
  const api = keep(await watchedApi({ pods: [named('p')], nodes: [named('host')] }))
  const answer: Answer = (seen, response) => (seen.path.endsWith('/log') ? logs(response) : api.normal(seen, response))
  api.answer(answer)
  const kube = openKube({ admit: admitLocal })
  keep({ [Symbol.asyncDispose]: kube.close })
  const states: Health['state'][] = []
  kube.onHealth((_, { state }) => states.push(state))
  const found = kube.cluster('e', api.address)
  /** Follows a log as a member of the team. Resolves with its first line. */
  const follow = (of: number) => {
    const log = found.kube.as(team(of)).log(pod, { container: 'c', follow: true })
    following.push(log)
    return log.next()
  }
  return { api, states, follow, ...found }
}

const times = <T>(count: number, work: (at: number) => T) => Array.from({ length: count }, (_, at) => work(at))
const refusals = (work: PromiseSettledResult<unknown>[]) =>
  work.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.kind)] : []))

test('with every log slot taken, watches and lists continue, and the cluster is healthy', async () => {
  const { api, states, follow, kube, need, health } = await cluster()
  const pods = need('pods')
  await pods.ready()
  await expect.poll(() => api.watching('pods')).toBe(1)
  // a page of many containers, in several windows of several teams
  const refused: string[] = []
  for (let page = 0; page < 6; page++)
    refused.push(...refusals(await Promise.allSettled(times(50, (at) => follow(at % 4)))))

  const nodes = need('nodes')
  expect(await nodes.ready()).toMatchObject({ state: 'live' })
  await expect.poll(() => api.watching('nodes')).toBe(1)
  api.put('pods', named('later'))
  await expect.poll(() => pods.all().map(({ name }) => name)).toEqual(['p', 'later'])
  expect(await kube.version()).toMatchObject({ major: '1' })
  expect([pods, nodes].map((one) => one.freshness().state)).toEqual(['live', 'live'])
  expect(health().state).toBe('up')
  expect(states).toEqual(['up'])
  expect(refused).toEqual(times(60, () => 'busy'))
})

test('however many logs are being opened, a list is read and watched', async () => {
  const waiting: ServerResponse[] = []
  const { api, states, follow, need } = await cluster((response) => void waiting.push(response))
  const opening = times(300, (at) => follow(at % 4).catch(() => undefined))
  await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(200)
  const pods = need('pods')
  expect(await pods.ready()).toMatchObject({ state: 'live' })
  await expect.poll(() => api.watching('pods')).toBe(1)
  expect(states).toEqual(['up'])
  for (const response of waiting) response.end()
  await Promise.all(opening)
})

test('a team’s logs and terminals are limited, a refusal says so, and other teams are not affected', async () => {
  const { follow, kube, states } = await cluster()
  await Promise.all(times(100, () => follow(1)))
  const terminal = kube.as({ ...team(1), user: 'gantry:user:another' })
  for (const refused of [follow(1), terminal.exec(pod, { container: 'c', command: ['sh'] })]) {
    const fault = kubeFault(await failure(refused))
    if (!(fault instanceof Fault)) return expect.fail(String(fault))
    expect(fault).toMatchObject({ kind: 'tooMany', key: 'kube-crowded', vars: { most: 100 } })
    expect(fill(en[fault.key], fault.vars)).toMatch(/100 logs and terminals .* Close some/)
    expect(fill(zh[fault.key], fault.vars)).toMatch(/100 个.*请关闭/)
  }
  expect(await follow(2)).toMatchObject({ value: { text: 'one' } })
  await following.shift()?.return(undefined)
  await expect
    .poll(() =>
      follow(1).then(
        ({ value }) => value?.text,
        () => undefined,
      ),
    )
    .toBe('one')
  expect(states).toEqual(['up'])
})

test('a terminal that ended, or never opened, frees its slot', async () => {
  const { kube } = await cluster()
  const open = () => kube.as(team(1)).exec(pod, { container: 'c', command: ['sh'] })
  for (let at = 0; at < 110; at++) expect((await failure(open())).kind).not.toBe('crowded')
})

test('waiting in the product’s own queue does not affect the cluster’s health', async () => {
  const waiting: ServerResponse[] = []
  const { transport } = await pair((seen, response) =>
    seen.path === '/slow' ? void waiting.push(response) : reply(response, { ok: true }),
  )
  await transport.json(get)
  const slow = times(8, () => transport.json({ ...get, path: '/slow', budget: 60_000 }))
  await expect.poll(() => waiting.length).toBe(8)
  const kinds = await Promise.all(times(5, () => failure(transport.json({ ...get, budget: 30 }))))
  expect(kinds.map(({ kind }) => kind)).toEqual(times(5, () => 'busy'))
  expect(transport.health().state).toBe('up')
  for (const response of waiting) reply(response, { ok: true })
  await Promise.all(slow)
  expect(await transport.json(get)).toEqual({ ok: true })
})
