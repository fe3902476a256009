import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gitServer, type GitServer } from '../apps/agent/test/git-server.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'
import { takePicture } from './walk/pictures.ts'

/** A repository that the product has never seen, from the dashboard to a successful build. */

let git: GitServer
beforeAll(async () => {
  git = await gitServer()
  await git.commit('main', {
    'package.json': '{"name":"lights","version":"1.0.0","scripts":{"test":"node --test"}}',
    'package-lock.json':
      '{"name":"lights","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"lights","version":"1.0.0"}}}',
    'lights.test.mjs': "import test from 'node:test'\ntest('the lights go on', () => {})\n",
    'api/go.mod': 'module api\n',
  })
})
afterAll(() => git?.close())

stories(
  'one’s own repository',
  (suite, look) => {
    const { language } = look
    const leader = `onboard-${language}`
    beforeAll(async () => {
      const { product } = suite()
      const { id: teamId } = await product.admin.call(teams.create, { body: { name: `onboarding-${language}` } })
      await newUser(product, leader, { teamId, roleId: 'leader' })
    })

    test('from the dashboard to a successful build in six presses', async () => {
      const story = await suite().enter(leader)
      const { page, say, write, reach, field, check } = story
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      let presses = 0
      const press = async (...what: Parameters<typeof story.press>) => {
        presses += 1
        await story.press(...what)
      }
      await press(page.getByRole('link', { name: say('dashboard-repository') }))
      await write(field(say('pipelines-ui-url')), `${git.url}/smart/hello.git`)
      await check()
      await press(button(say('pipelines-onboard-look')))
      const npm = page.getByRole('radio', { name: say('pipelines-onboard-kind-npm') })
      await reach(npm)
      expect(await npm.isChecked()).toBe(true)
      await check()
      await takePicture(page, 'own-repository', look)
      await press(button(say('pipelines-onboard-create')))
      await page.getByText(say('pipelines-onboard-hook-waiting')).waitFor()
      await check()
      await press(button(say('pipelines-onboard-log')))
      await page.getByRole('heading', { level: 1 }).getByText(say('state-success')).waitFor({ timeout: 60_000 })
      expect(presses).toBeLessThanOrEqual(6)
      await check()
      await story.end()
    })

    test('a private one: its credentials are requested, tested and stored; the proposal is changed first', async () => {
      const story = await suite().enter(leader)
      const { page, say, press, write, reach, field, check } = story
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await press(page.getByRole('link', { name: say('dashboard-repository') }))
      await write(field(say('pipelines-ui-url')), `${git.url}/private/hello.git`)
      await press(button(say('pipelines-onboard-look')))
      await page.getByRole('alert').waitFor()
      await check()
      await write(field(say('pipelines-ui-username')), 'robin')
      await write(field(say('pipelines-ui-password')), 'open sesame')
      await press(button(say('pipelines-onboard-look')))
      await reach(page.getByRole('radio', { name: say('pipelines-onboard-kind-npm') }))
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.getByText(`${say('pipelines-proposal-checkout')} → ${say('pipelines-proposal-build')}`).waitFor()
      await press(button(say('pipelines-onboard-edit')))
      await reach(page.getByRole('textbox', { name: say('pipelines-onboard-steps') }))
      await check()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText('stages: [{ name: ours, steps: [{ type: script, name: greet, run: "true" }] }]')
      // Tab belongs to the editor until Escape
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      await press(button(say('ui-yaml-review')))
      await press(button(say('ui-yaml-apply')))
      await page.getByText('greet', { exact: true }).waitFor()
      await write(field(say('pipelines-ui-name')), `private-${language}`)
      await press(button(say('pipelines-onboard-create')))
      await button(say('pipelines-onboard-hook-set')).waitFor()
      await check()
      await story.end(/repositories\/look/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' },
)
