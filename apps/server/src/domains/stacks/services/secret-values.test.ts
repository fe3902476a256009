import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSecrets } from '../../../kernel/secrets/masking.ts'
import { keysOf } from '../../../kernel/secrets/secrets.ts'
import { withoutSecrets, withSecrets } from './secret-values.ts'

const ctx = { keys: keysOf(['a secret key for tests only']), secrets: openSecrets() }

/** Names of variables, including those of properties that every JavaScript object has. */
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'),
  fc.stringMatching(/^[A-Za-z_.-][A-Za-z0-9_.-]{0,20}$/),
)
const variables = fc.uniqueArray(fc.record({ name, value: fc.string(), secret: fc.boolean() }), {
  selector: (variable) => variable.name,
  maxLength: 8,
})
const specOf = (environment: { name: string; value: string; secret: boolean }[]) =>
  ServiceSpec.parse({ image: 'web:1', environment })

test('a secret with any name is returned as stored, and is kept when it is sent back masked', () => {
  fc.assert(
    fc.property(variables, (environment) => {
      const given = specOf(environment.filter(({ value }) => value !== mask))
      const stored = withoutSecrets(ctx, given, null)
      expect(withSecrets(ctx, stored)).toEqual(given)
      const again = withoutSecrets(ctx, stored.spec, stored.secrets)
      expect(withSecrets(ctx, again)).toEqual(given)
    }),
  )
})

test('a masked variable without a stored value is empty, whatever its name', () => {
  fc.assert(
    fc.property(name, (name) => {
      const stored = withoutSecrets(ctx, specOf([{ name, value: mask, secret: true }]), null)
      expect(withSecrets(ctx, stored).environment).toEqual([{ name, value: '', secret: true }])
    }),
  )
})
