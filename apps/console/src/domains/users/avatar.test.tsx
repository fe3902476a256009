import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showing } from '../../api/notices.ts'
import { ada, openPage, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { AvatarControl } from './avatar-control.tsx'
import { Avatar } from './avatar.tsx'

useConsole()

const user = {
  ...ada,
  provider: '',
  state: 'normal' as const,
  roles: [],
  avatar: '',
  lastLoginAt: null,
  createdAt: '',
  updatedAt: '',
}
const picture = () => new Response(new Blob(['RIFF'], { type: 'image/webp' }))
const requests = () => sent.filter(({ path }) => path === '/api/users/7/avatar')

test('without a picture it is the first letter, and no call is made', async () => {
  signedIn()
  await openPage(() => <Avatar user={{ ...user, nickname: '小明' }} />)
  expect(await screen.findByText('小')).toBeTruthy()
  expect(requests()).toEqual([])
})

test('a picture is read with the token, once for all places that show it, and inlined in the page', async () => {
  signedIn()
  server({ 'GET /api/users/7/avatar': picture })
  const withPicture = { ...user, avatar: 'v1' }
  const { container } = await openPage(() => (
    <>
      <Avatar user={withPicture} />
      <Avatar user={withPicture} size={72} />
    </>
  ))
  await waitFor(() => expect(container.querySelectorAll('img')).toHaveLength(2))
  expect(container.querySelector('img')?.src).toMatch(/^data:image\/webp;base64,/)
  expect(requests()).toHaveLength(1)
  expect(requests()[0]?.query.get('v')).toBe('v1')
  expect(requests()[0]?.headers.get('authorization')).toBe('Bearer token-of-ada')
})

test('a picture that cannot be read leaves the letter', async () => {
  signedIn()
  await openPage(() => <Avatar user={{ ...user, avatar: 'gone' }} />)
  expect(await screen.findByText('A')).toBeTruthy()
  await waitFor(() => expect(requests()).toHaveLength(1))
})

test('a file that is not a picture, or too large, is not sent', async () => {
  signedIn()
  const { container } = await openPage(() => <AvatarControl user={user} />)
  const input = container.querySelector('input')
  if (!input) throw new Error('no input')
  const choose = (file: File) => fireEvent.change(input, { target: { files: [file] } })
  choose(new File(['<svg/>'], 'x.svg', { type: 'image/svg+xml' }))
  choose(new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'x.png', { type: 'image/png' }))
  expect(showing.get().map(({ text }) => text)).toEqual([
    'This is not a JPEG or PNG picture. Choose another one.',
    'The picture is larger than 2 MB. Choose a smaller one.',
  ])
  expect(requests()).toEqual([])
  server({ 'POST /api/users/7/avatar': { ...user, avatar: 'v2' } })
  choose(new File(['png'], 'x.png', { type: 'image/png' }))
  await waitFor(() => expect(requests()[0]?.method).toBe('POST'))
})
