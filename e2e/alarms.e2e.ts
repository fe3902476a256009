import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** The bell notifies a user of a service in trouble. In the sandbox, with a rule that holds from the start. */
stories('alarms', (suite, { language }) => {
  let teamId = 0
  const leader = `alarms-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `alarms-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
    const { id: stackId } = await admin.call(stacks.create, {
      params: { teamId },
      body: { name: 'shop', envId: env?.uuid ?? '' },
    })
    await admin.call(services.create, {
      params: { teamId, stackId, serviceName: 'web' },
      body: { image: 'registry.example.org/shop/web:1' },
    })
  })

  test('a rule with a template and a notification method is created, fires, is acknowledged and silenced', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, pick, write, find, choose, field, check } = story
    const dialog = page.getByRole('dialog')
    const button = (text: string) => page.getByRole('button', { name: text, exact: true })
    const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })
    const menuOf = (name: string) => button(say('ui-actions-of', { name }))
    const conditions = async (within: typeof page | typeof dialog) => {
      await choose(within.getByLabel(say('alarms-ui-metric'), { exact: true }), say('alarms-ui-metric-unavailable'))
      await choose(within.getByLabel(say('alarms-ui-operator'), { exact: true }), '>=')
      await write(within.getByLabel(say('alarms-ui-threshold'), { exact: true }), '0')
      await write(within.getByLabel(say('alarms-ui-for'), { exact: true }), '0')
    }

    await page.goto(`/teams/${teamId}/rule?tab=notifications`)
    await press(button(say('alarms-ui-channel-add')).first())
    await write(field(say('alarms-ui-name')), 'shop-bell')
    await check()
    await press(inDialog(say('ui-save')))
    await dialog.waitFor({ state: 'hidden' })
    // the creator of a team is also its leader
    await pick(menuOf('shop-bell'), say('alarms-ui-channel-test'))
    await page
      .getByText(say('alarms-ui-channel-tested', { count: 2 }))
      .first()
      .waitFor()
    await check()

    await page.goto(`/teams/${teamId}/rule?tab=templates`)
    await press(button(say('alarms-ui-template-add')).first())
    await write(field(say('alarms-ui-name')), 'shop-usual')
    await conditions(dialog)
    await check()
    await press(inDialog(say('ui-save')))
    await dialog.waitFor({ state: 'hidden' })
    await menuOf('shop-usual').waitFor()
    await check()

    await page.goto(`/teams/${teamId}/rule`)
    await page.getByText(say('alarms-ui-none'), { exact: true }).first().waitFor()
    await check()
    await press(button(say('route-rule-create')).first())
    await write(field(say('alarms-ui-name')), 'web-up')
    await find(field(say('alarms-ui-template')), 'shop-usual')
    await press(button(say('alarms-ui-remove', { what: say('alarms-ui-condition') })))
    await choose(page.getByRole('combobox', { name: say('alarms-ui-stack'), exact: true }), /^shop /)
    await choose(page.getByRole('combobox', { name: say('alarms-ui-service'), exact: true }), 'web')
    await press(button(say('alarms-ui-map-add')))
    await choose(field(say('alarms-ui-channels')), 'shop-bell')
    await check()
    await press(button(say('ui-save')))
    await menuOf('web-up').waitFor()
    await check()

    // the next round evaluates the rule, and the page follows
    await page.locator('[data-state=firing]').first().waitFor({ timeout: 100_000 })
    await check()
    await pick(menuOf('web-up'), say('alarms-ui-acknowledge'))
    await page
      .getByText(say('alarms-ui-acknowledged', { name: leader }))
      .first()
      .waitFor()
    await pick(menuOf('web-up'), say('alarms-ui-silence'))
    await check()
    await press(inDialog(say('ui-confirm')))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(say('alarms-ui-silenced'), { exact: true }).first().waitFor()
    await check()

    await press(page.getByRole('link', { name: 'web', exact: true }).first())
    await page.getByRole('status', { name: say('alarms-ui-service-alarms') }).waitFor()
    await check()
    await page.goto(`${new URL(page.url()).pathname}?tab=alarms`)
    await page.getByText(say('alarms-ui-kind-fired'), { exact: true }).first().waitFor()
    await check()
    await pick(menuOf('web-up'), say('alarms-ui-service-unbind'))
    await page.getByText(say('alarms-ui-service-none'), { exact: true }).waitFor()
    await press(button(say('alarms-ui-service-add')))
    await find(dialog.getByRole('combobox', { name: say('alarms-ui-rule') }), 'web-up')
    await check()
    await press(inDialog(say('ui-confirm')))
    await dialog.waitFor({ state: 'hidden' })
    await menuOf('web-up').waitFor()
    await press(button(say('route-rule-create')))
    await page.waitForURL('**/rule/create?**')
    await page.getByText(say('alarms-ui-map-service', { service: 'web', stack: 'shop' })).waitFor()
    await check()

    await page.goto(`/teams/${teamId}/rule?tab=history`)
    await page.getByText(say('alarms-ui-kind-fired'), { exact: true }).first().waitFor()
    await check()

    await page.goto(`/teams/${teamId}/rule?tab=templates`)
    await pick(menuOf('shop-usual'), say('ui-delete'))
    await press(inDialog(say('ui-delete')))
    await dialog.getByText(say('alarms-template-in-use', { name: 'shop-usual', rule: 'web-up' })).waitFor()
    await check()
    await press(inDialog(say('ui-cancel')))

    await page.goto(`/teams/${teamId}/rule`)
    await pick(menuOf('web-up'), say('ui-delete'))
    await press(inDialog(say('ui-delete')))
    await expect.poll(() => page.getByText('web-up', { exact: true }).count()).toBe(0)
    await page.goto(`/teams/${teamId}/rule?tab=notifications`)
    await pick(menuOf('shop-bell'), say('ui-delete'))
    await press(inDialog(say('ui-delete')))
    await page.getByText(say('delete-tips-store')).first().waitFor()
    await story.end(/monitor-api\/v2\/tenants/)
  }, 300_000)
})
