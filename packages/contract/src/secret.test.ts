import { expect, test } from 'vitest'
import { z } from 'zod'
import { secret, secretsIn } from './secret.ts'

test('finds what is declared secret, anywhere in a schema', () => {
  const password = secret(z.string().min(1)).max(200)
  const schema = z
    .strictObject({
      name: z.string(),
      plain: password,
      optional: password.optional(),
      nullable: password.nullable().default(null),
      within: z.object({ list: z.array(z.object({ password, note: z.string() })) }),
      either: z.union([z.literal(0), z.object({ password })]),
      trimmed: secret(z.string().trim()).transform((text) => text),
      both: z.object({ name: z.string() }).and(z.object({ password })),
    })
    .refine(() => true)
  const value = schema.parse({
    name: 'a name',
    plain: 'one',
    within: { list: [{ password: 'two', note: 'a note' }] },
    either: { password: 'three' },
    trimmed: ' four ',
    both: { name: 'another name', password: 'five' },
  })
  expect(secretsIn(schema, value)).toEqual(['one', 'two', 'three', 'four', 'five'])
})

test('finds the value of a pair that is marked secret', () => {
  const schema = z.object({
    list: z.array(z.strictObject({ name: z.string(), value: z.string(), secret: z.boolean().default(false) })),
  })
  const list = [
    { name: 'A', value: 'hidden', secret: true },
    { name: 'B', value: 'shown', secret: false },
    { name: 'C', value: '', secret: true },
  ]
  expect(secretsIn(schema, { list })).toEqual(['hidden'])
})

test('finds no secret in a value that does not match the schema', () => {
  const schema = z.object({ list: z.array(z.object({ password: secret(z.string()) })) })
  for (const value of [undefined, null, 1, 'text', [], { list: 1 }, { list: [null, 'x', { password: 1 }] }])
    expect(secretsIn(schema, value)).toEqual([])
})
