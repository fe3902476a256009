import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Forbids calls to other systems inside a database transaction: its rows would stay locked for as long as the call
 * takes. Tests turn the check on. In production it is off, where it would refuse calls that are only slow.
 */
const transaction = new AsyncLocalStorage<boolean>()
let checked = false

export function checkTransactions(): void {
  checked = true
}

export const asTransaction = <T>(work: () => Promise<T>): Promise<T> => (checked ? transaction.run(true, work) : work())

/** Called by adapters before they call another system. Throws inside a transaction. */
export function mustBeOutsideTransaction(system: string): void {
  if (transaction.getStore()) throw new Error(`a call to ${system} inside a database transaction`)
}
