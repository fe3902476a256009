import { type Access, endpoint } from '@gantry/contract/endpoint'
import { id } from '@gantry/contract/ids'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Routes } from '../../src/http/route.ts'
import { openLog } from '../../src/kernel/log.ts'
import { socketClient } from '../socket-client.ts'
import { testApp } from '../test-app.ts'
import type { Marks, Rule } from './oracle.ts'
import { noRoles } from './roles.ts'
import { openRun } from './runner.ts'
import { openListener } from './world.ts'

/** Planted faults in additional calls: the run finds each of them, and nothing in the correct call. */
const marks: Marks = { ours: 'qzjxa', theirs: 'qzjxb', secret: 'Vq8Zt3Kpw5' }

const call = (name: string, access: Access = { team: 'teamId' }, thing = 'teams/:teamId') =>
  endpoint({
    method: 'POST',
    path: `/api/planted/${thing}/${name}`,
    access,
    audit: `planted.${name}`,
    summary: 'A planted fault',
    params: z.strictObject(thing.includes(':id') ? { id } : { teamId: id }),
    body: z.strictObject({ name: z.string().max(200) }),
    data: z.object({ name: z.string() }),
    topics: [],
  })

const planted = {
  sound: call('sound'),
  failing: call('failing'),
  leaking: call('leaking'),
  telling: call('telling'),
  blocking: call('blocking'),
  open: call('open', { owner: 'planted', by: 'id' }, 'stack/:id'),
}

const routes: Routes = (route) => {
  route(planted.sound, (_ctx, { body }) => body)
  route(planted.failing, (_ctx, { body: { name } }) => {
    if (/[^\w]/.test(name)) throw new Error('nobody thought of this')
    return { name }
  })
  route(planted.leaking, () => ({ name: `${marks.theirs}1` }))
  route(planted.telling, () => ({ name: Buffer.from(`the password is ${marks.secret}-1`).toString('base64') }))
  route(planted.blocking, (_ctx, { body }) => {
    const end = performance.now() + 400
    while (performance.now() < end);
    return body
  })
  route(planted.open, (_ctx, { body }) => body)
}

const heard = openListener(marks)
const owner = { kind: 'planted', teamsOf: async () => 'every' as const }
const app = await testApp({
  onlyDomains: [],
  log: openLog('warn', heard.hear),
  more: { endpoints: Object.values(planted), routes, owners: [owner] },
})
const { origin } = await socketClient(app)
const [ours, theirs] = [await app.team(), await app.team()]

/** The findings of a run over this one call. */
async function found(name: keyof typeof planted, gone?: string): Promise<Rule[]> {
  const roles = noRoles()
  roles.admin.token = app.admin.token
  roles.leader.token = ours.leader.token
  roles.other.token = theirs.leader.token
  const target = { ...heard, origin, endpoints: [planted[name]], topics: [], gone: () => gone, permissions: [] }
  const run = openRun({ target, roles, marks, seed: 1 })
  run.pool.add({ side: 'ours', values: { team: ours.id, stack: 1 } })
  run.pool.add({ side: 'theirs', values: { team: theirs.id, stack: 2 } })
  const findings = () => run.findings().map(({ rule }) => rule)
  for (let at = 0; at < 150 && findings().length === 0; at++) await run.step(at)
  run.close()
  return [...new Set(findings())]
}

test.for([
  ['an unexpected error', 'failing', 'failure'],
  ['a name of another team', 'leaking', 'foreign'],
  ['a secret, also in base64', 'telling', 'secret'],
  ['access to a thing of another team', 'open', 'let-in'],
  ['a blocked event loop', 'blocking', 'blocked'],
] as const)('%s is found', { timeout: 120_000 }, async ([, name, rule]) => {
  expect(await found(name)).toContain(rule)
})

test('a correct call has no findings', { timeout: 60_000 }, async () => {
  expect(await found('sound')).toEqual([])
})

test('an ended process is found', async () => {
  expect(await found('sound', 'the process ended with 1')).toEqual(['ended'])
})
