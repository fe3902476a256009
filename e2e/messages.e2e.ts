import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { runBuild } from './builds.ts'
import { newUser, password } from './product.ts'
import { stories } from './story.ts'

/** Toasts of the product, and what the bell keeps of them. */

/** The controls that a toast covers; if a dialog is open, only the dialog's. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('.ant-modal-wrap')].findLast((one) => one.clientHeight > 0)
    const toasts = [...document.querySelectorAll('.g-toast')].map((one) => one.getBoundingClientRect())
    return [...(dialog ?? document).querySelectorAll<HTMLElement>('button, input, .ant-pagination')]
      .filter((one) => !one.closest('.g-toasts') && one.checkVisibility())
      .filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect()
        return toasts.some((t) => left < t.right && t.left < right && top < t.bottom && t.top < bottom)
      })
      .map((one) => one.outerHTML.slice(0, 120))
  })

/** A toast moves with the content under it (the list grew, the dialog closed) before it disappears. */
async function clear(page: Page): Promise<void> {
  await expect.poll(() => covered(page)).toEqual([])
  expect(await page.locator('.g-toast').count()).toBeGreaterThan(0)
}

stories('messages', (suite, { language }) => {
  let teamId = 0
  const leader = `lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `team-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })

  test('toasts name their object and cover no control, wherever they appear', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write } = story
    const dialog = page.getByRole('dialog')
    const toast = page.locator('.g-toast')
    const appears = async (words: string) => {
      await toast.getByText(words, { exact: true }).waitFor()
      await clear(page)
    }
    await page.goto(`/teams/${teamId}/cd/pipeline-groups`)
    // enough rows for a pager, and for a list that ends below the window
    const caller = await suite().product.signIn(leader, password)
    for (let n = 1; n <= 12; n++) await caller.call(groups.create, { params: { teamId }, body: { name: `group-${n}` } })
    await page.reload()
    await press(page.getByRole('button', { name: say('pipelines-ui-group-create') }).first())
    await write(dialog.getByLabel(say('pipelines-ui-name')), 'shop')
    await page.keyboard.press('Enter')
    await appears(say('create-success', { object: `${say('noun-pipeline-group')} shop` }))
    await dialog.waitFor({ state: 'hidden' })
    await story.end()
  })

  test('a build that failed elsewhere is in the bell, on every device, until it is read', async () => {
    const caller = await suite().product.signIn(leader, password)
    const { id: appId } = await caller.call(groups.create, { params: { teamId }, body: { name: 'bell' } })
    const { id } = await caller.call(definitions.create, {
      body: {
        appId,
        projectName: 'web',
        definition: { stages: [{ name: 'only', steps: [{ type: 'script', name: 'fail', run: 'exit 1' }] }] },
      },
    })
    const story = await suite().enter(leader)
    const { page, say, press, check } = story
    const bell = page.getByRole('banner').getByRole('button', { name: say('notifications-title') })
    const words = say('notifications-build-failed', { pipeline: 'web', number: 1 })
    // only a notification that arrives after the bell has read its list is new
    await Promise.all([page.waitForResponse(/\/api\/notifications\?/), page.reload()])
    await Promise.all([page.locator('.g-toast').getByText(words).waitFor({ timeout: 90_000 }), runBuild(caller, id)])
    await clear(page)
    await page.reload()
    const other = await suite().enter(leader)
    for (const { page: device } of [story, other])
      await device.getByRole('button', { name: say('notifications-bell', { count: 1 }) }).waitFor()
    await press(bell)
    await page.getByRole('link', { name: words }).waitFor()
    await check()
    await press(page.getByRole('link', { name: words }))
    await page.waitForURL('**/history/1/info')
    await other.page.getByRole('button', { name: say('notifications-bell-none') }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^web #1 · /)
    await story.end()
    await other.end()
  })
})
