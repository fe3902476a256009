import { type HelmRepository, helmRepositories } from '@gantry/contract/helm/repositories'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartRepository } from '../apps/server/test/chart-repository.ts'
import { stories } from './story.ts'

/** Chart repositories and charts, without a cluster: the story serves the repository itself. */

const env = { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' }

const valuesYaml = '# how it greets\ngreeting: hello\nweb:\n  replicas: 1\n'
const schema = JSON.stringify({
  type: 'object',
  properties: {
    greeting: { type: 'string', title: 'Greeting' },
    web: { type: 'object', properties: { replicas: { type: 'integer', title: 'Replicas' } } },
  },
})

stories(
  'charts',
  (suite, { language }) => {
    let repository: Awaited<ReturnType<typeof chartRepository>>
    let teamId = 0
    beforeAll(async () => {
      repository = await chartRepository()
      const files = { 'values.yaml': valuesYaml, 'values.schema.json': schema, 'README.md': 'Greets <b>everybody</b>.' }
      await repository.add('0.1.0', files)
      await repository.add('0.2.0', files)
      const { admin } = suite().product
      teamId = (await admin.call(teams.create, { body: { name: `helm-${language}` } })).id
    })
    afterAll(async () => {
      const { admin } = suite().product
      const { items } = await admin.call(helmRepositories.list, {})
      for (const { id } of items) await admin.call(helmRepositories.remove, { params: { id } })
      repository.close()
    })

    test('an administrator adds a repository, assigns it to a team, and reads all again', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, write, pick, field, check } = story
      const name = `charts-${language}`
      await page.goto('/sysconfig/helm/repo')
      await page.getByRole('heading', { name: say('route-sys-helm') }).waitFor()
      await check()
      await press(page.getByRole('button', { name: say('helm-ui-add') }).first())
      await write(field(say('helm-ui-name')), name)
      await write(field(say('helm-ui-url')), `${repository.url}/elsewhere`)
      await check()
      const submit = page.getByRole('dialog').getByRole('button', { name: say('helm-ui-add') })
      await press(submit)
      await page
        .getByText(say('helm-not-there', { url: `${repository.url}/elsewhere/index.yaml` }))
        .first()
        .waitFor()
      await write(field(say('helm-ui-url')), repository.url)
      await press(submit)
      const row = page.getByRole('row').filter({ hasText: name })
      await row.waitFor()
      // a closing dialog restores the focus, which would close a menu that opens meanwhile
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await pick(row.getByRole('button', { name: say('ui-actions-of', { name }) }), say('helm-ui-assign'))
      await write(page.getByRole('dialog').getByRole('combobox'), `helm-${language}`)
      await page
        .locator('.ant-select-item-option-active')
        .filter({ hasText: `helm-${language}` })
        .waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await press(page.getByRole('dialog').getByRole('button', { name: say('ui-save') }))
      await row.filter({ hasText: `helm-${language}` }).waitFor()
      await press(page.getByRole('button', { name: say('helm-ui-read-all') }))
      await page.getByText(say('helm-ui-read-all-done')).waitFor()
      await check()
      await story.end(/\/helm\/api\/repositories/)
    })

    test('a chart is found, its values are entered, and each line of the result shows its origin', async () => {
      const { admin } = suite().product
      const { items } = await admin.call(helmRepositories.list, { query: { keyword: `charts-${language}` } })
      const added =
        (items as HelmRepository[])[0] ??
        (await admin.call(helmRepositories.create, { body: { name: `charts-${language}`, url: repository.url } }))
      await admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [teamId] } })
      const story = await suite().enter('admin')
      const { page, say, press, reach, write, check } = story
      const right = async (steps: number) => {
        await reach(page.getByRole('tab', { selected: true }))
        for (let at = 0; at < steps; at++) await page.keyboard.press('ArrowRight')
      }
      await page.goto(`/teams/${teamId}/helm/list`)
      await page.getByText(say('helm-ui-releases-none')).waitFor()
      await check()
      await press(page.getByRole('button', { name: say('helm-ui-deploy') }).first())
      await press(page.getByRole('link', { name: 'hello', exact: true }))
      await page.getByRole('heading', { name: 'hello' }).waitFor()
      await right(1)
      await write(page.getByLabel('Greeting'), 'good morning')
      await check()
      await right(1)
      const lines = page.getByRole('list', { name: say('helm-ui-result') }).getByRole('listitem')
      await expect
        .poll(() => lines.filter({ hasText: 'greeting: good morning' }).innerText())
        .toContain(say('helm-ui-layer-yours'))
      expect(await lines.filter({ hasText: 'replicas' }).innerText()).toContain(say('helm-ui-layer-chart'))
      await check()
      await right(2)
      await page.getByText('Greets <b>everybody</b>.').waitFor()
      await story.end()
    })
  },
  env,
)
