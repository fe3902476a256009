import { environments } from '@gantry/contract/clusters/environments'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser, type Product } from './product.ts'
import { stories } from './story.ts'

/** What runs on a cluster, as it happens: somebody of a team sees its pods, and an administrator all of them. */

const image = 'registry.example.org/shop/web:1'

stories('pods', (theatre, { language }) => {
  const leader = `pods-${language}`
  let teamId = 0
  let env = ''
  let scale: (replicas: number) => Promise<unknown>

  async function deploy({ admin }: Product): Promise<void> {
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'live', envId: env } })
    const { id } = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image, ports: [{ port: 8080 }], resources: { cpu: '0.1', memory: '64Mi' } },
    })
    scale = (replicas) =>
      admin.call(services.act, { params: { teamId, envId: env, id }, query: { action: 'scale', replicas } })
  }

  beforeAll(async () => {
    const { product } = theatre()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `team-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const [sandbox] = await product.admin.call(environments.ofTeam, { params: { teamId } })
    env = sandbox?.uuid ?? ''
  })

  test('14: nothing yet, then each pod as it starts; sorted, narrowed, and its log in two clicks', async () => {
    const { product } = theatre()
    const story = await theatre().enter(leader)
    const { page, say, press, reach, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cluster/environments-detail/${env}?tab=pods`)
    await page.getByRole('heading', { name: say('pods-ui-none') }).waitFor()
    await check()

    await deploy(product)
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
    await page
      .getByText(say('pods-ui-no-longer', { label: say('pods-ui-namespace'), value: `team-${language}-live` }))
      .waitFor()
    await check()
    await page.reload()
    await rows.nth(2).waitFor()

    await press(rows.first().getByRole('link'))
    await page.locator('.g-log-line').first().waitFor()
    await check()
    await page.goBack()
    await rows.nth(2).waitFor()

    await reach(page.getByRole('tab', { name: say('clusters-ui-tab-pods'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await page.getByRole('columnheader', { name: say('pods-ui-reason') }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await check()
    await story.end()
  })
})
