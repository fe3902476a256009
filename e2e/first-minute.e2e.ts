import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { products } from '@gantry/contract/products/products'
import { sample } from '@gantry/contract/sample/sample'
import { stacks } from '@gantry/contract/stacks/stacks'
import { session } from '@gantry/contract/auth/session'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from './browser.ts'
import { caller } from './caller.ts'
import { password, startFresh, type Fresh } from './product.ts'
import { looksOf, openStory, type Story } from './story.ts'
import { takePicture } from './walk/pictures.ts'

/** The experience of a person who has cloned the product, typed `npm start` and opened the printed address. */
describe.skipIf(noBrowser).each(looksOf('the first minute'))(
  `the first minute, $language, $theme, $width px${noBrowser ? ` (skipped: ${noBrowser})` : ''}`,
  (look) => {
    let product: Fresh
    let browser: Browser
    beforeAll(async () => {
      ;[product, browser] = await Promise.all([startFresh({}, 'npm start'), openBrowser()])
    })
    afterAll(async () => {
      await browser?.close()
      await product?.stop()
    })

    test(
      'from the first login to a running service, a change, a rollback, and a complete removal',
      { timeout: 240_000 },
      async () => {
        const story = await openStory(browser, product.url, look)
        await firstLogin(story, product.initialPassword)
        const { page, say, press: enter } = story
        const panel = page.getByRole('region', { name: say('sample-ui-eyebrow') })
        const answer = panel.getByRole('group', { name: say('sample-ui-answer') })
        const press = (key: Parameters<typeof say>[0]) => enter(panel.getByRole('button', { name: say(key) }))

        await panel.getByRole('heading', { name: say('sample-ui-title') }).waitFor()
        await story.check()
        await press('sample-ui-start')
        await answer.getByText('Hello from team-1/hello:1').waitFor({ timeout: 30_000 })
        await panel.getByRole('button', { name: say('sample-ui-change'), disabled: false }).waitFor()
        await story.check()

        await enter(panel.getByRole('link', { name: say('sample-ui-leg-test') }))
        await page.getByRole('heading', { level: 1 }).getByText('#1').waitFor()
        await page.getByText('the service answers over HTTP').first().waitFor()
        await story.check()
        await page.goBack()
        await enter(panel.getByRole('link', { name: say('sample-ui-leg-answer') }))
        await page.getByRole('heading', { level: 1, name: /^hello/ }).waitFor()
        await story.check()
        await takePicture(page, 'from-a-deploy', look)
        await page.goBack()

        await press('sample-ui-change')
        await panel
          .getByRole('heading', { name: say('sample-ui-upgraded', { version: '1.1.0' }) })
          .waitFor({ timeout: 30_000 })
        await answer.getByText('Hello from team-1/hello:2').waitFor()
        await story.check()
        await press('sample-ui-roll-back')
        await answer.getByText('Hello from team-1/hello:1').waitFor()
        await panel.getByRole('button', { name: say('sample-ui-change'), disabled: false }).waitFor()

        await press('sample-ui-remove')
        const yes = page.getByRole('dialog').getByRole('button', { name: say('sample-ui-remove') })
        await yes.waitFor()
        await story.check()
        await enter(yes)
        await panel.getByRole('heading', { name: say('sample-ui-title') }).waitFor({ timeout: 60_000 })
        expect(await leftovers(product.url)).toEqual([])
        await story.end()
      },
    )
  },
)

/** Reads the notice, sets a new password, and logs in with it. */
async function firstLogin({ page, say, check, press }: Story, initialPassword: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  const logIn = async (given: string) => {
    await page.getByLabel(say('auth-username-or-email')).fill('admin')
    await page.getByLabel(say('auth-password'), { exact: true }).fill(given)
    await press(page.getByRole('button', { name: say('auth-login'), exact: true }))
  }
  await page.goto('/')
  await page.waitForURL('**/login**')
  await page.getByLabel(say('auth-username-or-email')).waitFor()
  await check()
  await logIn(initialPassword)
  await press(dialog.getByRole('button', { name: say('auth-wizard-next') }))
  await dialog.getByLabel(say('auth-password-current'), { exact: true }).fill(initialPassword)
  await dialog.getByLabel(say('auth-password-new'), { exact: true }).fill(password)
  await dialog.getByLabel(say('auth-password-repeat'), { exact: true }).fill(password)
  await check()
  await page.keyboard.press('Enter')
  await press(dialog.getByRole('button', { name: say('auth-wizard-again') }))
  await logIn(password)
  await page.waitForURL('**/dashboard')
}

/** The remains of a sample, according to the API. */
async function leftovers(url: string): Promise<string[]> {
  const { token, teams } = await caller(url).call(session.login, { body: { username: 'admin', password } })
  const { call } = caller(url, token)
  const teamId = teams[0]?.id ?? 0
  const { state } = await call(sample.get, { params: { teamId } })
  const left = [
    await call(groups.list, { params: { teamId } }),
    await call(pipelines.list, { params: { teamId } }),
    await call(products.list, { params: { team: teamId } }),
    await call(stacks.list, { params: { teamId, envId: 'all' } }),
  ].flatMap((list) => list.items.map((item) => JSON.stringify(item)))
  return state === 'none' ? left : [state, ...left]
}
