import { environments } from '@gantry/contract/clusters/environments'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

/** A product, its stack and a service: deployed, looked into, scaled, upgraded, deleted. In the sandbox, where any image runs. */

const image = (tag: string) => `registry.example.org/shop/web:${tag}`

stories('services', (theatre, { language }) => {
  let teamId = 0
  const leader = `services-lead-${language}`
  beforeAll(async () => {
    const { product } = theatre()
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

  test('made from nothing, read, typed into, scaled and deleted', async () => {
    const story = await theatre().enter(leader)
    const { page, say, press, write, reach, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/products/personal`)
    await page.getByRole('heading', { name: say('products-ui-none') }).waitFor()
    await check()
    await press(button(story, say('products-ui-create')).first())
    await write(dialog.getByLabel(say('products-ui-name')), 'shop')
    await check()
    await page.keyboard.press('Enter')
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
    await page.getByRole('tabpanel', { name: say('monitoring-ui-tab') }).waitFor()
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

  test('upgraded and confirmed, upgraded and rolled back, upgraded and cancelled', async () => {
    const { product, enter } = theatre()
    const { admin } = product
    const [env] = await admin.call(environments.ofTeam, { params: { teamId } })
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'up', envId: env?.uuid ?? '' } })
    await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: image('1') },
    })
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
    const { product, enter } = theatre()
    const { admin } = product
    const [env] = await admin.call(environments.ofTeam, { params: { teamId } })
    const envId = env?.uuid ?? ''
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'both', envId } })
    const { id } = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: image('1') },
    })
    const story = await enter(leader)
    const { page, say, press, write, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/appcenter?keyword=both`)
    await press(page.getByRole('link', { name: 'web', exact: true }))
    await state(story, 'state-stable')
    await press(button(story, say('stacks-ui-upgrade')))
    await write(page.getByLabel(say('stacks-ui-image'), { exact: true }), image('2'))
    await admin.call(services.scale, { params: { teamId, envId, id }, query: { replicas: 3 } })

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

  test('one that ends again and again: what it wrote before', async () => {
    const { product, enter } = theatre()
    const { admin } = product
    const [env] = await admin.call(environments.ofTeam, { params: { teamId } })
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'ill', envId: env?.uuid ?? '' } })
    await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: image('1'), environment: [{ name: 'SANDBOX_CRASH', value: '1', secret: false }] },
    })
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
})
