import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartRepository, greetingTemplate } from '../../apps/server/test/chart-repository.ts'
import { addRepository, helmProgram } from '../../apps/server/test/lab-helm.ts'
import { newUser } from '../product.ts'
import { clusterStories } from './cluster.ts'

/** The sandbox runs no charts; helm.e2e.ts covers what needs no cluster. */
const program = process.env['GANTRY_STORIES'] === 'lab' ? helmProgram() : undefined

const valuesYaml = '# how it greets\ngreeting: hello\n'
const schema = JSON.stringify({ type: 'object', properties: { greeting: { type: 'string', title: 'Greeting' } } })
describe.skipIf(program === undefined)('with helm (needs a real cluster and helm)', () => {
  clusterStories(
    'a chart',
    (suite, { language }) => {
      let repository: Awaited<ReturnType<typeof chartRepository>>
      let teamId = 0
      const leader = `charts-lead-${language}`
      beforeAll(async () => {
        const { product, cluster } = suite()
        const { admin } = product
        repository = await chartRepository()
        const files = {
          'values.yaml': valuesYaml,
          'values.schema.json': schema,
          'templates/config.yaml': greetingTemplate,
        }
        await repository.add('0.1.0', { ...files, 'templates/NOTES.txt': 'Greet it.' })
        teamId = await cluster.team(cluster.own(`charts-${language}`))
        await newUser(product, leader, { teamId, roleId: 'leader' })
        await addRepository(product, teamId, repository.url)
        await admin.call(stacks.create, { params: { teamId }, body: { name: 'shop', envId: cluster.uuid } })
      })
      afterAll(() => repository.close())

      test('is deployed after a preview of its objects, upgraded, rolled back and deleted', async () => {
        const { enter, cluster } = suite()
        const story = await enter(leader)
        const { page, say, press, reach, write, choose, check } = story
        const dialog = page.getByRole('dialog')
        const button = (key: Parameters<typeof say>[0]) => page.getByRole('button', { name: say(key), exact: true })
        const right = async (steps: number) => {
          await reach(page.getByRole('tab', { selected: true }))
          for (let at = 0; at < steps; at++) await page.keyboard.press('ArrowRight')
        }
        const state = (key: 'deployed' | 'rolling-back') =>
          page
            .getByRole('main')
            .getByText(say(`helm-ui-release-state-${key}`), { exact: true })
            .waitFor()
        const facts = page.getByRole('main')

        await page.goto(`/teams/${teamId}/helm/list`)
        await press(button('helm-ui-deploy').first())
        await press(page.getByRole('link', { name: 'hello', exact: true }))
        await choose(page.getByRole('combobox', { name: say('helm-ui-stack') }), `shop (${cluster.name})`)
        // the form, because the editor keeps Tab for itself
        await right(1)
        await press(button('helm-ui-check'))
        await page.getByText(say('helm-ui-is-install')).waitFor()
        await facts.getByText('ConfigMap').first().waitFor()
        await facts.getByText('Greet it.').waitFor()
        await check()
        await press(button('helm-ui-deploy'))
        await press(page.getByRole('link', { name: 'hello', exact: true }))
        await state('deployed')
        await facts.getByText(say('helm-ui-there'), { exact: true }).waitFor()
        await check()

        await press(button('helm-ui-upgrade'))
        await right(1)
        await write(page.getByLabel('Greeting'), 'good morning')
        await press(button('helm-ui-check'))
        await page.getByText(say('helm-ui-is-upgrade')).waitFor()
        await press(facts.getByText(`${say('helm-ui-change-changed')}: ConfigMap hello`))
        await facts.getByText('good morning').first().waitFor()
        await check()
        await press(button('helm-ui-upgrade'))
        await press(page.getByRole('link', { name: 'hello', exact: true }))
        await state('deployed')
        await right(1)
        await page.getByRole('heading', { name: `${say('helm-ui-revision')} 2: deployed` }).waitFor()
        await check()
        await press(button('helm-ui-rollback'))
        await press(dialog.getByRole('button', { name: say('helm-ui-rollback') }))
        await page.getByRole('heading', { name: `${say('helm-ui-revision')} 3: deployed` }).waitFor()
        await state('deployed')

        await press(button('ui-delete'))
        await write(dialog.getByRole('textbox'), 'hello')
        await check()
        await press(dialog.getByRole('button', { name: say('ui-delete') }))
        await page.getByText(say('helm-ui-releases-none')).waitFor()
        expect(new URL(page.url()).pathname).toBe(`/teams/${teamId}/helm/list`)
        await story.end()
      })
    },
    { env: { GANTRY_HELM: program ?? '' } },
  )
})
