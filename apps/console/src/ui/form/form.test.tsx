import { Form as Antd, Input } from 'antd'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { displayName, email } from '@gantry/contract/validators'
import { CallError } from '../../api/failure.ts'
import { dirtyForms } from '../../api/draft.ts'
import { openPage, press, settle, type, useConsole } from '../../../test/app.tsx'
import { confirm, Dialog } from '../feedback/dialog.tsx'
import { Field, Form } from './form.tsx'
import { isRequired, problemAt, withoutBlanks } from './problems.ts'

useConsole()

const schema = z
  .strictObject({
    name: displayName(10),
    email: email.optional(),
    limits: z.strictObject({ min: z.coerce.number().int().min(1), max: z.coerce.number().int().max(9) }).optional(),
  })
  .refine((value) => (value.limits?.min ?? 0) <= (value.limits?.max ?? 9), {
    path: ['limits', 'min'],
    message: 'field-invalid',
  })

const Sample = ({ onSubmit }: { onSubmit: (values: unknown) => Promise<unknown> }) => (
  <Form schema={schema} submit="Save" onSubmit={onSubmit}>
    <Field name="name" label="Name">
      <Input />
    </Field>
    <Field name="email" label="Mail">
      <Input />
    </Field>
  </Form>
)
const done = () => vi.fn((_values: unknown): Promise<unknown> => Promise.resolve())

