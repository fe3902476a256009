import { afterAll, describe, expect, test } from 'vitest'
import { harborSwagger, overheard, type Exchange } from '../../../test/harbor-swagger.ts'
import { simulatedHarbor } from '../../../test/simulated-harbor.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createHarbor } from './harbor.ts'

const check = harborSwagger()

describe.skipIf(!check)(`Harbor’s own description of its API${check ? '' : ' (skipped: no lab)'}`, async () => {
  if (!check) return
  const simulated = await simulatedHarbor()
  const real = createOutbound({ allow: ['127.0.0.0/8'] })
  const { outbound, exchanges } = overheard(real)
  afterAll(async () => {
    await real.close()
    await simulated.stop()
  })
  const harbor = createHarbor(outbound)
  const { access, push } = simulated

  /** Makes every call of the adapter, in a sensible order, including calls that are refused. */
  async function everyCall() {
    await harbor.verify(access)
    await harbor.info(access)
    const id = await harbor.createProject(access, { name: 'payments', public: false })
    await harbor.createProject(access, { name: 'payments', public: false }).catch(() => {})
    await harbor.setPublic(access, id, true)
    await harbor.project(access, id)
    await harbor.project(access, 999_999).catch(() => {})
    await harbor.projectQuota(access, id)
    const { retentionId } = await harbor.project(access, id)
    await harbor.retention(access, retentionId ?? 0)
    await harbor.immutableRules(access, id)
    const place = { project: 'payments', repository: 'web/shop' }
    const digest = await push('payments/web/shop', '1.0')
    await push('payments/web/shop', '2.0')
    await push('payments/api', '1.0')
    await harbor.projects(access, { offset: 0, limit: 10, keyword: 'pay' })
    await harbor.repositories(access, 'payments', { offset: 0, limit: 1, keyword: '' })
    await harbor.repositories(access, 'payments', { offset: 1, limit: 1, keyword: '' })
    await harbor.artifacts(access, place, { offset: 0, limit: 10, keyword: '1.' })
    await harbor.artifacts(access, place, { offset: 0, limit: 10, keyword: '', tag: '1.0' })
    await harbor.artifacts(access, place, { offset: 0, limit: 10, keyword: '', digest })
    await harbor.artifact(access, place, '1.0')
    await harbor.artifact(access, place, 'none').catch(() => {})
    await harbor.history(access, place, '1.0')
    await harbor.scanOverview(access, place, digest)
    await harbor.scan(access, place, digest)
    await harbor.scan(access, place, 'none').catch(() => {})
    await harbor.scanOverview(access, place, digest)
    await harbor.scanReport(access, place, digest)
    const robot = await harbor.putRobot(access, 'gantry-1', [{ project: 'payments', actions: ['pull'] }])
    await harbor.putRobot(access, 'gantry-1', [{ project: 'payments', actions: ['pull'] }])
    await harbor.setRights(access, robot.id, [{ project: 'payments', actions: ['pull', 'push'] }])
    await harbor.setRights(access, 999_999, [])
    await harbor.removeRobot(access, robot.id)
    await harbor.removeRobot(access, robot.id)
    const targetId = await harbor.addTarget(access, { name: 'gantry-copy', ...access, ca: 'an authority' })
    const policy = await harbor.addPolicy(access, {
      name: 'gantry-copy-1',
      targetId,
      repository: 'payments/web/shop',
      tags: ['1.0', '2.0'],
      project: 'archive',
    })
    const run = await harbor.startExecution(access, policy)
    await harbor.execution(access, run)
    await harbor.stopExecution(access, run)
    await harbor.removePolicy(access, policy)
    await harbor.removeTarget(access, targetId)
    await harbor.removeTag(access, place, '2.0')
    await harbor.removeProject(access, id).catch(() => {})
    await harbor.removeArtifact(access, place, digest)
    await harbor.removeRepository(access, place)
    await harbor.removeRepository(access, { project: 'payments', repository: 'api' })
    await harbor.removeProject(access, id)
    await harbor.verify({ ...access, password: 'wrong' }).catch(() => {})
  }

  test('the adapter’s requests and the simulated Harbor’s answers match Harbor’s description', async () => {
    await everyCall()
    expect(exchanges.length).toBeGreaterThan(40)
    expect(exchanges.flatMap(check)).toEqual([])
    // the refusals are among them
    expect([...new Set(exchanges.map(({ status }) => status))].toSorted()).toEqual([200, 201, 202, 401, 404, 409, 412])
    // a slash in a repository's name was sent, encoded twice
    expect(exchanges.some(({ url }) => url.pathname.includes('/repositories/web%252Fshop'))).toBe(true)
  })

  test('a planted deviation from Harbor’s description is found', () => {
    const find = (method: string, path: RegExp) => {
      const found = exchanges.find((one) => one.method === method && path.test(one.url.pathname) && one.status < 300)
      if (!found) throw new Error(`${method} ${path} was not asked`)
      return found
    }
    const list = find('GET', /\/projects$/)
    const artifacts = find('GET', /\/artifacts$/)
    const robot = find('POST', /\/robots$/)
    const planted: [string, Exchange, RegExp][] = [
      ['a query that Harbor has not', { ...list, url: new URL(`${list.url.href}&pageSize=10`) }, /query pageSize/],
      ['a page too large', { ...list, url: new URL(list.url.href.replace('page_size=10', 'page_size=500')) }, /range/],
      ['no header with the count', { ...list, answered: {} }, /X-Total-Count/],
      [
        'a name encoded once',
        { ...artifacts, url: new URL(artifacts.url.href.replace('%252F', '%2F')) },
        /encoded once/,
      ],
      ['another path', { ...list, url: new URL(list.url.href.replace('/projects', '/project')) }, /no such call/],
      ['another status', { ...list, status: 204 }, /status 204/],
      [
        'a number as text',
        { ...list, text: list.text.replace(/"project_id":(\d+)/, '"project_id":"$1"') },
        /no integer/,
      ],
      ['a field of its own', { ...list, text: list.text.replace('"name"', '"title"') }, /title is not described/],
      ['a body’s field of its own', { ...robot, body: '{"name":"x","rights":[]}' }, /rights is not described/],
      ['no body', { ...robot, body: undefined }, /body is missing/],
      ['no address of what was made', { ...robot, answered: {} }, /Location/],
    ]
    for (const [title, exchange, expected] of planted)
      expect([title, ...check(exchange)]).toEqual(expect.arrayContaining([expect.stringMatching(expected)]))
  })
})
