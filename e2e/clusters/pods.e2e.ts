import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from '../product.ts'
import { clusterStories } from './cluster.ts'

/** Live view of a cluster's pods: a team member sees the team's pods, an administrator all. */

const web = {
  // the lab has this image, and the sandbox assumes it exists
  image: 'localhost/busybox:1',
  command: ['sh', '-c', 'echo "still here"; sleep 3600'],
  resources: { cpu: '0.1', memory: '64Mi' },
}

clusterStories('pods', (suite, { language }) => {
  const leader = `pods-${language}`
  let teamId = 0
  let namespace = ''
  let scale: (replicas: number) => Promise<void>

  async function deploy(): Promise<void> {
    const { product, cluster } = suite()
    const { admin } = product
    const env = cluster.uuid
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'live', envId: env } })
    namespace = stack.namespace
    const params = { teamId, stackId: stack.id, serviceName: 'web' }
    const { id } = await admin.call(services.create, { params, body: web })
    const one = { params: { teamId, envId: env, id } }
    scale = async (replicas) => {
      // a running pod is reported before its service is stable
      await expect.poll(async () => (await admin.call(services.get, one)).state).toBe('stable')
      await admin.call(services.scale, { ...one, query: { replicas } })
    }
  }

  beforeAll(async () => {
    const { product, cluster } = suite()
    teamId = await cluster.team(cluster.own(`team-${language}`))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })

  test('shows no pods, then each pod as it starts; sorts, filters, and opens a log in two clicks', async () => {
    const { cluster, enter } = suite()
    const story = await enter(leader)
    const { page, say, press, reach, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cluster/environments-detail/${cluster.uuid}?tab=pods`)
    await page.getByRole('heading', { name: say('pods-ui-none') }).waitFor()
    await check()

    await deploy()
    const rows = page.getByRole('row').filter({ hasText: 'live / web' })
    await rows.getByText('Running', { exact: true }).waitFor()
    await scale(3)
    await rows.nth(2).getByText('Running', { exact: true }).waitFor()
    await check()

    await press(button(say('pods-ui-restarts')))
    await page
      .getByRole('columnheader', { name: say('pods-ui-restarts') })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    await press(rows.first().getByRole('button').first())
    await page.getByText(say('pods-ui-no-longer', { label: say('pods-ui-namespace'), value: namespace })).waitFor()
    await check()
    await page.reload()
    await rows.nth(2).waitFor()

    await press(rows.first().getByRole('link').first())
    await page.locator('.g-log-line').first().waitFor()
    await check()
    await page.goBack()
    await rows.nth(2).waitFor()

    await reach(page.getByRole('tab', { name: say('clusters-ui-tab-pods'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await page.getByRole('columnheader', { name: say('pods-ui-reason') }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await check()
    // Changes appear by themselves, sooner than the page would read again.
    await scale(2)
    await page.getByRole('row').filter({ hasText: 'SuccessfulDelete' }).first().waitFor()
    await story.end()
  })
})
