import { expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'
import { createOutbound } from '../adapters/outbound/outbound.ts'
import { afterCommit, inTx } from './context.ts'

const app = await testApp({ onlyDomains: [], ports: { outbound: createOutbound() } })
const { outbound } = app.ctx().ports

test('a call to another system inside a transaction is refused', async () => {
  const work = inTx(app.ctx(), (ctx) => ctx.ports.outbound.admit('https://1.1.1.1'))
  await expect(work).rejects.toThrow('the outbound port inside a database transaction')
})

test('a call to another system is allowed before a transaction and after its commit', async () => {
  const admits = () => outbound.admit('https://1.1.1.1')
  await admits()
  const after = Promise.withResolvers<unknown>()
  await inTx(app.ctx(), (ctx) => {
    afterCommit(ctx, () => void admits().then(after.resolve, after.reject))
    return Promise.resolve()
  })
  await after.promise
})
