import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { session } from '@gantry/contract/auth/session'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { beforeAll, expect, test } from 'vitest'
import { newUser, password } from './product.ts'
import { signIn, stories, type Story } from './story.ts'

/** Logging in, in every way, and that a banned user is logged out everywhere. */

const loginCall = /\/api\/users\/login/
/** Calls of a page that does not know yet that its session has ended. */
const overCalls = /\/api\//

stories(
  'signing in',
  (suite, { language }) => {
    let teamId = 0
    beforeAll(async () => {
      ;({ id: teamId } = await suite().product.admin.call(teams.create, { body: { name: `team-${language}` } }))
    })
    const member = (name: string) => newUser(suite().product, `${name}-${language}`, { teamId })
    const approve = (id: number, enable: 'true' | 'false') =>
      suite().product.admin.call(users.approve, { params: { id }, query: { enable } })
    const refused = ({ page }: Story) => page.getByRole('alert').filter({ visible: true })

    test('a visitor registers, waits for an administrator, and logs in', async () => {
      const { product } = suite()
      const story = await suite().open()
      const { page, say, press, write, check } = story
      const userName = `grace-${language}`
      await page.goto('/login')
      await press(page.getByRole('link', { name: say('auth-register') }))
      await page.getByRole('heading', { name: say('auth-register-title') }).waitFor()
      await check()
      const field = (name: string) => page.getByLabel(name, { exact: true })
      await write(field(say('auth-username')), userName)
      await write(field(say('auth-nickname')), 'Grace')
      await write(field(say('auth-email')), `${userName}@example.org`)
      await write(field(say('auth-password')), 'password')
      await write(field(say('auth-password-again')), 'passwort')
      await page.keyboard.press('Enter')
      await page.getByText(say('valid-pwd-strenght')).waitFor()
      await page.getByText(say('valid-pwd-diff')).waitFor()
      await check()
      await write(field(say('auth-password')), password)
      await write(field(say('auth-password-again')), password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: say('auth-registered-title') }).waitFor()
      await check()

      await press(page.getByRole('link', { name: say('auth-to-login') }))
      await signIn(story, userName, password)
      await refused(story).getByText(say('login-unapproved')).waitFor()
      await check()
      const { items } = await product.admin.call(users.list, { query: { keyword: userName } })
      const id = items[0]?.id ?? 0
      await approve(id, 'true')
      await product.admin.call(teams.addMembers, { params: { id: teamId }, body: [id] })
      await signIn(story, userName, password)
      await page.waitForURL(`**/teams/${teamId}/dashboard`)
      await story.end(loginCall)
    })

    test('a new user changes the initial password in three steps, and logs in with the new one', async () => {
      const { product } = suite()
      const userName = `newcomer-${language}`
      const body = { userName, nickname: userName, email: `${userName}@x.org` }
      const made = await product.admin.call(users.create, { body })
      await product.admin.call(teams.addMembers, { params: { id: teamId }, body: [made.id] })

      const story = await suite().open()
      const { page, say, press, write, check } = story
      await page.goto(`/teams/${teamId}/audit-logs`)
      await page.waitForURL('**/login')
      await signIn(story, userName, made.initialPassword)
      const dialog = page.getByRole('dialog')
      await dialog.getByText(say('auth-wizard-memo')).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('auth-wizard-next') }))
      const field = (name: string) => dialog.getByLabel(name, { exact: true })
      await write(field(say('auth-password-current')), 'not-the-initial')
      await write(field(say('auth-password-new')), password)
      await write(field(say('auth-password-repeat')), password)
      await page.keyboard.press('Enter')
      await refused(story).getByText(say('password-old-wrong')).waitFor()
      await check()
      await write(field(say('auth-password-current')), made.initialPassword)
      await page.keyboard.press('Enter')
      await dialog.getByText(say('auth-wizard-success')).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('auth-wizard-again') }))
      await dialog.waitFor({ state: 'hidden' })
      await signIn(story, userName, password)
      // the page that the visitor wanted to open first
      await page.waitForURL(`**/teams/${teamId}/audit-logs`)
      await story.end(/\/api\/users\/\d+$/)
    })

    test('the profile lists the user’s logins; ending one logs its page out', async () => {
      const name = `twice-${language}`
      await member('twice')
      const [here, there] = [await suite().enter(name), await suite().enter(name)]
      const { page, say, press, check } = here
      await page.goto('/info/basic')
      const list = page.getByRole('listitem').filter({ hasText: say('auth-session-seen') })
      await list.getByText(say('auth-session-here')).waitFor()
      await check()
      // the session that created the user, the other browser, and this one
      await expect.poll(() => list.count()).toBe(3)
      await press(page.getByRole('button', { name: say('auth-sessions-end'), exact: true }))
      const dialog = page.getByRole('dialog')
      await dialog.getByText(say('auth-sessions-end-text', { count: 2 })).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('auth-sessions-end'), exact: true }))
      await expect.poll(() => list.count()).toBe(1)
      await there.page.waitForURL('**/login')
      await there.page.getByText(there.say('login-again')).waitFor()
      await here.end()
      await there.end(overCalls)
    })

    test('a banned user is logged out within a second in every tab, sees why, and returns to the page', async () => {
      const user = await member('banned')
      const story = await suite().enter(`banned-${language}`)
      const other = await story.tab()
      await other.page.goto('/info/basic')
      await other.page.getByRole('heading', { name: other.say('auth-sessions') }).waitFor()
      await approve(user.id, 'false')
      for (const { page, say } of [story, other]) {
        await page.waitForURL('**/login')
        await page.getByText(say('login-again')).waitFor()
      }
      await expect(user.call(session.sessions)).rejects.toMatchObject({ status: 401 })
      await other.check()
      await signIn(other, `banned-${language}`, password)
      await refused(other).getByText(other.say('login-disabled')).waitFor()
      await approve(user.id, 'true')
      await other.page.keyboard.press('Enter')
      await other.page.waitForURL('**/info/basic')
      await other.end(overCalls)
    })

    test('a page on another port gets no session by the login cookie; a new tab of ours does, without a password', async () => {
      await member('ports')
      const story = await suite().enter(`ports-${language}`)
      const { url } = suite().product
      let got = ''
      const elsewhere = createServer((request, response) => {
        got = request.headers.cookie ?? got
        response.end('<!doctype html><title>elsewhere</title>')
      })
      elsewhere.listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      const lured = await story.page.context().newPage()
      await lured.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/api/`)
      // the browser sends the cookie, and its receiver replays it
      expect(got).toContain('gantry_session=gc_')
      const replayed = await fetch(`${url}/api/users/refresh`, { method: 'POST', headers: { cookie: got } })
      expect(replayed.status).toBe(401)
      await lured.close()
      elsewhere.close()
      const tab = await story.tab()
      await tab.page.goto('/info/basic')
      await tab.page.getByRole('heading', { name: tab.say('auth-sessions') }).waitFor()
      await tab.end()
    })

    test('while strangers guess passwords, a user continues to work, and can log in again from the usual place', async () => {
      const { product } = suite()
      await member('guessed')
      const name = `guessed-${language}`
      const story = await suite().enter(name)
      for (let wrong = 0; wrong < 4; wrong++) await expect(product.signIn(name, 'wrong')).rejects.toThrow()
      await story.page.goto('/info/basic')
      await story.page.getByRole('heading', { name: story.say('auth-sessions') }).waitFor()
      await story.check()
      await story.pick(
        story.page.getByRole('button', { name: story.say('shell-user-menu', { name }) }),
        story.say('shell-logout'),
      )
      await story.page.waitForURL('**/login')
      await signIn(story, name, password)
      await story.page.waitForURL('**/dashboard')
      const stranger = await suite().open()
      await stranger.page.goto('/login')
      await signIn(stranger, name, password)
      await refused(stranger).getByText(stranger.say('login-locked')).waitFor()
      await stranger.check()
      await stranger.end(loginCall)
      await story.end()
    })

    test('a logout in one tab logs out the others, and the cookie logs no tab in any more', async () => {
      await member('tabs')
      const name = `tabs-${language}`
      const story = await suite().enter(name)
      const other = await story.tab()
      await other.page.goto('/info/basic')
      await other.page.getByRole('heading', { name: other.say('auth-sessions') }).waitFor()
      await story.pick(
        story.page.getByRole('button', { name: story.say('shell-user-menu', { name }) }),
        story.say('shell-logout'),
      )
      await story.page.getByText(story.say('logout-success')).waitFor()
      await other.page.waitForURL('**/login')
      const third = await story.tab()
      await third.page.goto('/info/basic')
      await third.page.waitForURL('**/login')
      await third.end()
    })
  },
  { GANTRY_REGISTRATION: 'on', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
)