describe('a form', () => {
  test('takes its rules from the contract, with their phrases', async () => {
    const onSubmit = done()
    await openPage(() => <Sample onSubmit={onSubmit} />)
    type(/^Name/, 'much too long a name')
    type(/^Mail/, 'not an address')
    press('Save')
    await screen.findByText(/^This is not a valid email address/)
    expect(onSubmit).not.toHaveBeenCalled()
  })

  test('shows others’ changes until there is input, and then the input', async () => {
    function Followed() {
      const [saved, setSaved] = useState('a')
      return (
        <>
          <Form schema={schema} submit="Save" initial={{ name: saved }} onSubmit={done()}>
            <Field name="name" label="Name">
              <Input />
            </Field>
          </Form>
          <button onClick={() => setSaved((was) => `${was}b`)}>other</button>
        </>
      )
    }
    await openPage(() => <Followed />)
    press('other')
    await screen.findByDisplayValue('ab')
    type(/^Name/, 'mine')
    press('other')
    await settle()
    expect(screen.getByDisplayValue('mine')).toBeTruthy()
  })

  test('marks optional fields, and names missing ones', async () => {
    await openPage(() => <Sample onSubmit={done()} />)
    expect(screen.getByText('Mail').textContent).toContain('optional')
    press('Save')
    await screen.findByText('This field is required')
  })

  test('sends the input without blanks', async () => {
    const onSubmit = done()
    await openPage(() => <Sample onSubmit={onSubmit} />)
    type(/^Name/, 'web')
    type(/^Mail/, 'x')
    type(/^Mail/, '')
    press('Save')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ name: 'web' }))
  })

  test("shows the server's problems at their fields, and others above the buttons", async () => {
    const problems = [
      { path: 'name', key: 'name-taken', text: 'That name is taken' },
      { path: 'quota.cpu', key: 'x', text: 'Too little CPU is left' },
    ]
    await openPage(() => <Sample onSubmit={() => Promise.reject(new CallError(400, 'x', 'Wrong', problems))} />)
    type(/^Name/, 'web')
    press('Save')
    const atField = await screen.findByText('That name is taken')
    expect(atField.closest('.ant-form-item')?.textContent).toContain('Name')
    expect(screen.getAllByRole('alert').map((node) => node.textContent)).toContain('Too little CPU is left')
  })

  test("shows a row's problem at its field, and a list's at the list, until they are fixed", async () => {
    const problems = [
      { path: 'body.rows.1.name', key: 'x', text: 'That row is taken' },
      { path: 'rows', key: 'x', text: 'Too many rows' },
      { path: 'rows.0', key: 'x', text: 'The first row is wrong' },
    ]
    const onSubmit = done()
    onSubmit.mockRejectedValueOnce(new CallError(400, 'x', 'Wrong', problems))
    const rows = { rows: [{ name: 'one' }, { name: 'two' }] }
    await openPage(() => (
      <Form
        schema={z.object({ rows: z.array(z.object({ name: z.string() })) })}
        initial={rows}
        submit="Save"
        onSubmit={onSubmit}
      >
        <Antd.List name="rows">
          {(list, _, { errors }) => (
            <>
              {list.map(({ key, name }) => (
                <Field key={key} within="rows" name={[name, 'name']} label={`Row ${name}`}>
                  <Input />
                </Field>
              ))}
              <Antd.ErrorList errors={errors} />
            </>
          )}
        </Antd.List>
      </Form>
    ))
    press('Save')
    const atField = await screen.findByText('That row is taken')
    expect(atField.closest('.ant-form-item')?.textContent).toContain('Row 1')
    await screen.findByText('Too many rows')
    await screen.findByText('The first row is wrong')
    expect(screen.queryByText('Wrong')).toBeNull()
    type(/^Row 1/, 'three')
    await waitFor(() => expect(screen.queryByText('That row is taken')).toBeNull())
    press('Save')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2))
    await waitFor(() => expect(screen.queryByText('Too many rows')).toBeNull())
  })

  test('removes a shown problem with the key that fixes it, without leaving the field', async () => {
    await openPage(() => <Sample onSubmit={done()} />)
    type(/^Mail/, 'not an address')
    press('Save')
    await screen.findByText('This field is required')
    await screen.findByText(/^This is not a valid email address/)
    type(/^Name/, 'w')
    await waitFor(() => expect(screen.queryByText('This field is required')).toBeNull())
    expect(screen.getByText(/^This is not a valid email address/)).toBeTruthy()
    type(/^Mail/, 'ada@example.com')
    await waitFor(() => expect(screen.queryByText(/^This is not a valid email address/)).toBeNull())
  })

  test('does not show a new problem while typing', async () => {
    await openPage(() => <Sample onSubmit={done()} />)
    type(/^Mail/, 'not an address')
    await settle()
    expect(screen.queryByText(/^This is not a valid email address/)).toBeNull()
  })

  test("keeps the server's problem until its field is changed", async () => {
    const problems = [{ path: 'name', key: 'name-taken', text: 'That name is taken' }]
    await openPage(() => <Sample onSubmit={() => Promise.reject(new CallError(400, 'x', 'Wrong', problems))} />)
    type(/^Name/, 'web')
    press('Save')
    await screen.findByText('That name is taken')
    type(/^Mail/, 'a')
    await settle()
    expect(screen.getByText('That name is taken')).toBeTruthy()
    type(/^Name/, 'web2')
    await waitFor(() => expect(screen.queryByText('That name is taken')).toBeNull())
  })

  test('holds a draft from the first key until it is saved', async () => {
    await openPage(() => <Sample onSubmit={done()} />)
    expect(dirtyForms.get()).toBe(0)
    type(/^Name/, 'web')
    expect(dirtyForms.get()).toBe(1)
    press('Save')
    await waitFor(() => expect(dirtyForms.get()).toBe(0))
  })

  test('releases its draft when it is closed', async () => {
    const { unmount } = await openPage(() => <Sample onSubmit={done()} />)
    type(/^Name/, 'web')
    unmount()
    expect(dirtyForms.get()).toBe(0)
  })
})

