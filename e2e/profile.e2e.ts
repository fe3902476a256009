import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { beforeAll, expect, test } from 'vitest'
import { newUser, password } from './product.ts'
import { signIn, stories } from './story.ts'

/** The user's own account: its public data, and the password. */

/** A PNG of a single red pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
const next = 'Quiet-harbour-82'

stories('profile', (suite, { language }) => {
  let teamId = 0
  beforeAll(async () => {
    ;({ id: teamId } = await suite().product.admin.call(teams.create, { body: { name: `own-${language}` } }))
  })

  test('a nickname is changed, a picture is uploaded and removed', async () => {
    const { product } = suite()
    const name = `painter-${language}`
    const { id } = await newUser(product, name, { teamId })
    const story = await suite().enter(name)
    const { page, say, press, reach, write, check } = story
    const avatar = async () => (await product.admin.call(users.get, { params: { id } })).avatar
    await page.goto('/info/basic')
    await press(page.getByRole('button', { name: say('ui-edit'), exact: true }))
    await write(story.field(say('users-nickname')), 'Rembrandt')
    await check()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: say('ui-edit'), exact: true }).waitFor()
    await page.getByText('Rembrandt', { exact: true }).first().waitFor()

    const input = page.locator('input[type=file]')
    await reach(input)
    await input.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: dot })
    await page.getByRole('button', { name: say('users-ui-avatar-remove') }).waitFor()
    await check()
    expect(await avatar()).not.toBe('')
    await press(page.getByRole('button', { name: say('users-ui-avatar-remove') }))
    await expect.poll(avatar).toBe('')
    await story.end()
  })

  test('a new password ends the session and replaces the old one', async () => {
    const { product } = suite()
    const name = `careful-${language}`
    await newUser(product, name, { teamId })
    const story = await suite().enter(name)
    const { page, say, write, check } = story
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await page.goto('/info/update-password')
    await write(field(say('auth-password-current')), 'not-the-one')
    await write(field(say('auth-password-new')), next)
    await write(field(say('auth-password-repeat')), next)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText(say('password-old-wrong')).waitFor()
    await check()
    await write(field(say('auth-password-current')), password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
    await signIn(story, name, password)
    await page.getByRole('alert').getByText(say('login-refused')).waitFor()
    await check()
    await signIn(story, name, next)
    await page.waitForURL('**/dashboard')
    await story.end(/\/api\//)
  })
})
