import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * No call to another system is made inside a database transaction: its rows would stay locked for as long as that system takes. Tests turn
 * the check on. In production, where it would only make a refusal of what is merely slow, it is off.
 */
const transaction = new AsyncLocalStorage<boolean>()
let checked = false

export function checkTransactions(): void {
  checked = true
}

/** Runs the work of a transaction. */
export const asTransaction = <T>(work: () => Promise<T>): Promise<T> => (checked ? transaction.run(true, work) : work())

/** Adapters ask before they speak to another system. Throws inside a transaction. */
export function mustBeOutsideTransaction(system: string): void {
  if (transaction.getStore()) throw new Error(`a call to ${system} inside a database transaction`)
}
