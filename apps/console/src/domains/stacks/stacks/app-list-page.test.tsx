import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { env, listed, service, stack, stackUuid } from '../../../../test/stacks.ts'
import { routes } from '../routes.tsx'

useConsole()

const servicesPath = `GET /orchestration/api/1/env/${env}/stacks/${stackUuid}/services`
const here = 'GET /orchestration/api/1/env/all'
const open = (search = '') => openApp(`/teams/1/appcenter${search}`, routes)
const application = (...services: ServiceDetail[]) => ({ ...stack({ serviceNum: services.length }), services })

describe('the applications of a team', () => {
  beforeEach(() => {
    signedIn({ admin: true })
    server({ [`${here}/applications`]: listed(application(service())), [servicesPath]: listed(service()) })
  })

  test('are shown with their services, each linked to its containers', async () => {
    await open()
    const web = await screen.findByRole('link', { name: 'web' })
    expect(web.getAttribute('href')).toBe(
      `/teams/1/appcenter/env/${env}/stack/1/${stackUuid}/shop/services/5/web/business/containers/from/appcenter`,
    )
    expect(screen.getByText('stable')).toBeTruthy()
    expect(screen.getByText('b9bad555feb1')).toBeTruthy()
    // one call for all of them
    expect(sent.filter(({ path }) => path.startsWith('/orchestration/'))).toHaveLength(1)
  })

  test('link to the log of a service in one click', async () => {
    const { at } = await open()
    await screen.findByRole('link', { name: 'web' })
    press('Log of web')
    await waitFor(() => expect(at()).toContain('tab=log'))
  })

  test('describe the problem of a service', async () => {
    server({
      [`${here}/applications`]: listed(
        application(
          service({ name: 'broken', state: 'failed', message: 'The image x does not exist. Check its name' }),
          service({ id: 6, name: 'half', ready: 1 }),
        ),
      ),
    })
    await open()
    expect(await screen.findByText('The image x does not exist. Check its name')).toBeTruthy()
    expect(screen.getByText('degraded')).toBeTruthy()
    expect(screen.getByText(/1 of 2 instances are ready/)).toBeTruthy()
  })

  test('are searched and filtered by the server', async () => {
    server({ [`GET /orchestration/api/1/env/${env}/applications`]: listed(application()) })
    await open(`?env=${env}&keyword=sh&state=running&productId=4&page=2`)
    await screen.findByRole('heading', { name: 'shop' })
    const call = sent.find(({ path }) => path === `/orchestration/api/1/env/${env}/applications`)
    expect(Object.fromEntries(call?.query ?? [])).toEqual({
      requestPage: '2',
      pageSize: '10',
      keyword: 'sh',
      state: 'running',
      productId: '4',
    })
  })

  test('are also one list of services, filtered by their state', async () => {
    server({ [`${here}/application-services`]: listed(service({ state: 'upgraded' })) })
    await open('?tab=services&serviceState=upgraded')
    const row = await screen.findByRole('row', { name: /web/ })
    expect(within(row).getByText('shop')).toBeTruthy()
    expect(within(row).getByText('ada')).toBeTruthy()
    const call = sent.find(({ path }) => path.endsWith('/env/all/application-services'))
    expect(call?.query.get('state')).toBe('upgraded')
    expect(call?.query.get('serviceState')).toBeNull()
  })

  test('link to the other services if not all are shown', async () => {
    server({ [`${here}/applications`]: listed({ ...application(service()), serviceNum: 31 }) })
    await open()
    const more = await screen.findByRole('link', { name: 'All 31 services of shop' })
    expect(more.getAttribute('href')).toBe('/teams/1/appcenter?tab=services&keyword=shop')
  })

  test('name the missing permission if the user may not view services', async () => {
    server({ [`${here}/applications`]: listed({ ...stack(), services: null }) })
    await open()
    expect(await screen.findByText(/stack_service_view|View services/)).toBeTruthy()
  })

  test('offer a next step if there are none', async () => {
    server({ [`${here}/applications`]: listed() })
    await open()
    expect(await screen.findByRole('heading', { name: 'No stacks yet' })).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Create stack' })).toHaveLength(2)
  })

  test('show why they cannot be read, and can be requested again', async () => {
    server({ [`${here}/applications`]: refusal(500, 'server-error', 'Something went wrong') })
    await open()
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    server({ [`${here}/applications`]: listed(application()) })
    press('Try again')
    expect(await screen.findByRole('heading', { name: 'shop' })).toBeTruthy()
  })

  test('name every service that is deleted with a stack, and require typing ok', async () => {
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
    // the call repeats what the confirmation showed
    await waitFor(() => expect(sent.find(({ method }) => method === 'DELETE')?.query.get('confirm')).toBe('shop'))
  })
})
