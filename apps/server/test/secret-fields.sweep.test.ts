import { endpoint } from '@gantry/contract/endpoint'
import { secret, secretsIn } from '@gantry/contract/secret'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findEndpoints } from '../src/kernel/find.ts'
import { secretNames } from '../src/kernel/secrets/masking.ts'

interface Field {
  path: string
  name: string
  /** Whether it can hold a text, or a list of texts. */
  text: boolean
  declared: boolean
}

const isDeclared = (schema: z.core.$ZodType): boolean => secretsIn(schema, 'a text').length > 0

/** All fields of a body, at any depth, and whether they are declared secret. */
function fieldsOf(schema: z.core.$ZodType, path: string): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => [
        { path: `${path}.${name}`, name, text: holdsText(inner), declared: isDeclared(inner) },
        ...fieldsOf(inner, `${path}.${name}`),
      ])
    case 'array':
      return fieldsOf(def.element, `${path}[]`)
    case 'union':
      return def.options.flatMap((option) => fieldsOf(option, path))
    case 'pipe':
      return fieldsOf(def.in, path)
    case 'intersection':
      return [def.left, def.right].flatMap((side) => fieldsOf(side, path))
    default:
      return 'innerType' in def ? fieldsOf(def.innerType, path) : []
  }
}

function holdsText(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return true
    case 'array':
      return holdsText(def.element)
    case 'union':
      return def.options.some(holdsText)
    case 'pipe':
      return holdsText(def.in)
    default:
      return 'innerType' in def && holdsText(def.innerType)
  }
}

/** Fields that are secret only by name or only by declaration. */
const faults = (fields: Field[]): string[] =>
  fields.filter(({ name, text, declared }) => text && secretNames.test(name) !== declared).map(({ path }) => path)

const bodies = (await findEndpoints()).map(({ value }) => fieldsOf(value.body, `${value.method} ${value.path}`))

test('every field of a body with a secret name is declared secret, and the audit log knows each of them', () => {
  expect(bodies.flatMap(faults)).toEqual([])
  expect(bodies.flat().filter(({ declared }) => declared).length).toBeGreaterThan(15)
})

test('the check finds an undeclared secret field, and one that the audit log would not know', () => {
  const planted = endpoint({
    method: 'POST',
    path: '/planted',
    access: 'admin',
    summary: '',
    body: z.object({
      list: z.array(z.object({ apiToken: z.string().optional(), passwordDays: z.number() })).default([]),
      pin: secret(z.string()).nullable(),
      password: secret(z.string()),
    }),
    data: z.null(),
  })
  expect(faults(fieldsOf(planted.body, 'body'))).toEqual(['body.list[].apiToken', 'body.pin'])
})
