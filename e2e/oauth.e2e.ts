import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../apps/server/test/lab.ts'
import { stories } from './story.ts'

/** An administrator configures an OpenID Connect provider; users log in on its page and log out again. */

const lab = labService('keycloak')

describe.skipIf(lab === undefined)(`with a real Keycloak${lab ? '' : ' (skipped: there is no lab)'}`, () => {
  const provider = lab?.['KEYCLOAK_URL'] ?? ''
  const issuer = lab?.['OIDC_ISSUER'] ?? ''
  const clientId = `story-${process.pid}`
  const clientSecret = 'a-secret-of-the-story'
  let forget: (() => Promise<void>) | undefined
  afterAll(() => forget?.())

  stories(
    'OAuth',
    (suite, { language }) => {
      const isEnglish = language === 'en'
      const name = `Keycloak ${language}`
      /** Another user for each look, because the looks share the product and the provider. */
      const user = isEnglish ? 'u01' : 'u02'
      let teamId = 0
      beforeAll(async () => {
        const { admin } = suite().product
        ;({ id: teamId } = await admin.call(teams.create, { body: { name: `team-${language}` } }))
        const { redirectUri, logoutUri } = await admin.call(oauthProvider.get)
        forget ??= await register(redirectUri, logoutUri)
      })

      test('an administrator configures the provider', async () => {
        const story = await suite().enter('admin')
        const { page, say, press, tick, write, choose, field, check } = story
        const button = (text: string) => page.getByRole('button', { name: text, exact: true })
        const turn = async (text: string, on: boolean) => {
          if ((await field(text).isChecked()) !== on) await tick(field(text))
        }
        await page.goto('/sysconfig/oauth')
        await page.getByText(`${suite().product.url}${oauth.backchannelLogout.path}`).waitFor()
        await press(page.getByText(say('oauth-ui-keycloak')))
        await page.getByText(say('oauth-ui-keycloak-4')).waitFor()
        await check()
        await turn(say('oauth-ui-enabled'), true)
        await write(field(say('oauth-ui-name')), name)
        await write(field(say('oauth-ui-issuer')), issuer)
        await write(field(say('oauth-ui-client')), clientId)
        await write(field(say('oauth-ui-secret')), 'not-the-secret')
        await press(button(say('oauth-ui-test')))
        const [refused = ''] = say('oauth-client-refused').split('{problem}')
        await page.getByText(refused).waitFor()
        await check()
        await write(field(say('oauth-ui-secret')), clientSecret)
        await turn(say('oauth-ui-logout'), isEnglish)
        // the claim that serves as groups here, because this realm has none
        await write(field(say('oauth-ui-claim-groups')), 'email')
        if (!(await field(say('oauth-ui-group')).isVisible())) await press(button(say('teams-ui-mapping-add')))
        await write(field(say('oauth-ui-group')), `${user}@example.org`)
        await choose(field(say('teams-ui-mapping-team')), `team-${language}`)
        await press(button(say('oauth-ui-test')))
        await page.getByText(say('oauth-ui-found')).waitFor()
        await page.getByText(`${issuer}/protocol/openid-connect/auth`).waitFor()
        await check()
        await press(button(say('ui-save')))
        await page
          .locator('.g-toast')
          .filter({ hasText: say('save-success', { object: '' }).trim() })
          .waitFor()
        await story.end(/\/api\/oauth\/test/)
      })

      test(`users log in on its page; a logout ${isEnglish ? 'ends' : 'leaves'} its session`, async () => {
        const story = await suite().open(provider)
        const { page, say, reach, press, write, pick, check } = story
        const password = page.locator('input[name=password]')
        const setOut = async () => {
          await reach(page.getByRole('tab', { name: say('auth-tab-username') }))
          await page.keyboard.press('ArrowRight')
          await press(page.getByRole('link', { name: say('auth-oauth-with', { name }) }))
        }
        await page.goto('/login?tab=oauth')
        await page.getByRole('link', { name: say('auth-oauth-with', { name }) }).waitFor()
        await check()
        await page.goto('/login')
        await setOut()
        await write(page.locator('input[name=username]'), user)
        await write(password, `pass-${user}`)
        await page.keyboard.press('Enter')
        await page.waitForURL(`**/teams/${teamId}/dashboard`)
        const menu = page.getByRole('button', { name: say('shell-user-menu', { name: `User ${user.slice(1)}` }) })
        await menu.waitFor()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await check()

        await pick(menu, say('shell-logout'))
        await page.waitForURL(`${suite().product.url}/login**`)
        await setOut()
        if (isEnglish) {
          await password.waitFor()
          expect(page.url()).toContain(issuer)
        } else await page.waitForURL(`**/teams/${teamId}/dashboard`)
        await story.end()
      })
    },
    { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
  )

  /** Creates a client for these addresses, and answers a function that deletes it. */
  async function register(redirectUri: string, logoutUri: string): Promise<() => Promise<void>> {
    const clients = `${provider}/admin/realms/console/clients`
    const headers = async () => ({ authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' })
    const client = {
      clientId,
      secret: clientSecret,
      redirectUris: [redirectUri],
      attributes: { 'post.logout.redirect.uris': logoutUri },
    }
    const made = await fetch(clients, { method: 'POST', headers: await headers(), body: JSON.stringify(client) })
    const at = made.headers.get('location')
    if (made.status !== 201 || at === null) throw new Error(`the client was not made: ${made.status}`)
    return async () => {
      await fetch(at, { method: 'DELETE', headers: await headers() })
    }
  }

  /** Valid for a minute. */
  async function adminToken(): Promise<string> {
    const answer = await fetch(`${provider}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: lab?.['KEYCLOAK_ADMIN'] ?? '',
        password: lab?.['KEYCLOAK_ADMIN_PASSWORD'] ?? '',
      }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
})
