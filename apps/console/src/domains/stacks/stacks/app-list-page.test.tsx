import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { env, listed, service, stack, stackUuid } from '../../../../test/stacks.ts'
import { routes } from '../routes.tsx'

useConsole()

const stacksPath = 'GET /orchestration/api/1/env/all/stacks'
const servicesPath = `GET /orchestration/api/1/env/${env}/stacks/${stackUuid}/services`
const open = () => openApp('/teams/1/appcenter', routes)

/** Everything is near the window of a test. */
class Seen {
  private readonly tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell
  }
  observe(target: Element): void {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry
    this.tell([entry], this as unknown as IntersectionObserver)
  }
  disconnect(): void {
    // Nothing is held.
  }
}

describe('the applications of a team', () => {
  beforeEach(() => {
    globalThis.IntersectionObserver = Seen as unknown as typeof IntersectionObserver
    signedIn({ admin: true })
    server({ [stacksPath]: listed(stack()), [servicesPath]: listed(service()) })
  })

  test('stand with their services, each a link to its containers', async () => {
    await open()
    const web = await screen.findByRole('link', { name: 'web' })
    expect(web.getAttribute('href')).toBe(
      `/teams/1/appcenter/env/${env}/stack/1/${stackUuid}/shop/services/5/web/business/containers/from/appcenter`,
    )
    expect(screen.getByText('stable')).toBeTruthy()
    expect(screen.getByText('b9bad555feb1')).toBeTruthy()
  })

  test('lead to the log of a service in one click', async () => {
    const { at } = await open()
    await screen.findByRole('link', { name: 'web' })
    press('Log of web')
    await waitFor(() => expect(at()).toContain('tab=log'))
  })

  test('say in words what is wrong with a service', async () => {
    server({
      [servicesPath]: listed(
        service({ name: 'broken', state: 'failed', message: 'The image x does not exist. Check its name' }),
        service({ id: 6, name: 'half', ready: 1 }),
      ),
    })
    await open()
    expect(await screen.findByText('The image x does not exist. Check its name')).toBeTruthy()
    expect(screen.getByText('degraded')).toBeTruthy()
    expect(screen.getByText(/1 of 2 instances are ready/)).toBeTruthy()
  })

  test('are searched and narrowed by the server', async () => {
    server({ [`GET /orchestration/api/1/env/${env}/stacks`]: listed(stack()) })
    await openApp(`/teams/1/appcenter?env=${env}&keyword=sh&page=2`, routes)
    await screen.findByRole('heading', { name: 'shop' })
    const call = sent.find(({ path }) => path === `/orchestration/api/1/env/${env}/stacks`)
    expect(call?.query.get('keyword')).toBe('sh')
    expect(call?.query.get('requestPage')).toBe('2')
    expect(call?.query.get('env')).toBeNull()
  })

  test('that are none lead on', async () => {
    server({ [stacksPath]: listed() })
    await open()
    expect(await screen.findByRole('heading', { name: 'No stacks yet' })).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Create stack' })).toHaveLength(2)
  })

  test('that cannot be read say why, and can be asked for again', async () => {
    server({ [stacksPath]: refusal(500, 'server-error', 'Something went wrong') })
    await open()
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    server({ [stacksPath]: listed(stack()) })
    press('Try again')
    expect(await screen.findByRole('heading', { name: 'shop' })).toBeTruthy()
  })

  test('name every service that goes when a stack is deleted, and ask for ok', async () => {
    server({ [`DELETE /orchestration/api/1/env/${env}/stack/${stackUuid}`]: null })
    await open()
    await screen.findByRole('link', { name: 'web' })
    press('Actions for shop')
    fireEvent.click(await screen.findByText('Delete'))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Delete the stack shop?')).toBeTruthy()
    expect(within(dialog).getByText('the service web with its pods (2)')).toBeTruthy()
    expect(within(dialog).getByText(/default-shop/)).toBeTruthy()
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
    fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'ok' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    // the call says what was shown to be deleted
    await waitFor(() => expect(sent.find(({ method }) => method === 'DELETE')?.query.get('confirm')).toBe('shop'))
  })
})