describe('the schema of a field', () => {
  test.each([
    [{ name: '' }, ['name'], 'This field is required'],
    [{ name: 'web', limits: { min: 0, max: 3 } }, ['limits', 'min'], 'At least 1'],
    [{ name: 'web', limits: { min: 1, max: 12 } }, ['limits', 'max'], 'At most 9'],
    [{ name: 'web', limits: { min: 5, max: 3 } }, ['limits', 'min'], 'This value is not valid'],
    [{ name: 'web', limits: { min: 5, max: 3 } }, ['limits', 'max'], undefined],
  ])('%j at %j: %s', (values, path, words) => {
    expect(problemAt(schema, values, path)).toBe(words)
  })

  test.each([
    [{ kind: 'c' }, ['kind'], 'This must be one of: a, b'],
    [{ kind: 'a', size: 'XL' }, ['size'], 'This must be one of: S, 1'],
    [{ kind: 'b', level: 'x' }, ['level'], 'This must be one of: low, high'],
  ])('%j names the allowed values of %j', (values, path, words) => {
    const choice = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), size: z.union([z.literal('S'), z.literal(1)]) }),
      z.object({ kind: z.literal('b'), level: z.enum(['low', 'high']) }),
    ])
    expect(problemAt(choice, values, path)).toBe(words)
  })

  test('treats a blank as absent, but not false or zero', () => {
    expect(withoutBlanks({ a: '', b: 0, c: false, d: { e: '', f: [''] } })).toEqual({
      b: 0,
      c: false,
      d: { f: [undefined] },
    })
  })

  test('decides which fields are required', () => {
    const shape = z.object({
      a: z.string(),
      b: z.string().optional(),
      c: z.string().default('x'),
      d: z.object({ e: z.number() }),
    })
    expect([['a'], ['b'], ['c'], ['d', 'e'], ['none']].map((path) => isRequired(shape, path))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ])
  })
})

describe('a dialog', () => {
  test('with a form asks before Escape or its cross discards input, but not once it is sent', async () => {
    const onClose = vi.fn()
    await openPage(() => (
      <Dialog title="Edit" onClose={onClose}>
        <Sample onSubmit={done()} />
      </Dialog>
    ))
    const cross = () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    cross()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    type(/^Name/, 'web')
    cross()
    await screen.findByText('Close without saving?')
    fireEvent.click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1) as HTMLElement)
    await waitFor(() => expect(screen.queryByText('Close without saving?')).toBeNull())
    expect(onClose).toHaveBeenCalledOnce()
    cross()
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
    press('Save')
    await act(settle)
    cross()
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(3))
  })

  test('enables the button of a typed confirmation when the word matches', async () => {
    await openPage(() => null)
    const run = vi.fn(() => Promise.resolve())
    const answer = confirm({
      title: 'Delete ledger?',
      goes: ['214 builds'],
      typed: 'ok',
      danger: true,
      ok: 'Delete',
      run,
    })
    await screen.findByText('214 builds')
    press('Delete')
    expect(run).not.toHaveBeenCalled()
    fireEvent.change(screen.getByLabelText('Type ok to confirm'), { target: { value: 'ok' } })
    press('Delete')
    await expect(answer).resolves.toBe(true)
    expect(run).toHaveBeenCalledOnce()
  })

  test('does not report work in progress as cancelled', async () => {
    await openPage(() => null)
    const { promise, resolve } = Promise.withResolvers<void>()
    const answer = confirm({ title: 'Delete?', ok: 'Delete', run: () => promise })
    await screen.findByText('Delete?')
    press('Delete')
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Cancel' }).getAttribute('aria-disabled')).toBe('true'),
    )
    press('Cancel')
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    resolve()
    await expect(answer).resolves.toBe(true)
    await act(settle)
  })

  test('stays open after a failure and says why', async () => {
    await openPage(() => null)
    const answer = confirm({
      title: 'Delete?',
      ok: 'Delete',
      run: () => Promise.reject(new Error('Two services use it')),
    })
    await screen.findByText('Delete?')
    press('Delete')
    await screen.findByText('Two services use it')
    press('Cancel')
    await expect(answer).resolves.toBe(false)
    await act(settle)
  })
})
