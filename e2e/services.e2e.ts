import { clusters } from '@gantry/contract/clusters/clusters'
import { drift } from '@gantry/contract/stacks/drift'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { elsewhere } from './elsewhere.ts'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

/** A product, its stack and a service: deployed, inspected, scaled, upgraded, deleted. In the sandbox. */

const image = (tag: string) => `registry.example.org/shop/web:${tag}`

stories('services', (suite, { language }) => {
  let teamId = 0
  const leader = `services-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `services-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })

  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })
  const state = ({ page, say }: Story, key: Parameters<Story['say']>[0]) =>
    page.getByRole('heading', { level: 1 }).getByText(say(key), { exact: true }).waitFor()
  const agree = async (story: Story, key: Parameters<Story['say']>[0]) => {
    const dialog = story.page.getByRole('dialog')
    await story.press(dialog.getByRole('button', { name: story.say(key) }))
    await dialog.waitFor({ state: 'hidden' })
  }

  /** Creates a stack in the team, to which services are added. */
  async function stackOf(name: string) {
    const { admin } = suite().product
    const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
    const envId = env?.uuid ?? ''
    const { id: stackId, namespace } = await admin.call(stacks.create, { params: { teamId }, body: { name, envId } })
    const add = (serviceName: string, more: Partial<ServiceSpecInput> = {}) =>
      admin.call(services.create, {
        params: { teamId, stackId, serviceName },
        body: { image: image('1'), ...more },
      })
    return { envId, namespace, add }
  }

  test('a service is created from nothing, its log is read, its terminal used, it is scaled and deleted', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, reach, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/products/personal`)
    await page.getByRole('heading', { name: say('products-ui-none') }).waitFor()
    await check()
    await press(button(story, say('products-ui-create')).first())
    await write(dialog.getByLabel(say('products-ui-name')), 'shop')
    await check()
    await page.keyboard.press('Enter')
    await press(page.getByRole('link', { name: say('route-product-app'), exact: true }))
    await page.getByRole('heading', { name: say('stacks-ui-product-none') }).waitFor()
    await press(button(story, say('products-ui-stack-create')).first())
    await write(dialog.getByLabel(say('stacks-ui-name'), { exact: true }), 'live')
    await check()
    await page.keyboard.press('Enter')
    await press(button(story, say('stacks-ui-services-first')))

    await write(page.getByLabel(say('stacks-ui-service-name'), { exact: true }), 'web')
    await reach(page.getByRole('radio', { name: say('stacks-ui-image-pick'), checked: true }))
    await page.keyboard.press('ArrowRight')
    await write(page.getByLabel(say('stacks-ui-image'), { exact: true }), image('1'))
    await press(button(story, say('stacks-ui-port-add')))
    await write(page.getByLabel(say('stacks-ui-port'), { exact: true }), '8080')
    await check()
    await press(button(story, say('stacks-ui-deploy')))
    await state(story, 'state-stable')
    await check()

    await press(button(story, say('ui-actions-of', { name: 'web' })))
    await page.getByRole('menuitem', { name: say('stacks-ui-scale') }).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await pick(button(story, say('ui-actions-of', { name: 'web' })), say('stacks-ui-scale'))
    await write(dialog.getByRole('spinbutton'), '2')
    await check()
    await page.keyboard.press('Enter')
    await page.getByText('2/2', { exact: true }).first().waitFor()

    const tab = async (key: Parameters<typeof say>[0]) => press(page.getByRole('tab', { name: say(key), exact: true }))
    await reach(page.getByRole('tab', { name: say('route-containers') }))
    await page.keyboard.press('ArrowRight')
    const log = page.getByRole('region', { name: 'web', exact: true })
    await log.locator('.g-log-line').nth(3).waitFor()
    await press(button(story, say('ui-log-pause')))
    await button(story, say('ui-log-follow')).waitFor()
    await check()
    await tab('stacks-ui-log')
    await page.keyboard.press('ArrowRight')
    const terminal = page.getByRole('group', { name: /web/ })
    await terminal.locator('textarea').and(page.locator(':focus')).waitFor()
    await terminal.getByText('/ #').first().waitFor()
    await page.keyboard.type('echo typed by hand')
    await page.keyboard.press('Enter')
    await terminal.getByText('typed by hand', { exact: true }).first().waitFor()
    await check()
    await page.keyboard.press('Escape')
    await tab('stacks-ui-terminal')
    await page.keyboard.press('ArrowRight')
    await press(page.getByRole('button', { name: 'etc', exact: true }))
    await page.getByRole('button', { name: 'hostname', exact: true }).waitFor()
    await check()
    await press(page.getByRole('button', { name: 'hostname', exact: true }))
    await dialog.getByRole('textbox').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await tab('stacks-ui-files')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tabpanel', { name: say('monitoring-ui-tab') }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText(say('alarms-ui-service-none'), { exact: true }).waitFor()
    await check()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('table', { name: say('stacks-ui-events') }).waitFor()
    await check()

    await pick(button(story, say('ui-actions-of', { name: 'web' })), say('ui-delete'))
    await write(dialog.getByRole('textbox'), 'ok')
    await check()
    await page.keyboard.press('Enter')
    await page.getByText(say('stacks-ui-services-none')).waitFor()
    await check()
    await story.end()
  })

  test('a service is upgraded and confirmed, upgraded and rolled back, upgraded and cancelled', async () => {
    const { enter } = suite()
    const { add } = await stackOf('up')
    await add('web')
    const story = await enter(leader)
    const { page, say, press, write, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=up`)
    await press(page.getByRole('link', { name: 'web', exact: true }))
    await state(story, 'state-stable')
    const upgrade = async (to: string) => {
      await press(button(story, say('stacks-ui-upgrade')))
      await write(page.getByLabel(say('stacks-ui-image'), { exact: true }), to)
      await press(button(story, say('stacks-ui-review')))
      await page.getByRole('dialog').getByText(to).first().waitFor()
    }
    await upgrade(image('2'))
    await check()
    await agree(story, 'stacks-ui-upgrade')
    await state(story, 'state-upgraded')
    await check()
    await press(button(story, say('stacks-ui-confirm')))
    await agree(story, 'stacks-ui-confirm')
    await state(story, 'state-stable')

    await upgrade(image('3'))
    await agree(story, 'stacks-ui-upgrade')
    await press(button(story, say('stacks-ui-rollBack')))
    await agree(story, 'stacks-ui-rollBack')
    await state(story, 'state-stable')
    await page.getByText(image('2')).first().waitFor()

    await upgrade('registry.invalid/shop/web:4')
    await agree(story, 'stacks-ui-upgrade')
    await press(button(story, say('stacks-ui-cancel')))
    await agree(story, 'stacks-ui-cancel')
    await state(story, 'state-stable')
    await page.getByText(image('2')).first().waitFor()
    await check()
    await story.end()
  })

  test('a colleague’s change during an upgrade is kept', async () => {
    const { product, enter } = suite()
    const { admin } = product
    const { envId, add } = await stackOf('both')
    const { id } = await add('web')
    const story = await enter(leader)
    const { page, say, press, write, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/appcenter?keyword=both`)
    await press(page.getByRole('link', { name: 'web', exact: true }))
    await state(story, 'state-stable')
    await press(button(story, say('stacks-ui-upgrade')))
    await write(page.getByLabel(say('stacks-ui-image'), { exact: true }), image('2'))
    await admin.call(services.scale, { params: { teamId, envId, id }, query: { replicas: 3 } })
    // a service that is upgraded during its deployment remains in deployment, and needs no decision
    const now = () => admin.call(services.brief, { params: { teamId, envId, id } })
    await expect.poll(async () => (await now()).state, { timeout: 30_000 }).toBe('stable')

    await press(button(story, say('stacks-ui-review')))
    await press(dialog.getByRole('button', { name: say('stacks-ui-upgrade') }))
    await dialog.getByRole('alert').getByText('replicas').waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-review-rebase') }))
    await dialog.getByText(say('stacks-ui-rebased', { revision: 2, by: 'admin' })).waitFor()
    await check()
    await agree(story, 'stacks-ui-upgrade')
    await state(story, 'state-upgraded')
    await page.getByText('3/3', { exact: true }).first().waitFor()
    await page.getByText(image('2')).first().waitFor()
    await story.end(/service\/web/)
  })

  test('the map shows dependencies, is searched, and opens details with two keys', async () => {
    const { enter } = suite()
    const stack = await stackOf('map')
    const add = (serviceName: string, value: string) =>
      stack.add(serviceName, {
        environment: value === '' ? [] : [{ name: 'PEER_HOST', value, secret: false }],
        volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi' }],
      })
    await add('db', '')
    await add('api', 'db')
    const story = await enter(leader)
    const { page, say, press, write, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=map`)
    await press(page.getByRole('link', { name: 'map', exact: true }))
    const map = page.getByRole('listbox', { name: say('stacks-map-of', { name: 'map' }) })
    await map.getByRole('option', { name: /^db / }).waitFor()
    await map.getByRole('option', { name: /^api .*1\/1/ }).waitFor()
    await check()
    await write(page.getByRole('searchbox', { name: say('stacks-map-search') }), 'api')
    await map.getByRole('option', { name: /^api /, selected: true }).waitFor()
    const panel = page.getByRole('complementary', { name: say('stacks-map-chosen') })
    await panel.getByRole('button', { name: 'db', exact: true }).waitFor()
    await check()
    await story.reach(map)
    await page.keyboard.press('ArrowRight')
    await map.getByRole('option', { selected: true, name: /^(db |api\.data)/ }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await map.getByRole('option', { selected: true, name: /^api / }).waitFor()
    await press(panel.getByRole('button', { name: say('stacks-ui-log-of', { name: 'api' }), exact: true }))
    await page.locator('.g-log-line').first().waitFor()
    await page.goBack()
    await story.reach(page.getByRole('tab', { name: say('stacks-map') }))
    await page.keyboard.press('ArrowRight')
    await page.getByText('api.data', { exact: true }).waitFor()
    await check()
    await story.end()
  })

  test('a container that keeps ending shows the log of its previous run', async () => {
    const { enter } = suite()
    const { add } = await stackOf('ill')
    await add('web', { environment: [{ name: 'SANDBOX_CRASH', value: '1', secret: false }] })
    const story = await enter(leader)
    const { page, say, press, pick, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=ill`)
    await press(page.getByRole('link', { name: 'web', exact: true }))
    await page.getByText(say('state-crashloopbackoff'), { exact: true }).first().waitFor()
    await check()
    await pick(page.getByRole('row').last().getByRole('button').last(), say('stacks-ui-log-previous'))
    await page.getByRole('switch', { name: say('stacks-ui-log-previous'), checked: true }).waitFor()
    await page.locator('.g-log-line').first().waitFor()
    await check()
    await story.end()
  })

  test('a service that was changed in the cluster shows its former values, and is restored', async () => {
    const { product, enter } = suite()
    const { admin } = product
    const { envId, namespace, add } = await stackOf('odd')
    const { id } = await add('web')
    const story = await enter(leader)
    const { page, say, press, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=odd`)
    await page.getByText(say('state-stable'), { exact: true }).waitFor()
    const spec = { replicas: 2, template: { spec: { hostname: 'odd' } } }
    const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/web?fieldManager=kubectl-edit`
    await elsewhere(product.data, 'PATCH', deployment, { spec })
    await admin.call(drift.get, { params: { teamId, envId, id } })
    await page.getByText(say('drift-ui-badge'), { exact: true }).first().waitFor()
    await check()
    await press(page.getByRole('link', { name: 'web', exact: true }))
    const found = page.getByRole('region', { name: say('drift-ui-title'), exact: true })
    await found.getByText('spec.replicas').waitFor()
    await check()
    await press(found.getByRole('button', { name: say('drift-ui-put-back') }))
    await agree(story, 'drift-ui-put-back')
    await found.waitFor({ state: 'hidden' })
    await check()
    await story.end()
  })

  test('a service scales by usage and by time', async () => {
    const { enter } = suite()
    const { add } = await stackOf('tide')
    await add('web')
    const story = await enter(leader)
    const { page, say, press, tick, write, pick, choose, field, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/appcenter?keyword=tide`)
    await press(page.getByRole('link', { name: 'web', exact: true }))
    await state(story, 'state-stable')
    await press(button(story, say('stacks-ui-upgrade')))
    await press(button(story, say('stacks-ui-field-autoscaling')))
    await write(field(say('scaling-ui-min')), '2')
    await write(field(say('scaling-ui-max')), '4')
    await tick(page.getByRole('switch', { name: say('scaling-ui-memory') }))
    await press(button(story, say('scaling-ui-period-add')))
    await write(field(say('scaling-ui-from')), '08:00')
    await write(field(say('scaling-ui-to')), '07:59')
    await choose(field(say('scaling-ui-days')), say('scaling-ui-day-mon'))
    await write(field(say('scaling-ui-instances')).last(), '3')
    await check()
    await press(button(story, say('stacks-ui-review')))
    await dialog.getByText(/07:59/).first().waitFor()
    await check()
    await agree(story, 'stacks-ui-upgrade')
    await state(story, 'state-upgraded')
    await press(button(story, say('stacks-ui-confirm')))
    await agree(story, 'stacks-ui-confirm')
    await state(story, 'state-stable')
    await page.getByText(say('scaling-ui-between'), { exact: true }).waitFor()
    await check()
    await pick(button(story, say('ui-actions-of', { name: 'web' })), say('stacks-ui-scale'))
    await dialog.getByText(say('scaling-ui-scale-pauses')).waitFor()
    await write(dialog.getByRole('spinbutton'), '1')
    await check()
    await page.keyboard.press('Enter')
    const resume = button(story, say('scaling-ui-resume'))
    // not while instances are starting or stopping
    await resume.and(page.locator('[aria-disabled=false]')).waitFor()
    await press(resume)
    await resume.waitFor({ state: 'hidden' })
    await story.end()
  })

  test('services are filtered by state, and many are stopped at once', async () => {
    const { enter } = suite()
    const { add } = await stackOf('fleet')
    for (const serviceName of ['sloop', 'ketch', 'yawl'])
      await add(serviceName, { replicas: serviceName === 'yawl' ? 0 : 1 })
    const story = await enter(leader)
    const { page, say, press, tick, choose, check } = story
    const dialog = page.getByRole('dialog')
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    const chosen = page.getByRole('region', { name: say('ui-chosen-region') })
    await page.goto(`/teams/${teamId}/appcenter?tab=services&keyword=fleet`)
    await page
      .getByRole('row')
      .filter({ has: link('sloop'), hasText: say('state-stable') })
      .waitFor()
    await choose(page.getByRole('combobox', { name: say('stacks-ui-state') }), say('state-stopped'))
    await link('sloop').waitFor({ state: 'hidden' })
    await link('yawl').waitFor()
    await choose(page.getByRole('combobox', { name: say('stacks-ui-state') }), say('ui-any'))
    for (const name of ['sloop', 'ketch', 'yawl'])
      await tick(page.getByRole('checkbox', { name: say('ui-choose', { name }) }))
    await chosen.getByText(say('ui-chosen', { count: 3 })).waitFor()
    await check()
    await press(chosen.getByRole('button', { name: say('stacks-ui-stop'), exact: true }))
    await dialog.getByText(say('stacks-ui-stopped-already', { name: 'yawl' })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('stacks-ui-stop'), exact: true }))
    await dialog.getByText(say('ui-bulk-progress', { ended: 2, total: 2, failed: 0 })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-close'), exact: true }).last())
    await dialog.waitFor({ state: 'hidden' })
    await chosen.waitFor({ state: 'hidden' })
    await page
      .getByRole('row')
      .filter({ has: link('ketch'), hasText: say('state-stopped') })
      .waitFor()
    await story.end()
  })
})
